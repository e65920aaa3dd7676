const transientErrors = new Set([
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'TransactionInProgressException',
  'TransactionCanceledException',
]);

/**
 * Whether an error says that the engine is out of reach, slow or busy, so that the same request may succeed later. A
 * fault of the request itself is not: it is a defect of ours.
 */
export const isUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error) || !('$metadata' in error)) return false;
  return !('$fault' in error && error.$fault === 'client') || transientErrors.has(error.name);
};
