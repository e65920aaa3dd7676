import type { FieldError } from '../../contract/errors.ts';
import { fail, type Failure, ok, type Result } from '../../contract/result.ts';
import { type Catalogue, type CataloguedPolicy, findPolicy } from '../../policies/life/catalogue.ts';
import type { Session } from '../../store/engine/session.ts';
import { type PolicyVersion, readCatalogue, readPolicyVersion } from '../../store/policies/policies.ts';

const policyNotFound: Failure = {
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

/** A policy, and the catalogue that it was found in. */
export type KnownPolicy = { readonly catalogue: Catalogue; readonly policy: CataloguedPolicy };
type KnownVersion = KnownPolicy & { readonly known: PolicyVersion };

/** Finds a policy. */
export const readKnownPolicy = async (session: Session, policyId: string): Promise<Result<KnownPolicy>> => {
  const catalogue = await readCatalogue(session);
  const policy = findPolicy(catalogue, policyId);
  return policy === undefined ? fail(policyNotFound) : ok({ catalogue, policy });
};

/** Whether a version is published by one, and a draft by the other: written together, they were read apart. */
const isInconsistent = ({ published }: CataloguedPolicy, { head }: PolicyVersion): boolean =>
  published.some(({ version }) => version === head.version) !== (head.published !== undefined);

/**
 * Finds a policy and one of its versions, as they stood together.
 *
 * @param choose which of the policy's versions, or why there is none
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

/** Finds the draft of a policy; `none` says why that there is none is a refusal. */
export const readDraft = async (session: Session, policyId: string, none: Failure): Promise<Result<KnownVersion>> =>
  readConsistent(session, policyId, ({ draft, latest }) => (draft ? ok(latest) : fail(none)));
