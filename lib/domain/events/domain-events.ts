import type { CataloguedPolicy, PublishedVersion } from '../policies/lifecycle/catalogue.ts';
import { findSuperseded, markSuperseded } from '../policies/lifecycle/in-force.ts';
import type { ActorUser } from '../returns/model/actor.ts';
import type { Instant } from '../returns/model/order.ts';
import type { Status } from '../returns/model/status.ts';

/**
 * A domain event, in the order of its stream. It is an entry of a return's history, or an event of a policy, an
 * endpoint or a job. Its row is the outbox.
 */
export type DomainEvent = {
  /** Increases from one event of a stream to the next. */
  readonly sequence: number;
  /** The name in the contract, such as `return.approved`. */
  readonly type: string;
  readonly at: Instant;
  /** Neither the person that a client acts for nor the name of a user. */
  readonly actor: { readonly clientId: string; readonly user?: ActorUser };
  readonly data: object;
  readonly causationId: string;
  readonly correlationId: string;
  /** Only of a return. */
  readonly from?: Status | null;
  readonly to?: Status;
  readonly policyVersion?: string | null;
};

/** The metadata of a policy's event. */
export type PolicyEventMetadata = Pick<DomainEvent, 'at' | 'actor' | 'causationId' | 'correlationId'>;

/** A policy, and its new events. Both are written together. */
export type PolicyEventsPayload = { readonly policy: CataloguedPolicy; readonly domainEvents: readonly DomainEvent[] };

type PolicyEventContent = Pick<DomainEvent, 'type' | 'data'>;

/** The maximum of events at once, so that they fit a transaction. */
const maxEventsAtOnce = 20;

/**
 * Numbers events by a sequence of the policy, not by its revision. An event of a schedule does not change the policy
 * for callers, so it must not invalidate their If-Match.
 */
const withDomainEvents = (
  policy: CataloguedPolicy,
  newEvents: readonly PolicyEventContent[],
  cause: PolicyEventMetadata,
): PolicyEventsPayload => {
  const before = policy.happened ?? 0;
  return {
    policy: newEvents.length === 0 ? policy : { ...policy, happened: before + newEvents.length },
    domainEvents: newEvents.map((newEvent, index) => ({ ...newEvent, ...cause, sequence: before + index + 1 })),
  };
};

const supersededEvents = (
  policy: CataloguedPolicy,
  now: Instant,
): { policy: CataloguedPolicy; newEvents: readonly PolicyEventContent[] } => {
  const superseded = findSuperseded(policy, now).slice(0, maxEventsAtOnce);
  return {
    policy: markSuperseded(policy, superseded),
    newEvents: superseded.map(({ version, by, at }) => ({
      type: 'policy.superseded',
      data: { policyId: policy.id, version, supersededBy: by, effectiveUntil: at },
    })),
  };
};

/** Returns a policy after a publication, with its events, including those of superseded versions. */
export const withPublishedEvent = (
  policy: CataloguedPolicy,
  { version, effectiveFrom, effectiveUntil }: PublishedVersion,
  cause: PolicyEventMetadata,
): PolicyEventsPayload => {
  const { id: policyId, name } = policy;
  const data = { policyId, name, version, effectiveFrom, ...(effectiveUntil !== undefined && { effectiveUntil }) };
  const { policy: next, newEvents } = supersededEvents(policy, cause.at);
  return withDomainEvents(next, [{ type: 'policy.published', data }, ...newEvents], cause);
};

/** Returns a policy that ends at a time, with the event. */
export const withArchivedEvent = (
  policy: CataloguedPolicy,
  archivedFrom: Instant,
  cause: PolicyEventMetadata,
): PolicyEventsPayload => {
  const { id: policyId, name } = policy;
  return withDomainEvents(policy, [{ type: 'policy.archived', data: { policyId, name, archivedFrom } }], cause);
};

/** Returns a policy with the events of versions that superseded others with time; no events without such versions. */
export const withSupersededEvents = (policy: CataloguedPolicy, cause: PolicyEventMetadata): PolicyEventsPayload => {
  const { policy: next, newEvents } = supersededEvents(policy, cause.at);
  return withDomainEvents(next, newEvents, cause);
};
