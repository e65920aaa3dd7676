import { randomUUID } from 'node:crypto';
import { contract, type OperationName, type Output } from '../../lib/contract/contract.ts';
import type { OperationEntry } from '../../lib/contract/entry.ts';
import type { StackInfo } from '../../lib/tools/local/stack-info.ts';
import { tokenOf } from './api.ts';
import { sendPatiently } from './send-patiently.ts';

/*
 * Sends the examples of the contract as the documents show them, and compares the responses. The service chooses ids,
 * hashes and times: a real value takes the place of each value of the example that a response returned before. A
 * response may have fields that its example leaves out.
 */

type Fields = { readonly [name: string]: Json };
type Json = null | boolean | number | string | readonly Json[] | Fields;

const entries: Readonly<Record<string, OperationEntry>> = contract;

/** Values that the service chooses. An example and a response have the same kind of value there. */
const idKind = /^[a-z]+_[0-9A-HJKMNP-TV-Z]{26}$/;
const timeKind = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const kinds: readonly RegExp[] = [
  idKind,
  timeKind,
  // Hashes, trace ids, the ids that queues and shops choose, and times in seconds.
  /^[0-9a-f]{64}$/,
  /^[0-9a-f]{32}$/,
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  /^1\d{9}$/,
];
const idInText = /[a-z]+_[0-9A-HJKMNP-TV-Z]{26}/g;
const dayInText = /\d{1,2} [A-Z][a-z]+ \d{4}/g;

/** Lists of which an example shows some members: the deployment is shared, and most actions are left out. */
const partial: ReadonlySet<string> = new Set(['items', 'orders', 'allowedActions', 'views']);

/** Fields whose value differs between deployments, clients or runs. */
const free: ReadonlySet<string> = new Set([
  'rmaNumber',
  'clientId',
  'onBehalfOf',
  'sealed',
  'causationId',
  'causationid',
  'secret',
  'uploadUrl',
  'url',
  'nextCursor',
  'eligibilityToken',
  'ms',
  'today',
]);

/**
 * Fields of one operation that are free: the receipt is signed, and its texts show the signature. The counts are those
 * of all returns of the deployment.
 */
const freeIn: ReadonlySet<string> = new Set([
  ...['jws', 'text', 'html'].map((name) => `getWithdrawalReceipt/${name}`),
  // They show the RMA number within a sentence.
  ...['subject', 'text'].map((name) => `getMessage/${name}`),
  'countViews/views/0/count',
  'getPolicyText/date',
]);

/** The field that names a member of a list, by another field that only such a member has. */
const keys: readonly (readonly [field: string, key: string])[] = [
  ['hash', 'sequence'],
  ['group', 'code'],
  ['latest', 'policyId'],
  ['eventTypes', 'endpointId'],
  ['kind', 'jobId'],
];
const keyOf = (value: Json): string | undefined =>
  typeof value === 'object' && value !== null
    ? keys.find(([field, key]) => field in value && key in value)?.[1]
    : undefined;

/** Returns the object that a text has in JSON. */
const objectIn = (text: string): Json | undefined => (text.startsWith('{') ? (JSON.parse(text) as Json) : undefined);

/** The values of a request that differ from the example. */
type Change = { readonly body?: object; readonly parameters?: Readonly<Record<string, string>> };

export type Player = {
  /** Makes a real value take the place of a value of the examples. */
  readonly bind: (example: string, value: string) => void;
  /** Returns the real value of a value of the examples. */
  readonly real: (example: string) => string;
  /** Sends the example of an operation, and returns the differences of the response from the example. */
  readonly play: (name: OperationName, change?: Change) => Promise<readonly string[]>;
  /** Sends the example of an operation to prepare another one, and returns the response. */
  readonly send: <Name extends OperationName>(name: Name, change?: Change) => Promise<Output<Name>>;
};

/**
 * Starts a story with these parameters of paths and queries. The order and the reason of the examples get names of
 * their own, so that stories share a deployment.
 */
export const startStory = (stack: StackInfo, known: Readonly<Record<string, string>>): Player => {
  const own = randomUUID().slice(0, 8);
  const real = new Map<string, string>([
    ['1001', `ex-${own}`],
    ['7', `customer-${own}`],
    ['fit.runs_small', `fit.runs_small_${own.replaceAll(/[0-9-]/g, '')}`],
  ]);
  const etags = new Map<string, string>();

  /** The resource of a command is above it: /returns/{id} of /returns/{id}/parcels/{parcelId}. */
  const resourceOf = (path: string): string | undefined => [...etags.keys()].find((one) => path.startsWith(one));

  const toReal = (value: Json): Json => {
    if (typeof value === 'string') return real.get(value) ?? value;
    if (Array.isArray(value)) return value.map(toReal);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toReal(inner)]));
  };

  /** Returns a text of an example with real ids. */
  const realText = (example: string): string =>
    real.get(example) ?? example.replaceAll(idInText, (id) => real.get(id) ?? id);

  const textDifference = (example: string, response: string, at: string): readonly string[] => {
    const kind = kinds.find((one) => one.test(example));
    if (kind === undefined) {
      const [wanted, found] = [realText(example), response].map((text) => text.replaceAll(dayInText, 'day'));
      return wanted === found ? [] : [`${at}: ${response}`];
    }
    if (!kind.test(response)) return [`${at}: ${response} is no ${example}`];
    // An id names the same thing in the whole story.
    if (kind === idKind && (real.get(example) ?? response) !== response) return [`${at}: ${response}`];
    if (kind !== timeKind) real.set(example, response);
    return [];
  };

  const listDifferences = (example: readonly Json[], response: readonly Json[], at: string): readonly string[] => {
    const name = at.slice(at.lastIndexOf('/') + 1);
    if (!example.some((one) => keyOf(one) !== undefined)) {
      const found = example.flatMap((one, index) => differences(one, response[index], `${at}/${index}`));
      const isLonger = response.length > example.length && !partial.has(name);
      return isLonger ? [...found, `${at}: ${response.length} instead of ${example.length}`] : found;
    }
    return (example as readonly Fields[]).flatMap((one) => {
      const key = keyOf(one) ?? '';
      const wanted = toReal(one[key] ?? null);
      const found = (response as readonly Fields[]).find((other) => other[key] === wanted);
      return differences(one, found, `${at}/${JSON.stringify(wanted)}`);
    });
  };

  const differences = (example: Json, response: Json | undefined, at: string): readonly string[] => {
    const name = at.slice(at.lastIndexOf('/') + 1);
    if (response === undefined) return [`${at} is missing`];
    if (freeIn.has(at) && typeof response === typeof example) return [];
    if (typeof example === 'string' && typeof response === 'string') {
      const inner = real.has(example) ? undefined : objectIn(example);
      if (inner !== undefined) return differences(inner, objectIn(response), at);
      const isFree = free.has(name) && !real.has(example) && !kinds.some((kind) => kind.test(example));
      return isFree ? [] : textDifference(example, response, at);
    }
    if (typeof example !== 'object' || example === null)
      return example === response || (free.has(name) && typeof example === typeof response)
        ? []
        : [`${at}: ${JSON.stringify(response)}`];
    if (typeof response !== 'object' || response === null) return free.has(name) ? [] : [`${at}: ${String(response)}`];
    if (Array.isArray(example) && Array.isArray(response)) return listDifferences(example, response, at);
    return Object.entries(example).flatMap(([key, inner]: [string, Json]) =>
      differences(inner, (response as Fields)[key], `${at}/${key}`),
    );
  };

  const request = async (name: OperationName, { body, parameters }: Change) => {
    const entry = entries[name];
    if (entry === undefined) throw new Error(`there is no operation ${name}`);
    const all = { ...known, ...parameters };
    const path = entry.path.replaceAll(/\{(\w+)\}/g, (_, key: string) => {
      const value = all[key] ?? '';
      return encodeURIComponent(real.get(value) ?? value);
    });
    const query = new URLSearchParams();
    for (const [key, value] of Object.entries(all))
      if (key in entry.query.properties) query.set(key, real.get(value) ?? value);
    const etag = etags.get(resourceOf(path) ?? '');
    const url = `${stack.standalone.url}/v1${path}${query.size > 0 ? `?${query.toString()}` : ''}`;
    const init = {
      method: entry.method,
      headers: {
        authorization: `Bearer ${await tokenOf('returns-admin', stack)}`,
        'returns-on-behalf-of': 'agent-7',
        ...(entry.idempotencyKey && { 'idempotency-key': randomUUID() }),
        ...(entry.ifMatch === 'required' && etag !== undefined && { 'if-match': etag }),
        ...(entry.ifMatch === 'required_or_none' &&
          (etags.has(path) ? { 'if-match': etags.get(path) ?? '' } : { 'if-none-match': '*' })),
        ...(entry.method === 'GET' ? {} : { 'content-type': 'application/json' }),
      },
      ...(entry.method === 'GET' ? {} : { body: JSON.stringify(toReal((body ?? entry.example.body) as Json)) }),
    };
    const response = await sendPatiently(async () => fetch(url, init));
    const answer = (await response.json()) as Json;
    const tag = response.headers.get('etag');
    const location = response.headers.get('location')?.replace('/v1', '');
    if (tag !== null) etags.set(location ?? resourceOf(path) ?? path, tag);
    if (!entry.success.some((status) => status === response.status))
      throw new Error(`${name}: ${response.status} ${JSON.stringify(answer)}`);
    return { answer, found: differences(entry.example.output as Json, answer, name) };
  };

  return {
    bind: (example, value) => void real.set(example, value),
    real: (example) => real.get(example) ?? example,
    play: async (name, change = {}) => (await request(name, change)).found,
    send: async <Name extends OperationName>(name: Name, change: Change = {}) =>
      (await request(name, change)).answer as unknown as Output<Name>,
  };
};
