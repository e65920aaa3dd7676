import type { CataloguedPolicy, PublishedVersion } from '../policies/life/catalogue.ts';
import { untoldSuccessions, withSuccessions } from '../policies/life/in-force.ts';
import type { Instant } from '../returns/model/order.ts';
import type { Status } from '../returns/model/status.ts';

/**
 * Something that happened to a subject, in its place in the order of what happened to that: an entry of a return's history,
 * or what a policy, an endpoint or a job has to tell. The row that keeps it is the outbox.
 */
export type Happening = {
  /** Grows from one happening of a subject to the next. */
  readonly sequence: number;
  /** As the contract names it, such as `return.approved`. */
  readonly type: string;
  readonly at: Instant;
  /** The client alone: whom it acts for may be a person. */
  readonly actor: { readonly clientId: string };
  readonly data: object;
  readonly causationId: string;
  readonly correlationId: string;
  /** Of a return alone. */
  readonly from?: Status | null;
  readonly to?: Status;
  readonly policyVersion?: string | null;
};

/** What surrounds what happens to a policy. */
export type PolicyCause = Pick<Happening, 'at' | 'actor' | 'causationId' | 'correlationId'>;

/** A policy, and what is to be told of it: both are written together. */
export type Told = { readonly policy: CataloguedPolicy; readonly happenings: readonly Happening[] };

type News = Pick<Happening, 'type' | 'data'>;

/** As many are told at once, so that they fit into a transaction. */
const maxAtOnce = 20;

/**
 * Numbers follow one another in the policy itself, and not from its revision: what a schedule tells of changes nothing that
 * a caller could have seen, whose If-Match would fail for it.
 */
const tell = (policy: CataloguedPolicy, news: readonly News[], cause: PolicyCause): Told => {
  const before = policy.happened ?? 0;
  return {
    policy: news.length === 0 ? policy : { ...policy, happened: before + news.length },
    happenings: news.map((one, index) => ({ ...one, ...cause, sequence: before + index + 1 })),
  };
};

const superseded = (policy: CataloguedPolicy, now: Instant): { policy: CataloguedPolicy; news: readonly News[] } => {
  const told = untoldSuccessions(policy, now).slice(0, maxAtOnce);
  return {
    policy: withSuccessions(policy, told),
    news: told.map(({ version, by, at }) => ({
      type: 'policy.superseded',
      data: { policyId: policy.id, version, supersededBy: by, effectiveUntil: at },
    })),
  };
};

/** A policy of which a version was just published, and what that tells: also of those whose place it has taken by now. */
export const tellPublished = (
  policy: CataloguedPolicy,
  { version, effectiveFrom, effectiveUntil }: PublishedVersion,
  cause: PolicyCause,
): Told => {
  const { id: policyId, name } = policy;
  const data = { policyId, name, version, effectiveFrom, ...(effectiveUntil !== undefined && { effectiveUntil }) };
  const { policy: next, news } = superseded(policy, cause.at);
  return tell(next, [{ type: 'policy.published', data }, ...news], cause);
};

/** A policy that ends at a time, with what is published of it. */
export const tellArchived = (policy: CataloguedPolicy, archivedFrom: Instant, cause: PolicyCause): Told => {
  const { id: policyId, name } = policy;
  return tell(policy, [{ type: 'policy.archived', data: { policyId, name, archivedFrom } }], cause);
};

/** A policy of which versions have taken the place of others as time went by; no happenings where nothing is to be told. */
export const tellSuperseded = (policy: CataloguedPolicy, cause: PolicyCause): Told => {
  const { policy: next, news } = superseded(policy, cause.at);
  return tell(next, news, cause);
};
