import type { Stage } from './secret.ts';

/** Why a secret is read: no value yet, the cached value is due, or the cached value failed. */
export type ReadCause = 'first' | 'due' | 'forced';

/** An event of a secret source. `outcome` is `ok` or the name of the failure. */
export type SecretEvent =
  | {
      readonly type: 'secret read';
      readonly stage: Stage;
      readonly cause: ReadCause;
      readonly outcome: string;
      readonly ms: number;
      readonly versionId?: string;
      /** Whether the version differs from the cached one. */
      readonly changed: boolean;
    }
  /** A forced read less than 10 s after another one: the cached value is used. */
  | { readonly type: 'secret read throttled'; readonly stage: Stage }
  | {
      readonly type: 'last known good secret used';
      readonly stage: Stage;
      readonly reason: string;
      readonly versionId: string;
    };
