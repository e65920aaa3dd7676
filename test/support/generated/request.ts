import fc from 'fast-check';
import type { Operation } from './document.ts';

/** A request as it is sent, and its expected result. */
export type Request = {
  readonly operation: Operation;
  /** Its origin: `as documented`, or the change of a documented request. */
  readonly kind: string;
  /** The client of its token, or null for none. */
  readonly client: string | null;
  /** Percent-encoded, with the base path. */
  readonly path: string;
  /** Percent-encoded, without the question mark. */
  readonly query: string;
  /** Names in lower case, without the token. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Codes that would be wrong because the resource exists. */
  readonly impossible: readonly string[];
  /**
   * The correct failures: a status and a code, or `gateway` for one that API Gateway itself sends. Undefined for a
   * documented request: it may be rejected for its content, not for its form.
   */
  readonly failures: readonly string[] | undefined;
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

/** Formats a request for people. */
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

/** Returns the request in the format of a failure report. */
export const printable = (request: Request): Request =>
  Object.defineProperty(request, fc.toStringMethod, { value: () => show(request) });
