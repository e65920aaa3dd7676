import type { AgentEvent } from '../net/agent.ts';
import type { SecretEvent } from '../secrets/secret-event.ts';
import type { Stage } from '../secrets/secret.ts';
import type { AccessErrorKind } from './access-error.ts';
import type { CertificateRejection } from './certificate-rejection.ts';

/**
 * `fresh`: age < R; `soft`: a refresh runs beside; `backing_off`: past R, none may run; `spent`: no time for one;
 * `superseded`: of credentials that were replaced, while one is obtained with theirs.
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
      readonly type: 'token flight';
      readonly action: 'started' | 'joined';
      /** Whether a call waits for it, or has an older token meanwhile. */
      readonly beside: boolean;
      readonly reason: 'no token' | 'token too old' | 'token of other credentials' | 'token ageing';
    }
  /** An attempt has failed; another begins on a new connection. */
  | { readonly type: 'token request repeated'; readonly kind: AccessErrorKind; readonly reason: string }
  | { readonly type: 'token waited for'; readonly ms: number; readonly outcome: 'ok' | AccessErrorKind }
  | {
      readonly type: 'token request ended';
      readonly outcome: 'ok' | AccessErrorKind;
      readonly reason?: string;
      readonly ms: number;
      /** Requests that were sent. */
      readonly attempts: number;
      readonly lifetimeMs?: number;
    }
  /** A flight has failed: how long the token endpoint is left alone. */
  | {
      readonly type: 'no token obtained';
      readonly kind: AccessErrorKind;
      readonly reason: string;
      readonly retryAfterMs: number;
    }
  | { readonly type: 'refresh ended with the invocation'; readonly ms: number }
  | {
      readonly type: 'API said 401';
      readonly action: 'token replaced' | 'another token held' | 'token replaced just now' | 'given up';
    };

/** Connections that had rested left a request without an answer for half of its time: another attempt gets new ones. */
type ExchangeEvent = { readonly type: 'rested connections given up'; readonly ms: number };

/** What was found where a token is kept for all containers. */
type SharedTokenEvent = {
  readonly type: 'shared token';
  /** `used`, or in one word why not: that of the read, or of what was read. */
  readonly outcome: string;
  /** Of one that is used. */
  readonly ageMs?: number;
};

type CredentialsEvent =
  | {
      readonly type: 'client secret in use is not the current one';
      readonly stage: Stage;
      readonly versionId: string;
    }
  /** A version that was not tried: `refused` within the last 60 s, or what is wrong with it. */
  | { readonly type: 'client secret not tried'; readonly reason: string; readonly versionId: string }
  | { readonly type: 'every client secret refused'; readonly tries: number; readonly retryAfterMs: number }
  | {
      readonly type: 'new version of the client secret not used';
      readonly reason: string;
      readonly versionId: string;
    }
  | {
      readonly type: 'client certificate adopted';
      /** Whether it takes another one's place. */
      readonly swapped: boolean;
      readonly versionId: string;
      /** Whole days until it expires; missing when the connections have none. */
      readonly daysLeft?: number;
    }
  | {
      readonly type: 'client certificate kept back';
      readonly stage: Stage;
      readonly reason: string;
      readonly versionId: string;
    }
  | {
      readonly type: 'client certificate refused by the API';
      readonly refusal: CertificateRejection;
      readonly versionId: string;
    }
  | { readonly type: 'client certificate in use has expired'; readonly versionId: string };

/**
 * What the way to the API decided, and why. Each holds codes, counts and milliseconds only: nothing of it is secret, so
 * that it can be logged as it is. Its `type` is what a log line says.
 */
export type AccessEvent = AgentEvent | SecretEvent | TokenEvent | ExchangeEvent | SharedTokenEvent | CredentialsEvent;

/** Hears of every decision, as it is made. It must not throw. */
export type OnAccessEvent = (decision: AccessEvent) => void;
