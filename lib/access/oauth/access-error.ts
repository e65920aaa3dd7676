export type AccessErrorKind =
  | 'IdpUnavailable'
  | 'ClientRejected'
  | 'IdpProtocol'
  | 'SecretUnavailable'
  | 'CertificateInvalid'
  | 'ApiUnauthorized'
  | 'DeadlineExceeded';

const messages: Record<AccessErrorKind, string> = {
  IdpUnavailable: 'the token endpoint cannot be used now',
  ClientRejected: 'the token endpoint rejects this client',
  IdpProtocol: 'the token endpoint gave an answer that is none',
  SecretUnavailable: 'the client credentials cannot be read',
  CertificateInvalid: 'the client certificate cannot be used',
  ApiUnauthorized: 'the API rejects a token that was just issued',
  DeadlineExceeded: 'no time was left to obtain a token',
};

/**
 * A failure of the access to the API. It has no `cause` and quotes nothing that was sent or received. `reason` is one
 * word of this service or of a standard.
 */
export class AccessError extends Error {
  override readonly name = 'AccessError';
  readonly kind: AccessErrorKind;
  readonly reason: string;
  /** Milliseconds during which a retry is useless. */
  readonly retryAfterMs: number | undefined;

  constructor(kind: AccessErrorKind, reason: string, retryAfterMs?: number) {
    super(`${messages[kind]}: ${reason}`);
    this.kind = kind;
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}
