import type { Actor } from '../../returns/model/actor.ts';
import type { Instant } from '../../returns/model/order.ts';
import type { CataloguedPolicy } from './catalogue.ts';
import type { Candidate } from './in-force.ts';

type VersionStatus = 'draft' | 'published' | 'superseded' | 'archived';

/**
 * Returns the status of a version at a time. A published version with a successor is superseded, and one that ended
 * without is archived. A version published for a later time is published.
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

/** Returns the name of a version in returns and their histories. */
export const versionName = ({ policyId, version }: Candidate): string => `${policyId}/${version}`;

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
};
