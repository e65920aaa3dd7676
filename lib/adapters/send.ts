import type { Path, Query } from './path.ts';

/** One request to the service, without the token and the fixed headers. */
export type ForeignRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: Path;
  readonly query?: Query;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** @default `application/json` */
  readonly accept?: string;
  /** @default `application/json` */
  readonly contentType?: string;
};

/** An answer of the service. The type of the body is a claim of its description, which nothing has checked. */
export type Reply<Body> = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** undefined for an answer without a body. */
  readonly body: Body;
};

/**
 * Sends one request and returns its answer. An answer that is a failure ends the operation: the mapping sees only answers
 * without an error that `errorIn` of the adapter finds, with a status below 300 that `failures` does not name.
 */
export type Send = <Body>(request: ForeignRequest) => Promise<Reply<Body>>;

/** The service, for one operation. */
export type Service = {
  readonly send: Send;
  /**
   * Names the request of a command: a repeat with the same Idempotency-Key has the same name. A service that keeps a text
   * of its callers can be asked for it. Empty for a read.
   */
  readonly key: string;
  /**
   * Reads until `isDone` holds, for a command that the service carries out later. An answer with an error, and a status
   * below 300, says that the command had no effect. Out of time, the operation fails with an unknown effect. A read that
   * uses it fails.
   */
  readonly follow: <Body>(request: ForeignRequest, isDone: (body: Body) => boolean) => Promise<Reply<Body>>;
};
