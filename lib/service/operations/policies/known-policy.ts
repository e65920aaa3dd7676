import type { FieldError } from '../../../contract/errors.ts';
import type { Failure, Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { type Catalogue, type CataloguedPolicy, findPolicy } from '../../../domain/policies/lifecycle/catalogue.ts';
import type { Session } from '../../../store/engine/session.ts';
import { type PolicyVersion, readCatalogue, readPolicyVersion } from '../../../store/policies/policies.ts';

const policyNotFound: Failure = {
  code: 'policy_not_found',
  detail: 'No policy has this id.',
  errors: [{ path: '/policyId', code: 'unknown', message: 'must be the id of a policy' }],
};

/** The failure for a version that does not exist; `path` is its place in the input. */
export const versionNotFound = (path: string, latest: number): Failure => ({
  code: 'policy_version_not_found',
  detail: 'The policy has no version with this number.',
  errors: [{ path, code: 'unknown', message: `must be a version of the policy: 1 to ${latest}` }],
});

/** The failure to read a draft that does not exist. */
export const noDraft: Failure = {
  code: 'policy_version_not_found',
  detail: 'The policy has no draft.',
  errors: [{ path: '/policyId', code: 'unknown', message: 'must be a policy with a draft' }],
};

/** The failure to change or publish a draft that does not exist. */
export const versionPublished: Failure = {
  code: 'version_published',
  detail: 'The newest version is published and cannot change. Create the next draft with If-None-Match: *.',
};

/** The failure to create a second draft. */
export const draftExists = (version: number): Failure => ({
  code: 'version_mismatch',
  detail: `The policy already has a draft, version ${version}. Save it with If-Match.`,
  errors: [{ path: 'header:If-None-Match', code: 'version', message: 'must be absent while the policy has a draft' }],
});

export const policyInvalid = (detail: string, errors: readonly FieldError[]): Failure => ({
  code: 'policy_invalid',
  detail,
  errors,
});

export const invalidRequest = (...errors: readonly FieldError[]): Failure => ({
  code: 'invalid_request',
  detail: 'The request is invalid.',
  errors,
});

/** A policy, and the catalogue that it was found in. */
export type KnownPolicy = { readonly catalogue: Catalogue; readonly policy: CataloguedPolicy };
type KnownVersion = KnownPolicy & { readonly known: PolicyVersion };

export const readKnownPolicy = async (session: Session, policyId: string): Promise<Result<KnownPolicy>> => {
  const catalogue = await readCatalogue(session);
  const policy = findPolicy(catalogue, policyId);
  return policy === undefined ? fail(policyNotFound) : ok({ catalogue, policy });
};

/** Returns whether catalogue and version disagree on the publication. They are written together but read apart. */
const isInconsistent = ({ published }: CataloguedPolicy, { head }: PolicyVersion): boolean =>
  published.some(({ version }) => version === head.version) !== (head.published !== undefined);

/**
 * Reads a policy and one of its versions in a consistent state.
 *
 * @param choose returns the version to read, or the failure
 */
const readConsistent = async (
  session: Session,
  policyId: string,
  choose: (policy: CataloguedPolicy) => Result<number>,
): Promise<Result<KnownVersion>> => {
  for (;;) {
    const found = await readKnownPolicy(session, policyId);
    if (!found.ok) return found;
    const { policy } = found.value;
    const version = choose(policy);
    if (!version.ok) return version;
    const known = await readPolicyVersion(session, policyId, version.value);
    if (known === undefined) throw new Error(`${policyId} has no version ${version.value}`);
    if (!isInconsistent(policy, known)) return ok({ ...found.value, known });
  }
};

/** Finds a version of a policy. */
export const readKnownVersion = async (
  session: Session,
  policyId: string,
  version: number,
): Promise<Result<KnownVersion>> =>
  readConsistent(session, policyId, ({ latest }) =>
    version <= latest ? ok(version) : fail(versionNotFound('/version', latest)),
  );

/** Finds the draft of a policy; `none` is the failure when it has none. */
export const readDraft = async (session: Session, policyId: string, none: Failure): Promise<Result<KnownVersion>> =>
  readConsistent(session, policyId, ({ draft, latest }) => (draft ? ok(latest) : fail(none)));
