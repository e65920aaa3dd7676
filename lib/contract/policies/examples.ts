import { at } from '../example-story.ts';
import type Type from 'typebox';
import type { Policy } from './policy-life.ts';
import type { PolicyVersion } from './policy-life.ts';
import type { PolicyText } from './policy-text.ts';

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

/** What customers in a country without a statutory right of withdrawal may rely on. */
export const policyText: Type.Static<typeof PolicyText> = {
  country: 'CH',
  date: '2026-11-20',
  statements: [
    {
      kind: 'window',
      text: 'You can return items within 30 days of the delivery of the item.',
      window: { anchor: 'delivered', days: 30 },
    },
    {
      kind: 'resolutions',
      text: 'You can choose: refund, exchange, store credit or repair.',
      resolutions: ['refund', 'exchange', 'store_credit', 'repair', 'none'],
    },
    {
      kind: 'fee',
      text: 'Nothing is deducted for return shipping.',
      fee: { type: 'return_shipping', none: true },
    },
    {
      kind: 'fee',
      text: 'There is no processing fee.',
      fee: { type: 'restocking', none: true },
    },
    {
      kind: 'fee',
      text: 'Up to 100% may be deducted if the item has lost value.',
      fee: { type: 'inspection', bps: 10_000 },
    },
    {
      kind: 'fee',
      text: 'The discount of a promotion is not deducted.',
      fee: { type: 'promotion', none: true },
    },
    { kind: 'examination', text: 'We examine each return before we approve it.', of: 'each' },
  ],
  omitted: [],
  formats: {
    google: {
      document: {
        countries: ['CH'],
        policy: { type: 'NUMBER_OF_DAYS_AFTER_DELIVERY', days: '30' },
        restockingFee: { microPercent: 0 },
        acceptExchange: true,
      },
      exceptions: [],
      omitted: ['resolutions', 'fee', 'examination'],
    },
  },
};
