import type { Stage } from './secret.ts';

/** Why Secrets Manager is asked: nothing was read yet, the value at hand is old, or it did not work. */
export type ReadCause = 'first' | 'due' | 'forced';

/** What a secret source decided, for whoever watches. `outcome` is `ok` or the name of what went wrong. */
export type SecretEvent =
  | {
      readonly type: 'secret read';
      readonly stage: Stage;
      readonly cause: ReadCause;
      readonly outcome: string;
      readonly ms: number;
      readonly versionId?: string;
      /** Whether it is another version than the one known before. */
      readonly changed: boolean;
    }
  /** Asked for though not due, less than 10 s after another such: the value at hand has to do. */
  | { readonly type: 'secret read denied'; readonly stage: Stage }
  | {
      readonly type: 'last known good secret served';
      readonly stage: Stage;
      readonly reason: string;
      readonly versionId: string;
    };
