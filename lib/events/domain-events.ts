import type { CataloguedPolicy, PublishedVersion } from '../policies/life/catalogue.ts';
import { findSuperseded, markSuperseded } from '../policies/life/in-force.ts';
import type { Instant } from '../returns/model/order.ts';
import type { Status } from '../returns/model/status.ts';

/**
 * Something that happened to a subject, in its place in the order of what happened to that: an entry of a return's history,
 * or what a policy, an endpoint or a job has to tell. The row that keeps it is the outbox.
 */
export type DomainEvent = {
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
export type PolicyEventMetadata = Pick<DomainEvent, 'at' | 'actor' | 'causationId' | 'correlationId'>;

/** A policy, and what is to be told of it: both are written together. */
export type PolicyEventsPayload = { readonly policy: CataloguedPolicy; readonly domainEvents: readonly DomainEvent[] };

type PolicyEventContent = Pick<DomainEvent, 'type' | 'data'>;

/** As many are told at once, so that they fit into a transaction. */
const maxEventsAtOnce = 20;

/**
 * Numbers follow one another in the policy itself, and not from its revision: what a schedule tells of changes nothing that
 * a caller could have seen, whose If-Match would fail for it.
 */
const withDomainEvents = (
  policy: CataloguedPolicy,
  news: readonly PolicyEventContent[],
  cause: PolicyEventMetadata,
): PolicyEventsPayload => {
  const before = policy.happened ?? 0;
  return {
    policy: news.length === 0 ? policy : { ...policy, happened: before + news.length },
    domainEvents: news.map((one, index) => ({ ...one, ...cause, sequence: before + index + 1 })),
  };
};

const supersededEvents = (
  policy: CataloguedPolicy,
  now: Instant,
): { policy: CataloguedPolicy; news: readonly PolicyEventContent[] } => {
  const told = findSuperseded(policy, now).slice(0, maxEventsAtOnce);
  return {
    policy: markSuperseded(policy, told),
    news: told.map(({ version, by, at }) => ({
      type: 'policy.superseded',
      data: { policyId: policy.id, version, supersededBy: by, effectiveUntil: at },
    })),
  };
};

/** A policy of which a version was just published, and what that tells: also of those whose place it has taken by now. */
export const withPublishedEvent = (
  policy: CataloguedPolicy,
  { version, effectiveFrom, effectiveUntil }: PublishedVersion,
  cause: PolicyEventMetadata,
): PolicyEventsPayload => {
  const { id: policyId, name } = policy;
  const data = { policyId, name, version, effectiveFrom, ...(effectiveUntil !== undefined && { effectiveUntil }) };
  const { policy: next, news } = supersededEvents(policy, cause.at);
  return withDomainEvents(next, [{ type: 'policy.published', data }, ...news], cause);
};

/** A policy that ends at a time, with what is published of it. */
export const withArchivedEvent = (
  policy: CataloguedPolicy,
  archivedFrom: Instant,
  cause: PolicyEventMetadata,
): PolicyEventsPayload => {
  const { id: policyId, name } = policy;
  return withDomainEvents(policy, [{ type: 'policy.archived', data: { policyId, name, archivedFrom } }], cause);
};

/** A policy of which versions have taken the place of others as time went by; no happenings where nothing is to be told. */
export const withSupersededEvents = (policy: CataloguedPolicy, cause: PolicyEventMetadata): PolicyEventsPayload => {
  const { policy: next, news } = supersededEvents(policy, cause.at);
  return withDomainEvents(next, news, cause);
};
