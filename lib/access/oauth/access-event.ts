import type { AgentEvent } from '../net/agent.ts';
import type { SecretEvent } from '../secrets/secret-event.ts';
import type { Stage } from '../secrets/secret.ts';
import type { AccessErrorKind } from './access-error.ts';
import type { CertificateRejection } from './certificate-rejection.ts';

/**
 * `fresh`: younger than its renewal time R. `soft`: past R, a refresh runs in the background. `backing_off`: past R,
 * during a pause. `spent`: past R, without time. `superseded`: of replaced credentials, while a new token is obtained.
 */
export type ServedState = 'fresh' | 'soft' | 'backing_off' | 'spent' | 'superseded';

type TokenEvent =
  | { readonly type: 'token served'; readonly state: ServedState; readonly ageMs: number }
  | {
      readonly type: 'token denied';
      readonly state: 'backing_off' | 'spent';
      readonly kind: AccessErrorKind;
      readonly reason: string;
      readonly retryAfterMs?: number;
    }
  | {
      readonly type: 'token requested';
      readonly action: 'started' | 'joined';
      /** Whether the request runs in the background, while calls use an older token. */
      readonly inBackground: boolean;
      readonly reason: 'no token' | 'token too old' | 'token of other credentials' | 'token ageing' | 'token rejected';
    }
  /** An attempt failed, and another begins on a new connection. */
  | { readonly type: 'token request retried'; readonly kind: AccessErrorKind; readonly reason: string }
  | { readonly type: 'token awaited'; readonly ms: number; readonly outcome: 'ok' | AccessErrorKind }
  | {
      readonly type: 'token request ended';
      readonly outcome: 'ok' | AccessErrorKind;
      readonly reason?: string;
      readonly ms: number;
      /** The number of sent requests. */
      readonly attempts: number;
      readonly lifetimeMs?: number;
    }
  /** A token request failed. The endpoint gets no request for `retryAfterMs`. */
  | {
      readonly type: 'token not obtained';
      readonly kind: AccessErrorKind;
      readonly reason: string;
      readonly retryAfterMs: number;
    }
  | {
      readonly type: 'token rejected by the API';
      readonly action:
        | 'token replaced'
        | 'previous token used'
        | 'another token held'
        | 'token replaced just now'
        | 'given up';
    };

/** Idle connections gave no response for half of the time, so the next attempt gets new ones. */
type ExchangeEvent = { readonly type: 'idle connections dropped'; readonly ms: number };

/** A lookup of the shared token. */
type SharedTokenEvent = {
  readonly type: 'shared token read';
  /** `used`, or the reason why not. */
  readonly outcome: string;
  /** Present when the token is used. */
  readonly ageMs?: number;
};

type CredentialsEvent =
  /** A version other than AWSCURRENT is in use. */
  | {
      readonly type: 'another client secret used';
      /** The last known stage of the version. */
      readonly stage: Stage;
      readonly versionId: string;
    }
  /**
   * A version that was not tried, with the reason why it is unusable. `refused`: rejected within the last 60 s, or since
   * all versions are rejected.
   */
  | { readonly type: 'client secret skipped'; readonly reason: string; readonly versionId: string }
  | { readonly type: 'all client secrets rejected'; readonly tries: number; readonly retryAfterMs: number }
  | {
      readonly type: 'new client secret not adopted';
      readonly reason: string;
      readonly versionId: string;
    }
  | {
      readonly type: 'client certificate adopted';
      /** Whether it replaces another certificate. */
      readonly swapped: boolean;
      readonly versionId: string;
      /** Whole days until it expires; missing when the connections have none. */
      readonly daysLeft?: number;
    }
  | {
      readonly type: 'client certificate not adopted';
      readonly stage: Stage;
      readonly reason: string;
      readonly versionId: string;
    }
  | {
      readonly type: 'client certificate rejected by the API';
      readonly refusal: CertificateRejection;
      readonly versionId: string;
    }
  | { readonly type: 'client certificate expired'; readonly versionId: string };

/**
 * An event of the access to the API. It holds only codes, counts and milliseconds, so it can be logged as it is. Its
 * `type` is the message of the log line.
 */
export type AccessEvent = AgentEvent | SecretEvent | TokenEvent | ExchangeEvent | SharedTokenEvent | CredentialsEvent;

/** Receives every access event. It must not throw. */
export type OnAccessEvent = (event: AccessEvent) => void;
