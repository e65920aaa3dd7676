import type { ErrorCode } from './errors.ts';

export type Scope = 'returns:read' | 'returns:write' | 'returns:admin';

/** One operation of the Returns Service: what a caller must know to send it, and a gateway to route it. */
export type Operation = {
  readonly name: string;
  readonly summary: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base path; `{name}` stands for a field of the operation's path schema. */
  readonly path: string;
  /** null: open to everyone, without a token. */
  readonly scope: Scope | null;
  /** Names of the query parameters, `dryRun` apart. */
  readonly query: readonly string[];
  /** A POST that stores needs an Idempotency-Key. */
  readonly idempotencyKey: boolean;
  /** Whether `If-Match` is heeded, or must even be sent (428); it, or `If-None-Match: *` for what is not there yet. */
  readonly ifMatch: 'ignored' | 'heeded' | 'required' | 'required_or_none';
  readonly dryRun: boolean;
  /** Whether the answer has texts in the language that Accept-Language asks for. */
  readonly localized?: true;
  /** The statuses of success, the usual one first. */
  readonly success: readonly (200 | 201)[];
  /** The codes it may refuse with, beyond those that every operation shares. */
  readonly refusals: readonly ErrorCode[];
};

/** The base path of this version of the contract. */
export const basePath = '/v1';

const readNames = ({ path }: Operation): readonly string[] =>
  Array.from(path.matchAll(/\{(\w+)\}/g), (match) => match[1] ?? '');

const known = new WeakMap<Operation, readonly string[]>();

/** The names in an operation's path, in order. Remembered: a call of the service asks several times. */
export const pathNames = (operation: Operation): readonly string[] => {
  const names = known.get(operation) ?? readNames(operation);
  known.set(operation, names);
  return names;
};

/** Whether requests carry a body. One of a DELETE has no meaning (RFC 9110, 9.3.5), and some proxies take it away. */
export const hasBody = ({ method }: Pick<Operation, 'method'>): boolean => method !== 'GET' && method !== 'DELETE';

/** The media types of a request's body, the usual one first. */
export const mediaTypes = ({ method }: Operation): readonly string[] =>
  method === 'PATCH' ? ['application/merge-patch+json', 'application/json'] : ['application/json'];
