import type { Failure } from '../contract/result.ts';

export const returnNotFound: Failure = {
  code: 'return_not_found',
  detail: 'No such return.',
  errors: [{ path: '/returnId', code: 'unknown', message: 'must be the id of a return' }],
};

/** No such order, as the input names it at `path`. */
export const orderNotFound = (path: string): Failure => ({
  code: 'order_not_found',
  detail: 'No such order: register it first.',
  errors: [{ path, code: 'unknown', message: 'must be a registered order' }],
});

/** A return outlives the facts of its order, which are removed in time: without them no command can tell what it comes to. */
export const orderRemoved: Failure = {
  code: 'invalid_transition',
  detail: 'The facts of its order were removed after their retention time. Register the order again, then retry.',
};

/** Only an admin goes below what the law gives the customer. */
export const overrideNeedsAdmin: Failure = {
  code: 'override_requires_admin',
  detail: 'Only an admin goes below what the law gives the customer.',
  errors: [{ path: '/floorOverride', code: 'scope', message: 'needs the scope returns:admin' }],
};

/** The caller saw an older version than the present one. */
export const versionMismatch = (
  present: number,
  of: 'return' | 'policy' | 'draft' | 'endpoint' = 'return',
): Failure => ({
  code: 'version_mismatch',
  detail: `The ${of} has changed since; read it again.`,
  errors: [{ path: 'header:If-Match', code: 'version', message: `must be "${present}", the present version` }],
});

/** What was to be replaced has another version, or none; what was to be created has one. */
export const conditionFailed = (present: number): Failure => ({
  code: 'version_mismatch',
  detail: 'It is not as the request expects it; read it again.',
  errors: [
    present === 0
      ? {
          path: 'header:If-Match',
          code: 'version',
          message: 'must not be there: If-None-Match: * creates what has no version',
        }
      : { path: 'header:If-Match', code: 'version', message: `must be "${present}", the present version` },
  ],
});

/** Another return has an external reference already. */
export const duplicateReturn = (returnId: string): Failure => ({
  code: 'duplicate_return',
  detail: 'A return has this external reference already.',
  returnId,
});

/** The key of another request. */
export const keyReused: Failure = {
  code: 'idempotency_key_reused',
  detail: 'This Idempotency-Key was used for another request; a new request needs a key of its own.',
};

export const decisionNotFound: Failure = {
  code: 'decision_not_found',
  detail: 'No such decision.',
  errors: [{ path: '/decisionId', code: 'unknown', message: 'must be the id of a decision' }],
};
