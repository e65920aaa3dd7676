import { fail, ok, type Failure, type Result } from '../../contract/result.ts';
import { findPolicy, type Catalogue, type CataloguedPolicy } from '../../policies/life/catalogue.ts';
import { readCatalogue, readPolicyVersion, type PolicyVersion } from '../../store/policies/policies.ts';
import type { Session } from '../../store/engine/session.ts';
import { policyNotFound, versionNotFound } from './policy-failures.ts';

/** A policy, and the catalogue that it was found in. */
export type Known = { readonly catalogue: Catalogue; readonly policy: CataloguedPolicy };
type KnownVersion = Known & { readonly known: PolicyVersion };

/** Finds a policy. */
export const readKnown = async (session: Session, policyId: string): Promise<Result<Known>> => {
  const catalogue = await readCatalogue(session);
  const policy = findPolicy(catalogue, policyId);
  return policy === undefined ? fail(policyNotFound) : ok({ catalogue, policy });
};

/** Whether a version is published by one, and a draft by the other: written together, they were read apart. */
const disagree = ({ published }: CataloguedPolicy, { head }: PolicyVersion): boolean =>
  published.some(({ version }) => version === head.version) !== (head.published !== undefined);

/**
 * Finds a policy and one of its versions, as they stood together.
 *
 * @param choose which of the policy's versions, or why there is none
 */
const readTogether = async (
  session: Session,
  policyId: string,
  choose: (policy: CataloguedPolicy) => Result<number>,
): Promise<Result<KnownVersion>> => {
  for (;;) {
    const found = await readKnown(session, policyId);
    if (!found.ok) return found;
    const { policy } = found.value;
    const version = choose(policy);
    if (!version.ok) return version;
    const known = await readPolicyVersion(session, policyId, version.value);
    if (known === undefined) throw new Error(`${policyId} has no version ${version.value}`);
    if (!disagree(policy, known)) return ok({ ...found.value, known });
  }
};

/** Finds a version of a policy. */
export const readKnownVersion = async (
  session: Session,
  policyId: string,
  version: number,
): Promise<Result<KnownVersion>> =>
  readTogether(session, policyId, ({ latest }) =>
    version <= latest ? ok(version) : fail(versionNotFound('/version', latest)),
  );

/** Finds the draft of a policy; `none` says why that there is none is a refusal. */
export const readDraft = async (session: Session, policyId: string, none: Failure): Promise<Result<KnownVersion>> =>
  readTogether(session, policyId, ({ draft, latest }) => (draft ? ok(latest) : fail(none)));
