const transientErrors = new Set([
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'TransactionInProgressException',
  'TransactionCanceledException',
]);

/**
 * Whether an error means that the engine is unreachable, slow or busy. The same request may succeed later. An invalid
 * request is a defect of this code instead.
 */
export const isUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error) || !('$metadata' in error)) return false;
  return !('$fault' in error && error.$fault === 'client') || transientErrors.has(error.name);
};
