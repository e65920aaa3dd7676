import type { Instant } from '../../returns/model/order.ts';
import type { CataloguedPolicy } from './catalogue.ts';

export type VersionStatus = 'draft' | 'published' | 'superseded' | 'archived';

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
