import {
  everDecides,
  type Catalogue,
  type Period,
  type CataloguedPolicy,
  isInForce,
  type PublishedVersion,
} from './catalogue.ts';
import type { Selectors } from '../policy.ts';
import type { Instant } from '../../returns/model/order.ts';
import { compareInstants } from '../time/calendar.ts';

/** The facts of an order that selectors use. Unknown fields are absent. */
export type SelectionFacts = {
  readonly country?: string;
  readonly channel?: string;
  readonly segment?: string;
  readonly market?: string;
  readonly seller?: string;
};

/** Returns the facts that selectors use, as far as they are known. */
export const selectionFactsOf = (order: {
  readonly [Name in keyof SelectionFacts]: string | undefined;
}): SelectionFacts => Object.fromEntries(Object.entries(order).filter(([, value]) => value !== undefined));

const dimensions = [
  ['countries', 'country'],
  ['channels', 'channel'],
  ['segments', 'segment'],
  ['markets', 'market'],
  ['sellers', 'seller'],
] as const satisfies readonly (readonly [keyof Selectors, keyof SelectionFacts])[];

/**
 * Returns the number of dimensions that selectors restrict. Of two policies for one order, the more specific one
 * decides.
 */
export const specificity = (selectors: Selectors = {}): number =>
  dimensions.filter(([name]) => selectors[name] !== undefined).length;

/** Returns whether selectors match an order. An unknown fact is in no list. */
export const selects = (selectors: Selectors = {}, order: SelectionFacts): boolean =>
  dimensions.every(([name, fact]) => {
    const [wanted, value] = [selectors[name], order[fact]];
    return wanted === undefined || (value !== undefined && wanted.includes(value));
  });

const haveCommonValue = (a: readonly string[] | undefined, b: readonly string[] | undefined): boolean =>
  a === undefined || b === undefined || a.some((value) => b.includes(value));

/** The selectors and the period of a version, published or planned. */
type VersionScope = Period & { readonly selectors?: Selectors };

const periodsOverlap = (a: Period, b: Period): boolean =>
  everDecides(a) &&
  everDecides(b) &&
  (a.effectiveUntil === undefined || b.effectiveFrom < a.effectiveUntil) &&
  (b.effectiveUntil === undefined || a.effectiveFrom < b.effectiveUntil);

/** Returns whether two versions of equal specificity can apply to the same order and time. */
export const overlaps = (a: VersionScope, b: VersionScope): boolean =>
  periodsOverlap(a, b) &&
  specificity(a.selectors) === specificity(b.selectors) &&
  dimensions.every(([name]) => haveCommonValue(a.selectors?.[name], b.selectors?.[name]));

/** Returns the other policies with a version that overlaps, each with the number of that version. */
export const overlappingPolicies = (
  { policies }: Catalogue,
  policyId: string,
  claim: VersionScope,
): readonly { readonly id: string; readonly name: string; readonly version: number }[] =>
  policies
    .filter(({ id }) => id !== policyId)
    .flatMap(({ id, name, published }) => {
      const met = published.find((version) => overlaps(version, claim));
      return met === undefined ? [] : [{ id, name, version: met.version }];
    });

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
  const published = policy.published.map((published) => {
    const supersededBy = byVersion.get(published.version);
    return supersededBy === undefined ? published : { ...published, supersededBy };
  });
  return { ...policy, published };
};

/** A version of a policy that may decide. */
export type Candidate = { readonly policyId: string; readonly version: number };

/** Returns the name of a version in returns and their histories. */
export const versionName = ({ policyId, version }: Candidate): string => `${policyId}/${version}`;

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
