import fc from 'fast-check';
import type { Operation } from './document.ts';

/** A request as it goes over the wire, and what is to be expected of it. */
export type Request = {
  readonly operation: Operation;
  /** How it was made: `as documented`, or what was done to one that was. */
  readonly kind: string;
  /** Whose token it carries; null for none. */
  readonly client: string | null;
  /** Percent-encoded, with the base path. */
  readonly path: string;
  /** Percent-encoded, without the question mark. */
  readonly query: string;
  /** Names in lower case; the token apart. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Codes that would be wrong because what it is about exists. */
  readonly impossible: readonly string[];
  /**
   * The refusals that are right: a status and a code, or `gateway` for one that API Gateway makes itself. Undefined for
   * a request that the document allows: it may be refused for what it wants, not for how it is written.
   */
  readonly refusals: readonly string[] | undefined;
};

export type Answer = {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
};

const maxText = 4_000;

const shorten = (text: string): string =>
  text.length <= maxText ? text : `${text.slice(0, maxText)} … ${text.length} characters`;

/** A request for people to read. */
export const show = ({ operation, kind, client, path, query, headers, body }: Request): string =>
  [
    '',
    `# ${operation.id}, ${kind}, client: ${client ?? 'none'}`,
    `${operation.method} ${shorten(path)}${query === '' ? '' : `?${shorten(query)}`}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${shorten(value)}`),
    '',
    shorten(body ?? ''),
    '',
  ].join('\n');

/** The request, and how the report of a failure shows it. */
export const printable = (request: Request): Request =>
  Object.defineProperty(request, fc.toStringMethod, { value: () => show(request) });
