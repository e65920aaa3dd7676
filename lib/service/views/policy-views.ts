import type { Output } from '../../contract/contract.ts';
import {
  type CataloguedPolicy,
  isInForce,
  shadowedDraft,
  type VersionHead,
  versionStatus,
} from '../../domain/policies/lifecycle/catalogue.ts';
import type { Instant } from '../../domain/returns/model/order.ts';
import type { Refund } from '../../domain/returns/model/refund.ts';
import type { PolicyVersion } from '../../store/policies/policies.ts';

/** Makes the wire form of a refund. Ids have the names that they have in paths. */
export const refundView = (recorded: Refund) => {
  const { id, settledBy, external = settledBy, request: _, ...refund } = recorded;
  return {
    refundId: id,
    ...refund,
    ...(external !== undefined && { external: { platform: external.platform, externalId: external.id } }),
  };
};

/** Makes the wire form of a policy. */
export const policyView = (policy: CataloguedPolicy, now: Instant): Output<'getPolicy'> => {
  const { id, name, revision, latest, createdAt, updatedAt } = policy;
  const inForce = policy.published.find((version) => isInForce(version, now))?.version;
  return {
    policyId: id,
    name,
    revision,
    latest,
    ...(policy.draft ? { draft: latest } : {}),
    ...(inForce === undefined ? {} : { inForce }),
    createdAt,
    updatedAt,
  };
};

/** Makes the wire form of a version without its document. The policy has its period. */
export const versionSummary = (
  policy: CataloguedPolicy,
  stored: VersionHead,
  now: Instant,
): Output<'listVersions'>['items'][number] => {
  const { published, savedBy: _, ...head } = stored;
  const { effectiveFrom, effectiveUntil, archived } =
    policy.published.find(({ version }) => version === head.version) ?? {};
  return {
    ...head,
    status: versionStatus(policy, head.version, now),
    ...(shadowedDraft(policy) === head.version ? { shadowed: true } : {}),
    ...(published === undefined ? {} : { publishedAt: published.at, publishedBy: published.by }),
    ...(effectiveFrom === undefined ? {} : { effectiveFrom }),
    ...(effectiveUntil === undefined ? {} : { effectiveUntil }),
    ...(archived === undefined ? {} : { archivedAt: archived.at, archivedBy: archived.by }),
  };
};

/** Makes the wire form of a version with its document. */
export const versionView = (
  policy: CataloguedPolicy,
  { head, document }: PolicyVersion,
  now: Instant,
): Output<'getVersion'> => ({ ...versionSummary(policy, head, now), document });
