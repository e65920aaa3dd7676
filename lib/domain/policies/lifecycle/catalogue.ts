import type { Actor } from '../../returns/model/actor.ts';
import type { Instant } from '../../returns/model/order.ts';
import type { Selectors } from '../policy.ts';
import { compareInstants } from '../time/calendar.ts';

/** The fields of a published version that decide which orders it applies to, and when. */
export type PublishedVersion = {
  readonly version: number;
  readonly selectors?: Selectors;
  readonly favorable?: boolean;
  readonly effectiveFrom: Instant;
  /** The end of the period. A version whose period ends at its start is never in force. */
  readonly effectiveUntil?: Instant;
  /** When it was archived, and the actor. */
  readonly archived?: { readonly at: Instant; readonly by: Actor };
  /** The successor, once the policy superseded event is emitted. */
  readonly supersededBy?: number;
};

/** A policy without the documents of its versions. */
export type CataloguedPolicy = {
  readonly id: string;
  readonly name: string;
  /** The number of changes of this record. */
  readonly revision: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  /** The newest version, and whether it is a draft. */
  readonly latest: number;
  readonly draft: boolean;
  /** The shadow draft, evaluated with each decision and without effect. It is ignored once it is published. */
  readonly shadow?: number;
  /** In order of their version numbers. */
  readonly published: readonly PublishedVersion[];
  /** The number of emitted domain events; absent before the first one. */
  readonly happened?: number;
};

/** All policies. Instants are in milliseconds, as `Date` writes them, so they compare as text. */
export type Catalogue = {
  /** The number of changes of any policy; 0 when there never was one. */
  readonly version: number;
  readonly policies: readonly CataloguedPolicy[];
};

/** The maximum number of policies, and of versions of one policy. */
export const maxPolicies = 100;
export const maxVersions = 200;

export const emptyCatalogue: Catalogue = { version: 0, policies: [] };

export const findPolicy = ({ policies }: Catalogue, id: string): CataloguedPolicy | undefined =>
  policies.find((policy) => policy.id === id);

/** Returns when the first version came into force. Undefined: no policy ever decided. */
export const firstEffectiveFrom = ({ policies }: Catalogue): Instant | undefined =>
  policies.flatMap(({ published }) => published.map(({ effectiveFrom }) => effectiveFrom)).toSorted()[0];

/** Returns the number of the shadow draft; undefined without one. */
export const shadowedDraft = ({ draft, latest, shadow }: CataloguedPolicy): number | undefined =>
  draft && shadow === latest ? latest : undefined;

/** Adds a policy to the catalogue, or replaces it. */
export const withPolicy = ({ version, policies }: Catalogue, policy: CataloguedPolicy): Catalogue => ({
  version: version + 1,
  policies: policies.some(({ id }) => id === policy.id)
    ? policies.map((other) => (other.id === policy.id ? policy : other))
    : [...policies, policy],
});

/** Returns a policy after one more change. */
export const changePolicy = (
  policy: CataloguedPolicy,
  change: Partial<Omit<CataloguedPolicy, 'id' | 'createdAt' | 'revision'>>,
  at: Instant,
): CataloguedPolicy => ({ ...policy, ...change, revision: policy.revision + 1, updatedAt: at });

/** The period in which a version is in force. */
export type Period = Pick<PublishedVersion, 'effectiveFrom' | 'effectiveUntil'>;

/** Returns whether a version is in force at a time in UTC, with any fraction of a second. */
export const isInForce = ({ effectiveFrom, effectiveUntil }: Period, at: Instant): boolean =>
  compareInstants(effectiveFrom, at) <= 0 && (effectiveUntil === undefined || compareInstants(at, effectiveUntil) < 0);

/** Returns whether a version is ever in force. */
export const everDecides = ({ effectiveFrom, effectiveUntil }: Period): boolean =>
  effectiveUntil === undefined || effectiveFrom < effectiveUntil;

/** Ends a version at a time, at the latest. A version with a later start is never in force. */
const endVersion = (version: PublishedVersion, at: Instant): PublishedVersion => {
  const { archived: _, ...rest } = version;
  return { ...rest, effectiveUntil: at < version.effectiveFrom ? version.effectiveFrom : at };
};

const isOpenAt = ({ effectiveUntil }: Period, at: Instant): boolean =>
  effectiveUntil === undefined || at < effectiveUntil;

/** Publishes the draft of a policy. Earlier versions end when the new one starts. */
export const publishDraft = (policy: CataloguedPolicy, version: PublishedVersion, at: Instant): CataloguedPolicy => {
  const { effectiveFrom } = version;
  const before = policy.published.map((earlier) =>
    isOpenAt(earlier, effectiveFrom) ? endVersion(earlier, effectiveFrom) : earlier,
  );
  return changePolicy(policy, { draft: false, published: [...before, version] }, at);
};

/**
 * Ends all published versions of a policy at a time, at the latest; undefined when nothing changes.
 *
 * @param from the time at which they end
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

type VersionStatus = 'draft' | 'published' | 'superseded' | 'archived';

/**
 * Returns the status of a version at a time. A published version with a successor is superseded, and one that ended
 * without is archived. A version published for a later time is published.
 */
export const versionStatus = ({ published }: CataloguedPolicy, version: number, now: Instant): VersionStatus => {
  const found = published.find((candidate) => candidate.version === version);
  if (found === undefined) return 'draft';
  const { archived, effectiveUntil } = found;
  if (archived !== undefined && archived.at <= now) return 'archived';
  const next = published.find((other) => other.version > version && other.effectiveFrom <= now);
  if (next !== undefined && (effectiveUntil === undefined || next.effectiveFrom <= effectiveUntil)) return 'superseded';
  return effectiveUntil !== undefined && effectiveUntil <= now ? 'archived' : 'published';
};

/** A version without its document. The catalogue has its period. */
export type VersionHead = {
  readonly policyId: string;
  readonly version: number;
  /** The number of writes. A version changes until it is published, and never after that. */
  readonly revision: number;
  readonly note?: string;
  readonly createdAt: Instant;
  readonly createdBy: Actor;
  readonly updatedAt: Instant;
  readonly updatedBy: Actor;
  readonly published?: { readonly at: Instant; readonly by: Actor };
  /** The last persons who saved a revision, each once. */
  readonly savedBy: readonly Actor[];
};

/** The number of persons that a version records. */
const maxSavers = 20;

/**
 * Returns the person that a client acts for, without the client that the connected mode writes in front. A user may sign
 * in with several clients there.
 */
const personIn = (onBehalfOf: string | undefined): string | undefined => onBehalfOf?.split('/').at(-1);

/** Whether two actors are one person: the same user, or the same client that acts for the same person. */
const isSamePerson = (a: Actor, b: Actor): boolean =>
  a.user === undefined && b.user === undefined
    ? a.clientId === b.clientId && personIn(a.onBehalfOf) === personIn(b.onBehalfOf)
    : a.user?.id === b.user?.id;

type Savers = Pick<VersionHead, 'savedBy'>;

/** Returns the persons who saved a version, after one more revision. */
export const withSaver = ({ savedBy }: Savers, by: Actor): readonly Actor[] =>
  [...savedBy.filter((other) => !isSamePerson(other, by)), by].slice(-maxSavers);

/** Returns whether a person saved a revision of a version. */
export const hasSaved = ({ savedBy }: Savers, by: Actor): boolean => savedBy.some((other) => isSamePerson(other, by));
