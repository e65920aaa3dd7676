import type { Policy, Rule, Condition } from '../../../lib/domain/policies/policy.ts';

/*
 * A policy of fifty rules as a shop might have it.
 * Its windows exclude each other, so that engines without specificity can use the same rules.
 */

const numbered = (phase: string, said: readonly object[]): readonly Rule[] =>
  said.map((one, at) => ({ id: `${phase}-${at + 1}`, text: `${phase} ${at + 1}`, phase, ...one }) as Rule);

const is = (fact: string, value: string | number | boolean): Condition => ({ fact, op: 'eq', value });
const has = (fact: string, ...value: readonly string[]): Condition => ({ fact, op: 'hasAny', value });
const among = (fact: string, ...value: readonly string[]): Condition => ({ fact, op: 'in', value });
const atLeast = (fact: string, value: number): Condition => ({ fact, op: 'gte', value });

const isVip = is('customer.segment', 'vip');
const isShoe = has('line.categories', 'shoes', 'boots');

const blocks = ['blocked', 'fraud', 'chargeback', 'reseller'].map((list) => ({
  block: 'customer_blocked',
  when: has('customer.lists', list),
}));

const exclusions = [
  is('line.finalSale', true),
  { and: [is('line.withdrawalExemption', 'sealed_goods'), is('line.condition', 'opened')] },
  { and: [is('line.withdrawalExemption', 'custom_made'), { not: is('line.reasonGroup', 'condition') }] },
  { and: [has('line.tags', 'clearance'), atLeast('line.quantity', 6)] },
  { or: [is('line.brand', 'excluded'), has('line.tags', 'no_return')] },
  ...['underwear', 'gift_cards', 'food', 'digital', 'medicine', 'newspapers', 'flowers', 'tickets'].map(
    (category): Condition => ({ and: [has('line.categories', category), { not: isVip }] }),
  ),
  ...['used', 'damaged', 'incomplete'].map(
    (condition): Condition => ({
      and: [
        is('line.condition', condition),
        among('line.reason', 'fit.too_small', 'fit.too_large', 'preference.changed'),
      ],
    }),
  ),
  ...['KEY', 'VOUCHER', 'SAMPLE', 'DEMO'].map((sku) => among('line.sku', `${sku}-1`, `${sku}-2`, `${sku}-3`)),
].map((when) => ({ deny: 'excluded', when }));

const windows = [
  { window: { anchor: 'delivered', days: 60, roll: 'next_working_day' }, when: isVip },
  { window: { anchor: 'delivered', days: 45, graceDays: 2 }, when: { and: [isShoe, { not: isVip }] } },
  { window: { anchor: 'delivered', days: 30 }, when: { and: [{ not: isShoe }, { not: isVip }] } },
];

const requirements = [
  ...['used', 'opened'].flatMap((condition) =>
    ['electronics', 'cosmetics', 'toys'].map((category) => ({
      deny: 'condition_not_accepted',
      when: { and: [is('line.condition', condition), has('line.categories', category)] },
    })),
  ),
  { require: ['evidence'], when: is('line.reason', 'condition.damaged') },
  { require: ['evidence'], when: { and: [is('line.fault', 'carrier'), atLeast('line.value', 10_000)] } },
  { require: ['note'], when: is('line.reason', 'other') },
  { require: ['note'], when: { and: [is('line.reasonGroup', 'condition'), atLeast('line.quantity', 5)] } },
];

const limits = [
  atLeast('customer.returnsLast30Days', 9),
  atLeast('customer.returnsLast90Days', 18),
  atLeast('customer.returnsLast365Days', 50),
  { and: [atLeast('return.value', 400_000), { not: isVip }] },
  { and: [atLeast('return.quantity', 15), is('order.channel', 'marketplace')] },
  { and: [atLeast('order.value', 900_000), among('order.country', 'US', 'BR')] },
  { and: [is('return.isGift', true), atLeast('return.value', 200_000)] },
  { and: [is('order.saleType', 'in_store'), atLeast('customer.returnsLast30Days', 8)] },
].map((when) => ({ deny: 'limit_exceeded', when }));

const resolutions = [
  { resolutions: ['refund', 'exchange', 'store_credit'], when: { not: is('line.reasonGroup', 'condition') } },
  { resolutions: ['exchange', 'store_credit', 'repair'], when: is('return.isGift', true) },
  { resolutions: ['refund', 'exchange', 'repair', 'store_credit'], when: is('order.channel', 'web') },
];

const approvals = [
  { approval: 'auto', when: { not: atLeast('return.value', 150_000) } },
  { approval: 'manual', when: { and: [is('return.initiatedBy', 'customer'), is('order.channel', 'marketplace')] } },
];

export const policy: Policy = {
  rules: [
    ...numbered('list', blocks),
    ...numbered('exclusion', exclusions),
    ...numbered('window', windows),
    ...numbered('requirement', requirements),
    ...numbered('limit', limits),
    ...numbered('resolution', resolutions),
    ...numbered('approval', approvals),
  ],
};
