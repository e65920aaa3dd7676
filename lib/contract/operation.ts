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

/** An operation that only reads. */
export const reading = <
  const Given extends Pick<Operation, 'name' | 'summary' | 'path' | 'scope' | 'query' | 'localized' | 'refusals'>,
>(
  given: Given,
) => ({ method: 'GET', idempotencyKey: false, ifMatch: 'ignored', dryRun: false, success: [200], ...given }) as const;

/** What is true of every command: repeatable by its key, bound to a version where the caller names one. */
const command = {
  method: 'POST',
  query: [],
  idempotencyKey: true,
  ifMatch: 'heeded',
  dryRun: true,
  success: [200],
} as const;

/** What the entry of a command says itself. */
type OfCommand = Pick<Operation, 'name' | 'summary' | 'path' | 'refusals'>;

/** What every command on a return may meet. */
const common = ['return_not_found', 'invalid_transition', 'version_mismatch'] as const;

/** A command on a return; `refusals` are those that not every command has. */
export const commanding = <const Given extends OfCommand>(given: Given) =>
  ({ scope: 'returns:write', ...command, ...given, refusals: [...common, ...given.refusals] }) as const;

/** A command on a return that is for administrators whatever its status. */
export const administering = <const Given extends OfCommand>(given: Given) =>
  ({ scope: 'returns:admin', ...command, ...given, refusals: [...common, ...given.refusals] }) as const;

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
