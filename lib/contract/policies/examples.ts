import { at } from '../example-story.ts';
import type Type from 'typebox';
import type { Policy } from './policy-life.ts';
import type { PolicyVersion } from './policy-life.ts';

export const policyId = 'pol_01KAJ3S7W4E6R8T0Y2V4X6Z8B0';
const actor = { clientId: 'shop-office' };
export const rule = (days: number) => ({
  id: 'window',
  phase: 'window',
  text: `${days} days from delivery`,
  window: { anchor: 'delivered', days },
});
export const approval = { id: 'all', phase: 'approval', text: 'Staff decide on every return.', approval: 'manual' };
export const document = { selectors: { countries: ['CH'] }, rules: [rule(30), approval] };

export const policy: Type.Static<typeof Policy> = {
  policyId,
  name: 'Switzerland',
  revision: 2,
  latest: 1,
  inForce: 1,
  createdAt: at.ordered,
  updatedAt: at.requested,
};

const { inForce: _, ...rest } = policy;
/** The policy after its only published version ended. It has a draft. */
export const archived: Type.Static<typeof Policy> = { ...rest, revision: 4, latest: 2, updatedAt: at.came };

export const draft: Type.Static<typeof PolicyVersion> = {
  policyId,
  version: 1,
  status: 'draft',
  revision: 1,
  note: 'Thirty days, as agreed',
  createdAt: at.ordered,
  createdBy: actor,
  updatedAt: at.ordered,
  updatedBy: actor,
  document,
};

export const published: Type.Static<typeof PolicyVersion> = {
  ...draft,
  status: 'published',
  revision: 2,
  publishedAt: at.requested,
  publishedBy: actor,
  effectiveFrom: at.requested,
};
const { document: __, ...summary } = published;

export { summary };
