/** That the condition of a write did not hold, and that a transaction was in its way. */
type Conflict = 'ConditionalCheckFailedException' | 'TransactionConflictException';

/** Whether a write of one item failed by what others write, in one of these ways. */
export const isConflict = (error: unknown, ...names: readonly Conflict[]): boolean =>
  error instanceof Error && (names as readonly string[]).includes(error.name);
