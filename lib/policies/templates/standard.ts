import type { Condition } from '../condition.ts';
import type { PolicyDocument } from '../life/golden.ts';
import type { Rule } from '../policy.ts';
import { standardCases } from './standard-cases.ts';

/** Holds only where the fact is known: what a shop does not tell sends nothing to a review. */
const known = (condition: Extract<Condition, { readonly fact: string }>): Condition => ({
  and: [{ fact: condition.fact, op: 'exists', value: true }, condition],
});

/** Nobody looks at returns up to here: minor units by currency. */
const autoApproved = { EUR: 15_000, GBP: 13_000, USD: 16_000, BRL: 80_000 };

const conditions = {
  faulty: known({ fact: 'line.fault', op: 'in', value: ['merchant', 'carrier'] }),
  fault_claimed: known({
    fact: 'return.basis',
    op: 'in',
    value: ['defect', 'warranty', 'wrong_item', 'transit_damage', 'recall'],
  }),
} satisfies Record<string, Condition>;

const unlessFaulty = (condition: Condition): Condition => ({ and: [{ not: { use: 'faulty' } }, condition] });

const inCategory = (category: string): Condition =>
  unlessFaulty(known({ fact: 'line.categories', op: 'hasAny', value: [category] }));

const rules: readonly Rule[] = [
  {
    id: 'final-sale',
    phase: 'exclusion',
    text: 'What was sold as a final sale stays sold, unless something is wrong with it.',
    when: unlessFaulty(known({ fact: 'line.finalSale', op: 'eq', value: true })),
    deny: 'final_sale',
  },
  {
    id: 'gift-cards',
    phase: 'exclusion',
    text: 'Gift cards are as good as money, and are not taken back.',
    when: inCategory('gift_cards'),
    deny: 'excluded',
  },
  {
    id: 'digital',
    phase: 'exclusion',
    text: 'What was delivered as data cannot be given back.',
    when: inCategory('digital'),
    deny: 'excluded',
  },
  {
    id: 'hygiene',
    phase: 'exclusion',
    text: 'What touches the body is not sold a second time.',
    when: inCategory('hygiene'),
    deny: 'excluded',
  },
  {
    id: 'window',
    phase: 'window',
    text: 'Thirty days from delivery, two more in silence; what was bought for Christmas may be returned in January.',
    window: {
      anchor: 'delivered',
      days: 30,
      graceDays: 2,
      roll: 'next_working_day',
      fallback: { anchor: 'shipped', days: 37 },
      seasonal: [{ from: '2026-11-01', to: '2026-12-24', until: '2027-01-31' }],
    },
  },
  {
    id: 'window-faulty',
    phase: 'window',
    text: 'Two years from delivery for what something was wrong with.',
    when: { use: 'faulty' },
    window: { anchor: 'delivered', days: 730, roll: 'next_working_day', fallback: { anchor: 'shipped', days: 737 } },
  },
  {
    id: 'evidence-of-damage',
    phase: 'requirement',
    text: 'A picture shows what is broken: the carrier asks for one.',
    when: { fact: 'line.reasonGroup', op: 'eq', value: 'condition' },
    require: ['evidence'],
  },
  {
    id: 'ship-by',
    phase: 'logistics',
    text: 'What is approved is to be on its way within two weeks.',
    shipByDays: 14,
  },
  {
    id: 'shipping',
    phase: 'logistics',
    text: 'What the order was shipped for goes back as far as the law says.',
    shipping: 'statutory',
  },
  {
    id: 'shipping-faulty',
    phase: 'logistics',
    text: 'With a whole order that was faulty goes back what it was shipped for.',
    when: { use: 'fault_claimed' },
    shipping: 'full_if_whole_order',
  },
  { id: 'inspection', phase: 'settlement', text: 'Somebody looks at what comes back.', inspection: 'required' },
  { id: 'refund', phase: 'settlement', text: 'Money goes back for what has come back.', refundTiming: 'received' },
  ...Object.entries(autoApproved).map(
    ([currency, value]): Rule => ({
      id: `auto-${currency.toLowerCase()}`,
      phase: 'approval',
      text: `Nobody has to look at small returns in ${currency} before they are sent.`,
      when: {
        and: [
          { fact: 'order.currency', op: 'eq', value: currency },
          { fact: 'return.value', op: 'lte', value },
        ],
      },
      approval: 'auto',
    }),
  ),
  {
    id: 'many-returns',
    phase: 'approval',
    text: 'Somebody looks at the returns of who returned more than twenty times in a year.',
    when: known({ fact: 'customer.returnsLast365Days', op: 'gt', value: 20 }),
    approval: 'manual',
  },
];

/**
 * A policy to begin with: it decides what a shop decides that sells to consumers, and leaves the rest to people. Its cases
 * say what it is to do.
 */
export const standardPolicy: PolicyDocument = {
  categories: ['digital', 'gift_cards', 'hygiene'],
  conditions,
  rules,
  goldenCases: standardCases,
};
