import type { Failure } from '../contract/result.ts';

/** What may be done with a return instead of what was refused, and for the rest the code that blocks it. */
export type AllowedAction = NonNullable<Failure['allowedActions']>[number];
