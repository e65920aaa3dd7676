/**
 * How an exchange failed below HTTP. `connect`: the request was never sent. `reset`: the connection broke, and the peer
 * may have processed the request. `too_large`: the response exceeded its limit. `timeout` and `aborted`: the signal
 * ended.
 */
export type TransportReason = 'timeout' | 'connect' | 'reset' | 'too_large' | 'aborted';

/**
 * A failed exchange. It has no `cause` and quotes no header and no body, because both can hold a secret. `code` is the
 * system's code (`ECONNREFUSED`, `CERT_HAS_EXPIRED`). `status` is that of a response that had begun.
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
