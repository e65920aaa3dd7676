import { randomUUID } from 'node:crypto';
import { contract, type OperationName } from '../../lib/contract/contract.ts';
import type { OperationEntry } from '../../lib/contract/entry.ts';
import type { StackInfo } from '../../lib/local/stack-info.ts';
import { tokenOf } from './api.ts';

/*
 * Sends the examples of the contract as the documents show them, and compares the responses. The service chooses ids,
 * hashes and times: a real value takes the place of each value of the example that a response returned before.
 */

type Fields = { readonly [name: string]: Json };
type Json = null | boolean | number | string | readonly Json[] | Fields;

const entries: Readonly<Record<string, OperationEntry>> = contract;

/** Values that the service chooses. An example and a response have the same kind of value there. */
const idKind = /^[a-z]+_[0-9A-HJKMNP-TV-Z]{26}$/;
const timeKind = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const kinds: readonly RegExp[] = [idKind, timeKind, /^[0-9a-f]{64}$/, /^[0-9a-f]{32}$/];

/** Fields whose value differs between deployments, clients or runs. */
const free: ReadonlySet<string> = new Set([
  'rmaNumber',
  'clientId',
  'onBehalfOf',
  'sealed',
  'causationId',
  'secret',
  'url',
  'uploadUrl',
  'nextCursor',
  'eligibilityToken',
  'returnId',
  'orderId',
  'version',
  'sequence',
  'ms',
]);

/** The field that names a member of a list: an example shows some of the members. */
const keyOf = (value: Json): string | undefined => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  if ('sequence' in value && 'hash' in value) return 'sequence';
  return 'code' in value && 'group' in value ? 'code' : undefined;
};

export type Player = {
  /** Sends the example of an operation, and returns the differences of the response from the example. */
  readonly play: (name: OperationName, parameters?: Readonly<Record<string, string>>) => Promise<readonly string[]>;
};

/** Starts a story: the order and the reason of the examples get names of their own, so that stories share a deployment. */
export const startStory = (stack: StackInfo): Player => {
  const own = randomUUID().slice(0, 8);
  const real = new Map<string, string>([
    ['1001', `ex-${own}`],
    ['7', `customer-${own}`],
    ['fit.runs_small', `fit.runs_small_${own.replaceAll(/[0-9-]/g, '')}`],
  ]);
  const etags = new Map<string, string>();

  /** The resource of a command is above it: /returns/{id} of /returns/{id}/parcels/{parcelId}. */
  const resourceOf = (path: string): string | undefined => [...etags.keys()].find((known) => path.startsWith(known));

  const toReal = (value: Json): Json => {
    if (typeof value === 'string') return real.get(value) ?? value;
    if (Array.isArray(value)) return value.map(toReal);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toReal(inner)]));
  };

  const textDifference = (example: string, response: string, at: string): readonly string[] => {
    const kind = kinds.find((one) => one.test(example));
    if (kind === undefined) return example === response || real.get(example) === response ? [] : [`${at}: ${response}`];
    if (!kind.test(response)) return [`${at}: ${response} is no ${example}`];
    // An id names the same thing in the whole story.
    if (kind === idKind && (real.get(example) ?? response) !== response) return [`${at}: ${response}`];
    if (kind !== timeKind) real.set(example, response);
    return [];
  };

  const differences = (example: Json, response: Json | undefined, at: string): readonly string[] => {
    const name = at.slice(at.lastIndexOf('/') + 1);
    if (response === undefined) return [`${at} is missing`];
    if (typeof example === 'string' && typeof response === 'string')
      return free.has(name) && !kinds.some((kind) => kind.test(example)) ? [] : textDifference(example, response, at);
    if (typeof example !== 'object' || example === null)
      return example === response || (free.has(name) && typeof example === typeof response)
        ? []
        : [`${at}: ${JSON.stringify(response)}`];
    if (typeof response !== 'object' || response === null) return free.has(name) ? [] : [`${at}: ${String(response)}`];
    if (Array.isArray(example) && Array.isArray(response) && example.some((one: Json) => keyOf(one) !== undefined))
      return example.flatMap((one: Fields) => {
        const key = keyOf(one) ?? '';
        const wanted = toReal(one[key] ?? null);
        return differences(
          one,
          response.find((other: Fields) => other[key] === wanted),
          `${at}/${JSON.stringify(wanted)}`,
        );
      });
    return Object.entries(example).flatMap(([key, inner]: [string, Json]) =>
      differences(inner, (response as Fields)[key], `${at}/${key}`),
    );
  };

  return {
    play: async (name, parameters = {}) => {
      const entry = entries[name];
      if (entry === undefined) return [`${name}: no such operation`];
      const path = entry.path.replaceAll(/\{(\w+)\}/g, (_, key: string) => {
        const value = parameters[key] ?? '';
        return encodeURIComponent(real.get(value) ?? value);
      });
      const query = new URLSearchParams();
      for (const [key, value] of Object.entries(parameters))
        if (key in entry.query.properties) query.set(key, real.get(value) ?? value);
      const body = toReal(entry.example.body as Json);
      const etag = etags.get(resourceOf(path) ?? '');
      const response = await fetch(`${stack.standalone.url}/v1${path}${query.size > 0 ? `?${query.toString()}` : ''}`, {
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
        ...(entry.method === 'GET' ? {} : { body: JSON.stringify(body) }),
      });
      const answer = (await response.json()) as Json;
      const tag = response.headers.get('etag');
      const location = response.headers.get('location')?.replace('/v1', '');
      if (tag !== null) etags.set(location ?? resourceOf(path) ?? path, tag);
      if (!entry.success.some((status) => status === response.status))
        return [`${name}: ${response.status} ${JSON.stringify(answer)}`];
      return differences(entry.example.output as Json, answer, name);
    },
  };
};
