import type { Actor } from '../../returns/model/actor.ts';
import type { Instant } from '../../returns/model/order.ts';
import type { Selectors } from '../policy.ts';
import { compareInstants } from '../time/calendar.ts';

/** A version that was published, as far as one must know it to tell which orders it decides for, and when. */
export type PublishedVersion = {
  readonly version: number;
  readonly selectors?: Selectors;
  readonly favorable?: boolean;
  readonly effectiveFrom: Instant;
  /** From then on it decides no more. Where it would begin by then, it never does. */
  readonly effectiveUntil?: Instant;
  /** From when on, and by whom, it was archived. */
  readonly archived?: { readonly at: Instant; readonly by: Actor };
  /** The version that has taken its place, once that was told. */
  readonly supersededBy?: number;
};

/** A policy, without what its versions say. */
export type CataloguedPolicy = {
  readonly id: string;
  readonly name: string;
  /** Counts the changes of what stands here. */
  readonly revision: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  /** The newest version, and whether it is a draft. */
  readonly latest: number;
  readonly draft: boolean;
  /** The draft that is evaluated beside decisions, without effect; of no account once it is published. */
  readonly shadow?: number;
  /** In the order of their numbers. */
  readonly published: readonly PublishedVersion[];
  /** How much was told of what happened to it; none before the first time. */
  readonly happened?: number;
};

/** All policies. Instants are in milliseconds, as `Date` writes them: with each other they compare as text. */
export type Catalogue = {
  /** Counts the changes of any of them; 0 where there never was one. */
  readonly version: number;
  readonly policies: readonly CataloguedPolicy[];
};

/** How many policies there may be, and versions of one. */
export const maxPolicies = 100;
export const maxVersions = 200;

export const emptyCatalogue: Catalogue = { version: 0, policies: [] };

export const findPolicy = ({ policies }: Catalogue, id: string): CataloguedPolicy | undefined =>
  policies.find((policy) => policy.id === id);

/** When the first of all versions began to decide, or undefined: nothing was decided before. */
export const firstEffectiveFrom = ({ policies }: Catalogue): Instant | undefined =>
  policies.flatMap(({ published }) => published.map(({ effectiveFrom }) => effectiveFrom)).toSorted()[0];

/** The number of the draft that is shadowed, or undefined. */
export const shadowedDraft = ({ draft, latest, shadow }: CataloguedPolicy): number | undefined =>
  draft && shadow === latest ? latest : undefined;

/** The catalogue with a policy in its new state, or with a new one. */
export const withPolicy = ({ version, policies }: Catalogue, policy: CataloguedPolicy): Catalogue => ({
  version: version + 1,
  policies: policies.some(({ id }) => id === policy.id)
    ? policies.map((other) => (other.id === policy.id ? policy : other))
    : [...policies, policy],
});

/** A policy after one more change. */
export const changePolicy = (
  policy: CataloguedPolicy,
  change: Partial<Omit<CataloguedPolicy, 'id' | 'createdAt' | 'revision'>>,
  at: Instant,
): CataloguedPolicy => ({ ...policy, ...change, revision: policy.revision + 1, updatedAt: at });

/** The versions that a time finds, and for how long. */
export type Period = Pick<PublishedVersion, 'effectiveFrom' | 'effectiveUntil'>;

/** Whether it decides at a time in UTC, with whatever fraction of a second that is written. */
export const isInForce = ({ effectiveFrom, effectiveUntil }: Period, at: Instant): boolean =>
  compareInstants(effectiveFrom, at) <= 0 && (effectiveUntil === undefined || compareInstants(at, effectiveUntil) < 0);

/** Whether there is a time at which it decides. */
export const everDecides = ({ effectiveFrom, effectiveUntil }: Period): boolean =>
  effectiveUntil === undefined || effectiveFrom < effectiveUntil;

/** A version that decides until a time at most; one that was to begin later never does. */
const endVersion = (version: PublishedVersion, at: Instant): PublishedVersion => {
  const { archived: _, ...rest } = version;
  return { ...rest, effectiveUntil: at < version.effectiveFrom ? version.effectiveFrom : at };
};

const isOpenAt = ({ effectiveUntil }: Period, at: Instant): boolean =>
  effectiveUntil === undefined || at < effectiveUntil;

/** The policy once its draft is published: what was published before decides until the new version does. */
export const publishDraft = (policy: CataloguedPolicy, version: PublishedVersion, at: Instant): CataloguedPolicy => {
  const { effectiveFrom } = version;
  const before = policy.published.map((one) => (isOpenAt(one, effectiveFrom) ? endVersion(one, effectiveFrom) : one));
  return changePolicy(policy, { draft: false, published: [...before, version] }, at);
};

/**
 * The policy once all that is published of it ends at a time, at the latest; undefined where nothing would change.
 *
 * @param from the time at which it ends
 */
export const archivePolicy = (
  policy: CataloguedPolicy,
  from: Instant,
  { at, by }: { readonly at: Instant; readonly by: Actor },
): CataloguedPolicy | undefined => {
  const ends = (version: PublishedVersion) => everDecides(version) && isOpenAt(version, from);
  if (!policy.published.some(ends)) return undefined;
  const published = policy.published.map((version) =>
    ends(version) ? { ...endVersion(version, from), archived: { at: from, by } } : version,
  );
  return changePolicy(policy, { published }, at);
};
