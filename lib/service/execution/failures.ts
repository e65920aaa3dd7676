import type { Failure } from '../../contract/result.ts';

export const returnNotFound: Failure = {
  code: 'return_not_found',
  detail: 'No return has this id.',
  errors: [{ path: '/returnId', code: 'unknown', message: 'must be the id of a return' }],
};

export const withdrawalNotFound: Failure = {
  code: 'withdrawal_not_found',
  detail: 'No withdrawal has this id.',
  errors: [{ path: '/withdrawalId', code: 'unknown', message: 'must be the id of a withdrawal' }],
};

export const receiptErased: Failure = {
  code: 'receipt_erased',
  detail: 'The content of the receipt was erased with the personal data. Its hash stays in the withdrawal.',
};

/** The order is not registered; `path` is its place in the input. */
export const orderNotFound = (path: string): Failure => ({
  code: 'order_not_found',
  detail: 'The order is not registered. Register it first.',
  errors: [{ path, code: 'unknown', message: 'must be a registered order' }],
});

/** The order facts of a return are removed before the return. No command can compute its amounts without them. */
export const orderRemoved: Failure = {
  code: 'invalid_transition',
  detail: 'The order facts were removed after their retention period. Register the order again, then retry.',
};

/** An override of the statutory floor needs the scope returns:admin. */
export const overrideNeedsAdmin: Failure = {
  code: 'override_requires_admin',
  detail: 'An override of the statutory floor needs the scope returns:admin.',
  errors: [{ path: '/floorOverride', code: 'scope', message: 'needs the scope returns:admin' }],
};

/** The version in If-Match is older than the current one. */
export const versionMismatch = (
  present: number,
  of: 'return' | 'policy' | 'draft' | 'endpoint' | 'withdrawal' | 'intent' = 'return',
): Failure => ({
  code: 'version_mismatch',
  detail: `If-Match is not the version of the ${of}. Read it again and retry.`,
  errors: [{ path: 'header:If-Match', code: 'version', message: `must be "${present}", the current version` }],
});

/** The resource to replace has another version or none, or the resource to create exists. */
export const conditionFailed = (present: number): Failure => ({
  code: 'version_mismatch',
  detail: 'The resource has changed. Read it again and retry.',
  errors: [
    present === 0
      ? {
          path: 'header:If-Match',
          code: 'version',
          message: 'must be absent: the resource does not exist. Create it with If-None-Match: *',
        }
      : { path: 'header:If-Match', code: 'version', message: `must be "${present}", the current version` },
  ],
});

/** Another return has the same external reference. */
export const duplicateReturn = (returnId: string): Failure => ({
  code: 'duplicate_return',
  detail: 'A return with this external reference exists.',
  returnId,
});

/** The Idempotency-Key belongs to another request. */
export const keyReused: Failure = {
  code: 'idempotency_key_reused',
  detail: 'This Idempotency-Key was used for another request. Send a new key with a new request.',
  errors: [
    { path: 'header:Idempotency-Key', code: 'duplicate', message: 'must be a key that no other request has used' },
  ],
};

export const decisionNotFound: Failure = {
  code: 'decision_not_found',
  detail: 'No decision has this id.',
  errors: [{ path: '/decisionId', code: 'unknown', message: 'must be the id of a decision' }],
};
