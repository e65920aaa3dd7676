import type { ErrorCode } from './errors.ts';

/** The scopes of access tokens. */
export const scopes = ['returns:read', 'returns:write', 'returns:admin', 'returns:search'] as const;

export type Scope = (typeof scopes)[number];

/** One operation of the service: what a caller needs to send it, and a gateway to route it. */
export type Operation = {
  readonly name: string;
  readonly summary: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below the base path. `{name}` is a field of the path schema. */
  readonly path: string;
  /** The scope that the token needs. null: the operation needs no token. */
  readonly scope: Scope | null;
  /** The names of the query parameters, without `dryRun`. */
  readonly query: readonly string[];
  /** Whether the operation needs an Idempotency-Key. Every POST that stores data needs one. */
  readonly idempotencyKey: boolean;
  /**
   * Whether the operation checks `If-Match`, or requires it (428).
   * `required_or_none` also accepts `If-None-Match: *`, for a resource that does not exist.
   */
  readonly ifMatch: 'ignored' | 'optional' | 'required' | 'required_or_none';
  readonly dryRun: boolean;
  /** Set when the answer has texts in the language of Accept-Language. */
  readonly localized?: true;
  /** The statuses of success. The first is the usual one. */
  readonly success: readonly (200 | 201)[];
  /** The error codes of the operation, without the codes that all operations share. */
  readonly errors: readonly ErrorCode[];
};

/** The base path of this version of the contract. */
export const basePath = '/v1';

const readNames = ({ path }: Operation): readonly string[] =>
  Array.from(path.matchAll(/\{(\w+)\}/g), (match) => match[1] ?? '');

const known = new WeakMap<Operation, readonly string[]>();

/**
 * Returns the names in the path of an operation, in order.
 * The names are cached, because one call of the service reads them several times.
 */
export const pathNames = (operation: Operation): readonly string[] => {
  const names = known.get(operation) ?? readNames(operation);
  known.set(operation, names);
  return names;
};

/**
 * Returns whether requests have a body.
 * The body of a DELETE has no meaning (RFC 9110, 9.3.5), and some proxies remove it.
 */
export const hasBody = ({ method }: Pick<Operation, 'method'>): boolean => method !== 'GET' && method !== 'DELETE';

/** Returns the body of a request: the input without the fields of the path and the query. */
export const requestBody = (operation: Operation, input: object): string | undefined => {
  if (!hasBody(operation)) return undefined;
  const elsewhere = new Set([...pathNames(operation), ...operation.query]);
  return JSON.stringify(Object.fromEntries(Object.entries(input).filter(([name]) => !elsewhere.has(name))));
};

/** Returns whether an operation is a command on a return. Each one has a row in the state table. */
export const isCommandOnReturn = ({ method, path }: Pick<Operation, 'method' | 'path'>): boolean =>
  method === 'POST' && path.startsWith('/returns/{returnId}/');

/** The media types of a request body. The first is the usual one. */
export const mediaTypes = ({ method }: Pick<Operation, 'method'>): readonly string[] =>
  method === 'PATCH' ? ['application/merge-patch+json', 'application/json'] : ['application/json'];
