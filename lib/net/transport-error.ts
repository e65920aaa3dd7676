/**
 * How an exchange failed below HTTP. `connect`: the request never left. `reset`: the connection broke, and the peer may
 * have acted on the request. `too_large`: the answer exceeded its bound. `timeout` and `aborted`: the signal ended.
 */
export type TransportReason = 'timeout' | 'connect' | 'reset' | 'too_large' | 'aborted';

/**
 * A failed exchange. It has no `cause` and quotes no header and no body: both can hold a secret. `code` is the system's
 * own word (`ECONNREFUSED`, `CERT_HAS_EXPIRED`), `status` that of the answer where one had begun.
 */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly reason: TransportReason;
  readonly code: string | undefined;
  readonly status: number | undefined;

  constructor(
    reason: TransportReason,
    details: { readonly code?: string | undefined; readonly status?: number | undefined } = {},
  ) {
    super(details.code === undefined ? `exchange failed: ${reason}` : `exchange failed: ${reason} (${details.code})`);
    this.reason = reason;
    this.code = details.code;
    this.status = details.status;
  }
}
