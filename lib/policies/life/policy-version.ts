import type { Actor } from '../../returns/model/actor.ts';
import type { Instant } from '../../returns/model/order.ts';
import type { CataloguedPolicy } from './catalogue.ts';
import type { Candidate } from './in-force.ts';

type VersionStatus = 'draft' | 'published' | 'superseded' | 'archived';

/**
 * What a version of a policy is at a time. A published one that another has followed is superseded; one that ended
 * without that is archived. What is published for later is published.
 */
export const versionStatus = ({ published }: CataloguedPolicy, version: number, now: Instant): VersionStatus => {
  const one = published.find((candidate) => candidate.version === version);
  if (one === undefined) return 'draft';
  const { archived, effectiveUntil } = one;
  if (archived !== undefined && archived.at <= now) return 'archived';
  const next = published.find((other) => other.version > version && other.effectiveFrom <= now);
  if (next !== undefined && (effectiveUntil === undefined || next.effectiveFrom <= effectiveUntil)) return 'superseded';
  return effectiveUntil !== undefined && effectiveUntil <= now ? 'archived' : 'published';
};

/** How a version is named in returns and their histories. */
export const versionName = ({ policyId, version }: Candidate): string => `${policyId}/${version}`;

/** A version of a policy without what it says. When it decides stands in the catalogue. */
export type VersionHead = {
  readonly policyId: string;
  readonly version: number;
  /** Counts how often it was written: it changes until it is published, and never after that. */
  readonly revision: number;
  readonly note?: string;
  readonly createdAt: Instant;
  readonly createdBy: Actor;
  readonly updatedAt: Instant;
  readonly updatedBy: Actor;
  readonly published?: { readonly at: Instant; readonly by: Actor };
};
