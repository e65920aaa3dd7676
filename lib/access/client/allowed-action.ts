import type { Failure } from '../../contract/result.ts';

/** A command that the return allows or does not allow now, with the code that blocks it. */
export type AllowedAction = NonNullable<Failure['allowedActions']>[number];
