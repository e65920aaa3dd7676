import type { ErrorCode } from '../errors.ts';

/** The codes that every command on a return may refuse with. */
export const ofCommands = ['return_not_found', 'invalid_transition', 'version_mismatch'] as const satisfies ErrorCode[];
