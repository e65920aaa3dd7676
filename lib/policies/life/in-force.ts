import type { Instant } from '../../returns/model/order.ts';
import { compareInstants } from '../time/calendar.ts';
import { type Catalogue, type CataloguedPolicy, everDecides, isInForce, type PublishedVersion } from './catalogue.ts';
import { type SelectionFacts, selects, specificity } from './selection.ts';

/** A version that has ended, and its successor. */
type SupersededVersion = { readonly version: number; readonly by: number; readonly at: Instant };

/** Returns the version that follows this one, if its time has come. An archived version has no successor. */
const successorOf = (
  { published }: Pick<CataloguedPolicy, 'published'>,
  { version, effectiveUntil, archived }: PublishedVersion,
  now: Instant,
): SupersededVersion | undefined => {
  if (effectiveUntil === undefined || effectiveUntil > now || archived !== undefined) return undefined;
  const by = published.find((other) => other.version !== version && isInForce(other, effectiveUntil));
  return by === undefined ? undefined : { version, by: by.version, at: effectiveUntil };
};

/**
 * Returns the superseded versions without a policy superseded event, in order of time.
 * A version is superseded when another version of its policy follows it. This includes a version that never came into
 * force because of an earlier start of another one.
 */
export const findSuperseded = (policy: CataloguedPolicy, now: Instant): readonly SupersededVersion[] =>
  policy.published
    .filter(({ supersededBy }) => supersededBy === undefined)
    .flatMap((version) => successorOf(policy, version, now) ?? [])
    .toSorted((a, b) => (a.at < b.at ? -1 : 1));

/** Marks versions as superseded, once the events are emitted. */
export const markSuperseded = <Policy extends Pick<CataloguedPolicy, 'published'>>(
  policy: Policy,
  superseded: readonly SupersededVersion[],
): Policy => {
  const byVersion = new Map(superseded.map(({ version, by }) => [version, by]));
  const published = policy.published.map((one) => {
    const supersededBy = byVersion.get(one.version);
    return supersededBy === undefined ? one : { ...one, supersededBy };
  });
  return { ...policy, published };
};

/** A version of a policy that may decide. */
export type Candidate = { readonly policyId: string; readonly version: number };

type PublishedCandidate = Candidate & { readonly published: PublishedVersion };

/** Sorts the most specific version first. Two are never equal, unless the store is inconsistent. */
const outranks = (a: PublishedCandidate, b: PublishedCandidate): number =>
  specificity(b.published.selectors) - specificity(a.published.selectors) || (a.policyId < b.policyId ? -1 : 1);

const versionAt = (versions: readonly PublishedCandidate[], time: Instant): PublishedCandidate | undefined =>
  versions.filter(({ published }) => isInForce(published, time)).toSorted(outranks)[0];

/** Returns when the first version came into force after a time, until now. */
const firstSince = (versions: readonly PublishedCandidate[], since: Instant, now: Instant): Instant | undefined =>
  versions
    .map(({ published }) => published.effectiveFrom)
    .filter((from) => compareInstants(from, since) > 0 && compareInstants(from, now) <= 0)
    .toSorted()[0];

const toCandidate = ({ policyId, version }: PublishedCandidate): Candidate => ({ policyId, version });

/**
 * Returns the versions that decide for an order. The first one is the most specific version in force when the order was
 * placed. Without one, it is the first version that came into force since. When the order time is unknown, it is the
 * present version. The present version follows as a second one, if it is favorable and differs. It applies to older
 * orders where it is better for the customer.
 *
 * @returns none, one or two versions; the first one decides
 */
export const versionsInForce = (
  { policies }: Catalogue,
  order: SelectionFacts & { readonly placedAt?: Instant },
  now: Instant,
): readonly Candidate[] => {
  const versions = policies.flatMap(({ id, published }) =>
    published
      .filter((version) => everDecides(version) && selects(version.selectors, order))
      .map((version): PublishedCandidate => ({ policyId: id, version: version.version, published: version })),
  );
  const present = versionAt(versions, now);
  const { placedAt } = order;
  if (placedAt === undefined || compareInstants(placedAt, now) > 0)
    return present === undefined ? [] : [toCandidate(present)];
  const since = firstSince(versions, placedAt, now);
  const original = versionAt(versions, placedAt) ?? (since === undefined ? undefined : versionAt(versions, since));
  const better = present?.published.favorable === true && present !== original ? [present] : [];
  return [...(original === undefined ? [] : [original]), ...better].map(toCandidate);
};
