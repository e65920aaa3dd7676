import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);

/** Of the tables that describe HTTP to whoever writes a parser, the two that its user needs. */
const llhttpConstants = (): string => {
  const { ERROR, TYPE } = require('undici/lib/llhttp/constants.js') as Record<'ERROR' | 'TYPE', object>;
  return `module.exports = ${JSON.stringify({ ERROR, TYPE })};`;
};

/** The parser of HTTP, as undici has it: WebAssembly. */
export const httpParser = (): Buffer => require('undici/lib/llhttp/llhttp_simd-wasm.js') as Buffer;

/**
 * Its file beside a bundle. In the bundle it would be larger by a third, as base64, or compressed: then Node would load
 * zlib for it, 3 ms of a start.
 */
export const httpParserFile = 'llhttp.wasm';

/**
 * V8 would optimise the parser after two or three responses, beside the first invocations: 23 MB and as much of the CPU as
 * all that a container does until its first answer. It waits for a hundred times as many.
 */
const llhttpWasm = `
  let wasm;
  const read = () => {
    require('node:v8').setFlagsFromString('--wasm-tiering-budget=1300000000');
    return require('node:fs').readFileSync(bundleFolder + '/${httpParserFile}');
  };
  Object.defineProperty(module, 'exports', { get: () => (wasm ??= read()) });`;

/** The channels on which undici tells what it does, without its own listeners, for NODE_DEBUG. */
const undiciChannels = (): string => {
  const { channels } = require('undici/lib/core/diagnostics.js') as { channels: Record<string, { name: string }> };
  const names = Object.entries(channels).map(([key, { name }]) => [key, name]);
  return `
    const { channel } = require('node:diagnostics_channel');
    exports.channels = Object.fromEntries(${JSON.stringify(names)}.map(([key, name]) => [key, channel(name)]));`;
};

/** A file with one place in it written anew. */
const amended = (file: string, place: string, anew: string): string => {
  const source = readFileSync(join(import.meta.dirname, '../../../node_modules', file), 'utf8');
  const [before, after, ...others] = source.split(place);
  if (before === undefined || after === undefined || others.length > 0)
    throw new Error(`${file} has not one place to amend`);
  return `${before}${anew}${after}`;
};

/**
 * A token is most of what a request says, and the same in all of them for an hour, as other values always are: to look at
 * each of their characters again takes a tenth of a call. The last is remembered of each length, modulo 64.
 */
const rememberingHeaders = (): string =>
  amended(
    'undici/lib/core/util.js',
    `function isValidHeaderValue (characters) {
  return !headerCharRegex.test(characters)
}`,
    `
const lastOfLength = Array.from({ length: 64 }, () => '');
function isValidHeaderValue(characters) {
  const place = characters.length & 63;
  if (characters === lastOfLength[place]) return true;
  if (headerCharRegex.test(characters)) return false;
  lastOfLength[place] = characters;
  return true;
}`,
  );

/**
 * Answers of a service have the same few names of headers, again and again: each is read once. Instead of a search tree
 * of a hundred names that are known in advance. Long names, and many of one length, are not kept: a peer may write any.
 */
const learnedNames = `
  const byLength = Array.from({ length: 64 }, () => []);
  const isIt = ({ name }, bytes) => {
    for (let at = 0; at < name.length; at += 1) if (name[at] !== bytes[at]) return false;
    return true;
  };
  const lookup = (bytes) => {
    const known = byLength[bytes.length] ?? [];
    for (const each of known) if (isIt(each, bytes)) return each.lowerCase;
    const lowerCase = bytes.toString('latin1').toLowerCase();
    if (known.length < 4) known.push({ name: Uint8Array.from(bytes), lowerCase });
    return lowerCase;
  };
  exports.tree = { lookup };`;

/**
 * Names of headers that are known to be names, in lower case: ours instead of the hundred that there are. Limits of
 * WebSockets, which we have none of, are left out beside.
 */
const ownNames = (): string => {
  const names = [
    'accept',
    'authorization',
    'content-length',
    'content-type',
    'host',
    'idempotency-key',
    'if-match',
    'if-none-match',
    'returns-on-behalf-of',
    'traceparent',
  ];
  const lowerCased = Object.fromEntries(names.map((name) => [name, name]));
  return `exports.headerNameLowerCasedRecord = { __proto__: null, ...${JSON.stringify(lowerCased)} };`;
};

/** Each request has a signal for its handler: made when it is asked for, which no handler of ours does. */
const lazySignal = (): string =>
  amended(
    '@middy/core/index.js',
    `			const handlerAbort = new AbortController();
			const abortOpts = { signal: handlerAbort.signal };
`,
    `
      const handlerAbort = new HandlerAbort();
      const abortOpts = handlerAbort;`,
  ) +
  `
  class HandlerAbort {
    #controller;
    #made() { return (this.#controller ??= new AbortController()); }
    get signal() { return this.#made().signal; }
    abort() { this.#made().abort(); }
  }`;

const refusing = (what: string): string => `throw new Error('${what} is left out of this bundle')`;

/**
 * Files below node_modules, and the source that stands in their place: without what no call of ours reaches, which fails
 * with a word instead of going another way, or cheaper for every call.
 */
export const replaced: Readonly<Record<string, string>> = {
  // Every agent of ours has `allowH2: false`.
  'undici/lib/dispatcher/client-h2.js': `module.exports = () => { ${refusing('HTTP/2')} };`,
  // Bodies are texts and bytes.
  'undici/lib/web/fetch/body.js': `${refusing('fetch')};`,
  'undici/lib/web/fetch/formdata.js': `${refusing('fetch')};`,
  'undici/lib/web/webidl/index.js': `${refusing('fetch')};`,
  'undici/lib/core/constants.js': ownNames(),
  'undici/lib/core/diagnostics.js': undiciChannels(),
  'undici/lib/core/tree.js': learnedNames,
  'undici/lib/core/util.js': rememberingHeaders(),
  'undici/lib/llhttp/constants.js': llhttpConstants(),
  'undici/lib/llhttp/llhttp_simd-wasm.js': llhttpWasm,
  // Both processors that Lambda offers have SIMD.
  'undici/lib/llhttp/llhttp-wasm.js': `module.exports = require('./llhttp_simd-wasm.js');`,
  '@middy/core/index.js': lazySignal(),
  // No body is one of the web's streams, and asking for their class loads them.
  '@smithy/core/dist-es/submodules/serde/util-stream/stream-type-check.js': `
    export const isReadableStream = () => false;
    export const isBlob = () => false;`,
  // Where there is undici, it is what requests go by.
  '@smithy/node-http-handler/dist-es/node-https.js': `
    const https = () => process.getBuiltinModule('node:https');
    export const node_https = { get Agent() { return https().Agent; }, get request() { return https().request; } };`,
  // To look at the global `crypto` loads all of Web Crypto. Node's own module is loaded anyway.
  '@smithy/core/dist-es/submodules/serde/uuid/v4.js': `
    import { randomUUID } from 'node:crypto';
    export const bindV4 = () => () => randomUUID();`,
  // No client of ours has a logger, for which this would filter each request and answer by its schema.
  '@aws-sdk/core/dist-es/submodules/client/middleware-logger/loggerMiddleware.js': `
    export const loggerMiddleware = undefined, loggerMiddlewareOptions = undefined;
    export const getLoggerPlugin = () => ({ applyToStack: () => undefined });`,
  '@smithy/core/dist-es/submodules/client/smithy-client/schemaLogFilter.js': `
    export const schemaLogFilter = () => { ${refusing('the filter for a logger')}; };`,
  // No operation of these clients streams events.
  '@smithy/signature-v4/dist-es/HeaderFormatter.js': `export class HeaderFormatter { format() { ${refusing('the event stream')}; } }`,
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
