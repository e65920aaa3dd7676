import type { AccessErrorKind } from './access-error.ts';

/** Why a token request gave no token. With `retryAfterMs`, trying again before then is of no use. */
export type TokenFault = {
  readonly kind: AccessErrorKind;
  readonly reason: string;
  readonly retryAfterMs?: number;
  /**
   * That another version of the secret may fare better, which holds the client's secret and its certificate: `refused`
   * is what the server said, `doubted` is what a broken connection may come from.
   */
  readonly version?: 'refused' | 'doubted';
};

export type Outcome<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly fault: TokenFault };

export const succeeded = <Value>(value: Value) => ({ ok: true, value }) as const;
export const failed = (fault: TokenFault) => ({ ok: false, fault }) as const;
