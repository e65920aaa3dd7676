import { createRequire } from 'node:module';
import { brotliCompressSync } from 'node:zlib';

const require = createRequire(import.meta.url);

/** Of the tables that describe HTTP to whoever writes a parser, the two that its user needs. */
const llhttpConstants = (): string => {
  const { ERROR, TYPE } = require('undici/lib/llhttp/constants.js') as Record<'ERROR' | 'TYPE', object>;
  return `module.exports = ${JSON.stringify({ ERROR, TYPE })};`;
};

/**
 * The parser of HTTP, compressed once more: as text it is a fifth of a function, and a quarter of what is sent.
 *
 * V8 would optimise it after two or three responses, beside the first invocations: 23 MB and as much of the CPU as all
 * that a container does until its first answer. It waits for a hundred times as many.
 */
const llhttpWasm = (): string => {
  const compressed = brotliCompressSync(require('undici/lib/llhttp/llhttp_simd-wasm.js') as Buffer).toString('base64');
  return `
    let wasm;
    const unpack = () => {
      require('node:v8').setFlagsFromString('--wasm-tiering-budget=1300000000');
      return require('node:zlib').brotliDecompressSync(Buffer.from('${compressed}', 'base64'));
    };
    Object.defineProperty(module, 'exports', { get: () => (wasm ??= unpack()) });`;
};

const refusing = (what: string): string => `throw new Error('${what} is left out of this bundle')`;

/**
 * Files below node_modules that no call of ours reaches, and the source that stands in their place. What would need
 * them after all fails with a word instead of going another way.
 */
export const replaced: Readonly<Record<string, string>> = {
  // Every agent of ours has `allowH2: false`.
  'undici/lib/dispatcher/client-h2.js': `module.exports = () => { ${refusing('HTTP/2')} };`,
  // Bodies are texts and bytes.
  'undici/lib/web/fetch/body.js': `${refusing('fetch')};`,
  'undici/lib/web/fetch/formdata.js': `${refusing('fetch')};`,
  'undici/lib/web/webidl/index.js': `${refusing('fetch')};`,
  // A search tree of a hundred names of headers, of which an answer has six.
  'undici/lib/core/tree.js': 'exports.tree = { lookup: () => null };',
  'undici/lib/llhttp/constants.js': llhttpConstants(),
  'undici/lib/llhttp/llhttp_simd-wasm.js': llhttpWasm(),
  // Both processors that Lambda offers have SIMD.
  'undici/lib/llhttp/llhttp-wasm.js': `module.exports = require('./llhttp_simd-wasm.js');`,
  // No body is one of the web's streams, and asking for their class loads them.
  '@smithy/core/dist-es/submodules/serde/util-stream/stream-type-check.js': `
    export const isReadableStream = () => false;
    export const isBlob = () => false;`,
  // Where there is undici, it is what requests go by.
  '@smithy/node-http-handler/dist-es/node-https.js': `
    const https = () => process.getBuiltinModule('node:https');
    export const node_https = { get Agent() { return https().Agent; }, get request() { return https().request; } };`,
  // No operation of these clients streams events.
  '@smithy/core/dist-es/submodules/event-streams/index.js': `export class EventStreamSerde { constructor() { ${refusing('the event stream')}; } }`,
  // DynamoDB's client makes this cache, and nothing of it asks it.
  '@aws-sdk/endpoint-cache/dist-es/EndpointCache.js': `export class EndpointCache {}`,
  // Node has its own.
  '@smithy/core/dist-es/submodules/checksum/sha256/Sha256Js.js': `export const Sha256Js = undefined;`,
  // Lambda tells the region.
  '@smithy/core/dist-es/submodules/config/config-resolver/regionConfig/getInstanceMetadataRegion.js':
    'export const getInstanceMetadataRegion = async () => undefined;',
  // There is no home directory with profiles: what is configured is configured by the environment.
  '@smithy/core/dist-es/submodules/config/shared-ini-file-loader/loadSharedConfigFiles.js': `
    export { CONFIG_PREFIX_SEPARATOR } from './constants';
    export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });`,
};
