import type { Facts } from '../../lib/policies/facts.ts';
import type { Policy } from '../../lib/policies/policy.ts';

const facts: Facts = {
  requestedAt: '2026-11-21T08:00:00Z',
  order: {
    platform: 'own',
    country: 'DE',
    currency: 'EUR',
    completeness: 'full',
    timeZone: 'Europe/Berlin',
    placedAt: '2026-11-01T08:00:00Z',
    saleType: 'distance',
    value: 5000,
  },
  customer: { lists: [], returnsLast90Days: 0 },
  return: {
    initiatedBy: 'customer',
    isGift: false,
    quantity: 1,
    value: 5000,
    reasons: ['fit.too_small'],
    skus: ['SHIRT-M'],
  },
  lines: [
    {
      orderLineId: '1',
      quantity: 1,
      value: 5000,
      reason: 'fit.too_small',
      reasonGroup: 'fit',
      resolution: 'refund',
      hasNote: false,
      hasEvidence: false,
      deliveredAt: '2026-11-05T08:00:00.000Z',
      rights: [
        { law: 'EU 2011/83', claim: 'withdrawal', until: '2026-11-19T23:00:00Z', certain: true },
        { law: 'AU ACL', claim: 'fault', until: null, certain: false },
      ],
    },
  ],
};

/** A case as a policy's author writes it down. */
export const goldenCase = {
  name: 'A shirt that is too small',
  facts,
  expect: {
    verdict: 'approved',
    approval: 'auto',
    returnableUntil: '2026-12-07T23:00:00.000Z',
    lines: [{ orderLineId: '1', verdict: 'eligible', codes: [], missing: [], resolutions: ['refund', 'exchange'] }],
    fees: { restocking: { rule: 'opened', bps: 1000, cap: 2000 } },
    settings: { shipping: 'none', shipByDays: 14 },
  },
};

/** A policy in which every phase, every effect and every field occurs; nothing is wrong with it. */
export const full: Policy & { readonly goldenCases: readonly unknown[] } = {
  selectors: {
    countries: ['DE', 'US'],
    channels: ['web'],
    segments: ['vip', 'regular'],
    markets: ['eu'],
    sellers: ['own'],
  },
  favorable: true,
  categories: ['shirts', 'gift-cards'],
  conditions: {
    in_euro: { fact: 'order.currency', op: 'eq', value: 'EUR' },
    opened: { fact: 'line.condition', op: 'in', value: ['opened', 'used'] },
    ours: { fact: 'line.fault', op: 'eq', value: 'merchant' },
    recent: { or: [{ fact: 'order.placedAt', op: 'withinDays', value: 90 }, { not: { use: 'dated' } }] },
    dated: { fact: 'order.placedAt', op: 'exists', value: true },
  },
  lists: { blocked: ['c-1'], friends: [] },
  holidays: ['2026-12-24'],
  rules: [
    {
      id: 'blocked',
      phase: 'list',
      text: 'Who is on the list cannot return here.',
      when: { fact: 'customer.lists', op: 'hasAny', value: ['blocked'] },
      block: 'customer_blocked',
    },
    {
      id: 'friends',
      phase: 'list',
      text: 'Friends of the house may return for longer.',
      when: { fact: 'customer.lists', op: 'hasAll', value: ['friends'] },
      exempts: ['exclusion', 'window', 'requirement', 'limit'],
    },
    {
      id: 'final-sale',
      phase: 'exclusion',
      text: 'Final sale is final.',
      when: {
        or: [
          { fact: 'line.finalSale', op: 'eq', value: true },
          { fact: 'line.categories', op: 'hasAny', value: ['gift-cards'] },
        ],
      },
      deny: 'final_sale',
    },
    {
      id: 'usual',
      phase: 'window',
      text: 'Thirty days from delivery, and longer over Christmas.',
      window: {
        anchor: 'delivered',
        days: 30,
        graceDays: 2,
        roll: 'next_working_day',
        fallback: { anchor: 'placed', days: 40 },
        seasonal: [{ from: '2026-11-01', to: '2026-12-24', until: '2027-01-31' }],
      },
    },
    {
      id: 'faulty',
      phase: 'window',
      text: 'Two years where it is our fault.',
      when: { use: 'ours' },
      priority: 10,
      window: { anchor: 'delivered', days: 730 },
    },
    {
      id: 'worn',
      phase: 'requirement',
      text: 'What was worn does not come back.',
      when: { fact: 'line.condition', op: 'eq', value: 'worn' },
      deny: 'worn',
    },
    {
      id: 'tell-faults',
      phase: 'requirement',
      text: 'Faults are described and shown.',
      when: { fact: 'line.reasonGroup', op: 'eq', value: 'condition' },
      require: ['note', 'evidence'],
    },
    {
      id: 'too-many',
      phase: 'limit',
      text: 'Nobody returns more than a hundred times a year.',
      when: { fact: 'customer.returnsLast365Days', op: 'gt', value: 100 },
      deny: 'too_many_returns',
    },
    { id: 'ways', phase: 'resolution', text: 'Money, or something else.', resolutions: ['refund', 'exchange'] },
    {
      id: 'opened',
      phase: 'fee',
      text: 'What many return in dollars costs restocking.',
      when: { fact: 'return.quantity', op: 'between', value: [5, 10] },
      fee: { type: 'restocking', bps: 1000, cap: { amount: 2000, currency: 'USD' } },
    },
    {
      id: 'label',
      phase: 'fee',
      text: 'The way back costs 4.90 of what is worth more.',
      when: { fact: 'return.value', op: 'gte', value: 490 },
      fee: { type: 'return_shipping', amount: { amount: 490, currency: 'EUR' } },
    },
    { id: 'wear', phase: 'fee', text: 'Wear takes off half at most.', fee: { type: 'inspection', bps: 5000 } },
    {
      id: 'cheap',
      phase: 'logistics',
      text: 'What is worth little stays.',
      when: { and: [{ use: 'in_euro' }, { fact: 'return.value', op: 'lt', value: 500 }] },
      returnless: true,
    },
    { id: 'shipping', phase: 'logistics', text: 'Shipping goes back as the law says.', shipping: 'statutory' },
    { id: 'soon', phase: 'logistics', text: 'Two weeks to send it.', shipByDays: 14 },
    { id: 'look', phase: 'settlement', text: 'We look at all of it.', inspection: 'required' },
    { id: 'pay', phase: 'settlement', text: 'Money goes back when it is here.', refundTiming: 'received' },
    {
      id: 'small',
      phase: 'approval',
      text: 'Small returns that are recent need nobody.',
      when: { and: [{ use: 'recent' }, { use: 'in_euro' }, { fact: 'return.value', op: 'lte', value: 10_000 }] },
      approval: 'auto',
    },
    {
      id: 'large',
      phase: 'approval',
      text: 'Somebody looks at large ones.',
      when: { and: [{ use: 'in_euro' }, { fact: 'return.value', op: 'gt', value: 10_000 }] },
      approval: 'manual',
    },
    {
      id: 'bulk',
      phase: 'approval',
      text: 'Resellers send nothing back.',
      when: { fact: 'return.quantity', op: 'gt', value: 1000 },
      approval: 'reject',
      deny: 'bulk_return',
    },
  ],
  goldenCases: [goldenCase],
};
