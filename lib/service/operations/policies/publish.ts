import type { Input, Output } from '../../../contract/contract.ts';
import { ifMatchHolds } from '../../../contract/if-match.ts';
import type { Call, Reply } from '../../../contract/port.ts';
import type { Failure, Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { withArchivedEvent, withPublishedEvent } from '../../../domain/events/domain-events.ts';
import { actorOf, causeOfCall } from '../../execution/event-metadata.ts';
import { execute } from '../../execution/execute.ts';
import { toMillisecondInstant } from '../../execution/observation.ts';
import { versionMismatch } from '../../execution/failures.ts';
import {
  archivePolicy,
  hasSaved,
  publishDraft,
  type PublishedVersion,
  withPolicy,
} from '../../../domain/policies/lifecycle/catalogue.ts';
import { overlappingPolicies } from '../../../domain/policies/lifecycle/in-force.ts';
import type { Instant } from '../../../domain/returns/model/order.ts';
import { policiesConfig } from '../../../runtime/configuration/config.ts';
import { configured } from '../../../runtime/container.ts';
import { policyPartition } from '../../../store/engine/keys.ts';
import { writeDomainEvent } from '../../../store/events/outbox.ts';
import { type PolicyVersion, writeCatalogue, writePolicyVersion } from '../../../store/policies/policies.ts';
import { policyView, versionView } from '../../views/policy-views.ts';
import { findingViews, checkPublishable } from './examine-policy.ts';
import {
  invalidRequest,
  type KnownPolicy,
  policyInvalid,
  readDraft,
  readKnownPolicy,
  versionPublished,
} from './known-policy.ts';

const config = configured(policiesConfig);

const secondPersonRequired: Failure = {
  code: 'second_person_required',
  detail: 'You saved a revision of this draft. Ask another person to publish it.',
};

const timeHasPassed = invalidRequest({ path: '/at', code: 'minimum', message: 'must not be in the past' });

/** Archives a policy: ends all its published versions. Changes nothing when none is in force or scheduled. */
export const archive = async (input: Input<'archive'>, call: Call): Promise<Result<Reply<Output<'archive'>>>> =>
  execute('archive', input, call, async (session) => {
    const found = await readKnownPolicy(session, input.policyId);
    if (!found.ok) return found;
    const { catalogue, policy } = found.value;
    if (!ifMatchHolds(call.ifMatch, policy.revision)) return fail(versionMismatch(policy.revision, 'policy'));
    const now = new Date().toISOString();
    const at = input.at === undefined ? now : toMillisecondInstant(input.at);
    if (at < now) return fail(timeHasPassed);
    const next = archivePolicy(policy, at, { at: now, by: actorOf(call) });
    if (next === undefined)
      return ok({ reply: { status: 200, body: policyView(policy, now), version: policy.revision }, writes: [] });
    const archived = withArchivedEvent(next, at, { ...causeOfCall(call), at: now });
    return ok({
      reply: { status: 200, body: policyView(archived.policy, now), version: archived.policy.revision },
      writes: [
        writeCatalogue(withPolicy(catalogue, archived.policy)),
        ...archived.domainEvents.map((domainEvent) => writeDomainEvent(policyPartition(policy.id), domainEvent)),
      ],
    });
  });

/** The maximum of warnings in the response: `lintDraft` returns all of them. */
const maxWarnings = 100;

/** Returns the period in which the version is in force. */
const periodOf = (
  { effectiveFrom, effectiveUntil }: Input<'publish'>,
  now: Instant,
): Result<Pick<PublishedVersion, 'effectiveFrom' | 'effectiveUntil'>> => {
  const from = effectiveFrom === undefined ? now : toMillisecondInstant(effectiveFrom);
  if (from < now)
    return fail(invalidRequest({ path: '/effectiveFrom', code: 'minimum', message: 'must not be in the past' }));
  if (effectiveUntil === undefined) return ok({ effectiveFrom: from });
  const until = toMillisecondInstant(effectiveUntil);
  return from < until
    ? ok({ effectiveFrom: from, effectiveUntil: until })
    : fail(invalidRequest({ path: '/effectiveUntil', code: 'minimum', message: 'must be after `effectiveFrom`' }));
};

/** Returns the failure when another policy of equal precedence applies to the same orders and time. */
const overlap = ({ catalogue, policy }: KnownPolicy, version: PublishedVersion): Failure | undefined => {
  const others = overlappingPolicies(catalogue, policy.id, version);
  if (others.length === 0) return undefined;
  return policyInvalid(
    'The draft would apply to the same orders at the same time as another policy.',
    others.map((other) => ({
      path: '/document/selectors',
      code: 'overlap',
      message: `"${policy.name}" must select other orders than "${other.name}" (version ${other.version}), or be narrower, or apply at another time`,
    })),
  );
};

const publishedOf = (
  { head, document }: PolicyVersion,
  period: Pick<PublishedVersion, 'effectiveFrom' | 'effectiveUntil'>,
): PublishedVersion => ({
  version: head.version,
  ...(document.selectors === undefined ? {} : { selectors: document.selectors }),
  ...(document.favorable === undefined ? {} : { favorable: document.favorable }),
  ...period,
});

/** Publishes the draft of a policy. The catalogue is written with it, so concurrent overlaps fail. */
export const publish = async (input: Input<'publish'>, call: Call): Promise<Result<Reply<Output<'publish'>>>> =>
  execute('publish', input, call, async (session) => {
    const draft = await readDraft(session, input.policyId, versionPublished);
    if (!draft.ok) return draft;
    const { catalogue, policy, known } = draft.value;
    const { revision } = known.head;
    if (!ifMatchHolds(call.ifMatch, revision)) return fail(versionMismatch(revision, 'draft'));
    const by = actorOf(call);
    if (config().fourEyes && hasSaved(known.head, by)) return fail(secondPersonRequired);
    const now = new Date().toISOString();
    const period = periodOf(input, now);
    if (!period.ok) return period;
    const examined = await checkPublishable(session, known.document);
    if (!examined.ok) return examined;
    const version = publishedOf(known, period.value);
    const clash = overlap(draft.value, version);
    if (clash !== undefined) return fail(clash);
    const cause = { ...causeOfCall(call), at: now };
    const { policy: next, domainEvents } = withPublishedEvent(publishDraft(policy, version, now), version, cause);
    const head = { ...known.head, revision: revision + 1, published: { at: now, by } };
    const published = { head, document: known.document };
    return ok({
      reply: {
        status: 200,
        body: { ...versionView(next, published, now), warnings: findingViews(examined.value.slice(0, maxWarnings)) },
        version: head.revision,
      },
      writes: [
        writeCatalogue(withPolicy(catalogue, next)),
        writePolicyVersion(published),
        ...domainEvents.map((domainEvent) => writeDomainEvent(policyPartition(policy.id), domainEvent)),
      ],
    });
  });
