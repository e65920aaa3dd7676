import type { FieldError } from '../../contract/errors.ts';
import type { Failure } from '../../contract/result.ts';

export const policyNotFound: Failure = {
  code: 'policy_not_found',
  detail: 'No such policy.',
  errors: [{ path: '/policyId', code: 'unknown', message: 'must be the id of a policy' }],
};

/** The policy has no such version, as the input names it at `path`. */
export const versionNotFound = (path: string, latest: number): Failure => ({
  code: 'policy_version_not_found',
  detail: 'No such version of this policy.',
  errors: [{ path, code: 'unknown', message: `must be a version of the policy: 1 to ${latest}` }],
});

/** There is no draft to look at. */
export const noDraft: Failure = {
  code: 'policy_version_not_found',
  detail: 'The policy has no draft.',
  errors: [{ path: '/policyId', code: 'unknown', message: 'must be a policy with a draft' }],
};

/** There is no draft to change or to publish. */
export const versionPublished: Failure = {
  code: 'version_published',
  detail: 'The newest version is published, and never changes: begin the next one as a draft, with If-None-Match: *.',
};

/** Somebody has begun the next version already. */
export const draftExists = (version: number): Failure => ({
  code: 'version_mismatch',
  detail: `There is a draft already, version ${version}: save it with If-Match.`,
  errors: [{ path: 'header:If-None-Match', code: 'version', message: 'must not be sent while there is a draft' }],
});

export const policyInvalid = (detail: string, errors: readonly FieldError[]): Failure => ({
  code: 'policy_invalid',
  detail,
  errors,
});

export const invalidRequest = (...errors: readonly FieldError[]): Failure => ({
  code: 'invalid_request',
  detail: 'The request cannot be done as it is.',
  errors,
});
