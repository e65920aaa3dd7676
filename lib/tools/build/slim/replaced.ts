import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);

/** Returns the two tables of llhttp that its users need. The full set serves the authors of parsers. */
const llhttpConstants = (): string => {
  const { ERROR, TYPE } = require('undici/lib/llhttp/constants.js') as Record<'ERROR' | 'TYPE', object>;
  return `module.exports = ${JSON.stringify({ ERROR, TYPE })};`;
};

/** Returns undici's HTTP parser: WebAssembly. */
export const httpParser = (): Buffer => require('undici/lib/llhttp/llhttp_simd-wasm.js') as Buffer;

/**
 * The file of the parser next to a bundle. Inside the bundle it would be larger by a third as base64. Compressed, Node
 * would have to load zlib for it, which takes 3 ms of a start.
 */
export const httpParserFile = 'llhttp.wasm';

/**
 * V8 would optimise the parser after two or three responses, during the first invocations. That takes 23 MB, and as
 * much CPU as a container uses until its first response. This code delays it to a hundred times as many responses.
 */
const llhttpWasm = `
  let wasm;
  const read = () => {
    require('node:v8').setFlagsFromString('--wasm-tiering-budget=1300000000');
    return require('node:fs').readFileSync(bundleFolder + '/${httpParserFile}');
  };
  Object.defineProperty(module, 'exports', { get: () => (wasm ??= read()) });`;

/** Returns undici's diagnostics channels, without its own listeners for NODE_DEBUG. */
const undiciChannels = (): string => {
  const { channels } = require('undici/lib/core/diagnostics.js') as { channels: Record<string, { name: string }> };
  const names = Object.entries(channels).map(([key, { name }]) => [key, name]);
  return `
    const { channel } = require('node:diagnostics_channel');
    exports.channels = Object.fromEntries(${JSON.stringify(names)}.map(([key, name]) => [key, channel(name)]));`;
};

/** Returns a file with one place replaced. */
const amended = (file: string, original: string, replacement: string): string => {
  const source = readFileSync(join(import.meta.dirname, '../../../../node_modules', file), 'utf8');
  const [before, after, ...others] = source.split(original);
  if (before === undefined || after === undefined || others.length > 0)
    throw new Error(`${file} has not one place to amend`);
  return `${before}${replacement}${after}`;
};

/**
 * The token is most of a request, and is the same for an hour. Other values repeat too, and a check of each of their
 * characters takes a tenth of a call. This code remembers the last value of each length, modulo 64.
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
 * Responses of a service repeat a few header names, so each name is parsed once. This replaces a search tree of a
 * hundred known names. Long names, and many names of one length, are not cached, because a peer may send any.
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
 * The known header names in lower case: those that this service uses, instead of undici's hundred. The limits of
 * WebSockets are left out, because there are none.
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

/** Creates the signal of a handler on demand. No handler of this service uses it. */
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
    #opened() { return (this.#controller ??= new AbortController()); }
    get signal() { return this.#opened().signal; }
    abort() { this.#opened().abort(); }
  }`;

/**
 * Makes a key object of the key of an HMAC. For bytes, Node throws and catches two errors inside, which takes five times
 * as long. A signature of a request of AWS takes two of them.
 */
const keyedHash = (): string =>
  `import { createSecretKey } from 'node:crypto';
  ${amended(
    '@smithy/core/dist-es/submodules/serde/hash-node/hash-node.js',
    'createHmac(this.algorithmIdentifier, castSourceData(this.secret))',
    'createHmac(this.algorithmIdentifier, createSecretKey(castSourceData(this.secret)))',
  )}`;

const leftOut = (what: string): string => `throw new Error('${what} is left out of this bundle')`;

/**
 * Files in node_modules, and the source that replaces each. The replacement omits code that this service never calls,
 * which fails with an error instead of taking another path. Or it is cheaper for every call.
 */
export const replaced: Readonly<Record<string, string>> = {
  // Every agent of this service has `allowH2: false`.
  'undici/lib/dispatcher/client-h2.js': `module.exports = () => { ${leftOut('HTTP/2')} };`,
  // Bodies are texts and bytes.
  'undici/lib/web/fetch/body.js': `${leftOut('fetch')};`,
  'undici/lib/web/fetch/formdata.js': `${leftOut('fetch')};`,
  'undici/lib/web/webidl/index.js': `${leftOut('fetch')};`,
  'undici/lib/core/constants.js': ownNames(),
  'undici/lib/core/diagnostics.js': undiciChannels(),
  'undici/lib/core/tree.js': learnedNames,
  'undici/lib/core/util.js': rememberingHeaders(),
  'undici/lib/llhttp/constants.js': llhttpConstants(),
  'undici/lib/llhttp/llhttp_simd-wasm.js': llhttpWasm,
  // Both processors that Lambda offers have SIMD.
  'undici/lib/llhttp/llhttp-wasm.js': `module.exports = require('./llhttp_simd-wasm.js');`,
  '@middy/core/index.js': lazySignal(),
  // No body is a web stream, and a reference to the class loads it.
  '@smithy/core/dist-es/submodules/serde/util-stream/stream-type-check.js': `
    export const isReadableStream = () => false;
    export const isBlob = () => false;`,
  // In a bundle with undici, requests use undici.
  '@smithy/node-http-handler/dist-es/node-https.js': `
    const https = () => process.getBuiltinModule('node:https');
    export const node_https = { get Agent() { return https().Agent; }, get request() { return https().request; } };`,
  '@smithy/core/dist-es/submodules/serde/hash-node/hash-node.js': keyedHash(),
  // A reference to the global `crypto` loads all of Web Crypto. Node's own module is loaded anyway.
  '@smithy/core/dist-es/submodules/serde/uuid/v4.js': `
    import { randomUUID } from 'node:crypto';
    export const bindV4 = () => () => randomUUID();`,
  // No client of this service has a logger, for which this middleware would filter each request and response by its
  // schema.
  '@aws-sdk/core/dist-es/submodules/client/middleware-logger/loggerMiddleware.js': `
    export const loggerMiddleware = undefined, loggerMiddlewareOptions = undefined;
    export const getLoggerPlugin = () => ({ applyToStack: () => undefined });`,
  '@smithy/core/dist-es/submodules/client/smithy-client/schemaLogFilter.js': `
    export const schemaLogFilter = () => { ${leftOut('the filter for a logger')}; };`,
  // No operation of these clients streams events.
  '@smithy/signature-v4/dist-es/HeaderFormatter.js': `export class HeaderFormatter { format() { ${leftOut('the event stream')}; } }`,
  '@smithy/core/dist-es/submodules/event-streams/index.js': `export class EventStreamSerde { constructor() { ${leftOut('the event stream')}; } }`,
  // The DynamoDB client creates this cache, but does not use it.
  '@aws-sdk/endpoint-cache/dist-es/EndpointCache.js': `export class EndpointCache {}`,
  // Node has its own.
  '@smithy/core/dist-es/submodules/checksum/sha256/Sha256Js.js': `export const Sha256Js = undefined;`,
  // Lambda sets the region.
  '@smithy/core/dist-es/submodules/config/config-resolver/regionConfig/getInstanceMetadataRegion.js':
    'export const getInstanceMetadataRegion = async () => undefined;',
  // There is no home directory with profiles: the environment has the whole configuration.
  '@smithy/core/dist-es/submodules/config/shared-ini-file-loader/loadSharedConfigFiles.js': `
    export { CONFIG_PREFIX_SEPARATOR } from './constants';
    export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });`,
};
