import type { Instant } from '../../returns/model/order.ts';
import { compareInstants } from '../time/calendar.ts';
import { type Catalogue, type CataloguedPolicy, everDecides, isInForce, type PublishedVersion } from './catalogue.ts';
import { type SelectionFacts, selects, specificity } from './selection.ts';

/** A version that has ended, and the one that decides in its place. */
type SupersededVersion = { readonly version: number; readonly by: number; readonly at: Instant };

/** The version that decides once this one does not, if that time has come; one that was archived has no successor. */
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
 * What has been superseded by now and nobody was told of, in the order of time. A version is superseded when it ends and
 * another one of its policy decides from then on: also one that never began, because another came before it.
 */
export const findSuperseded = (policy: CataloguedPolicy, now: Instant): readonly SupersededVersion[] =>
  policy.published
    .filter(({ supersededBy }) => supersededBy === undefined)
    .flatMap((version) => successorOf(policy, version, now) ?? [])
    .toSorted((a, b) => (a.at < b.at ? -1 : 1));

/** The policy once that was told. */
export const markSuperseded = <Policy extends Pick<CataloguedPolicy, 'published'>>(
  policy: Policy,
  told: readonly SupersededVersion[],
): Policy => {
  const byVersion = new Map(told.map(({ version, by }) => [version, by]));
  const published = policy.published.map((one) => {
    const supersededBy = byVersion.get(one.version);
    return supersededBy === undefined ? one : { ...one, supersededBy };
  });
  return { ...policy, published };
};

/** A version of a policy that may decide. */
export type Candidate = { readonly policyId: string; readonly version: number };

type PublishedCandidate = Candidate & { readonly published: PublishedVersion };

/** The narrowest first; there are no two of the same width, but a store could say otherwise. */
const outranks = (a: PublishedCandidate, b: PublishedCandidate): number =>
  specificity(b.published.selectors) - specificity(a.published.selectors) || (a.policyId < b.policyId ? -1 : 1);

const versionAt = (versions: readonly PublishedCandidate[], time: Instant): PublishedCandidate | undefined =>
  versions.filter(({ published }) => isInForce(published, time)).toSorted(outranks)[0];

/** When the first of them came into force, of those that came since a time and by now. */
const firstSince = (versions: readonly PublishedCandidate[], since: Instant, now: Instant): Instant | undefined =>
  versions
    .map(({ published }) => published.effectiveFrom)
    .filter((from) => compareInstants(from, since) > 0 && compareInstants(from, now) <= 0)
    .toSorted()[0];

const toCandidate = ({ policyId, version }: PublishedCandidate): Candidate => ({ policyId, version });

/**
 * Which version of which policy decides for an order: the narrowest of those that were in force when it was placed. Where
 * there was none, the first that came since; where nobody knows when it was placed, the one of now. Behind it stands the
 * one of now, if that is another and is to decide for older orders too, where it is better for the customer.
 *
 * @returns none, one or two: the one that decides first
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
  const past = versionAt(versions, placedAt) ?? (since === undefined ? undefined : versionAt(versions, since));
  const better = present?.published.favorable === true && present !== past ? [present] : [];
  return [...(past === undefined ? [] : [past]), ...better].map(toCandidate);
};
