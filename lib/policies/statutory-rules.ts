import type { Return } from '../returns/return.ts';
import type { OrderFacts } from '../returns/order.ts';
import type { FeeType } from '../returns/money/refund.ts';
import type { Window } from './calendar.ts';

/**
 * What the law of some countries gives a consumer at least. It is data, taken from the texts that it names by people who
 * are not lawyers: have it looked at by counsel before you rely on it.
 */
export type StatutoryRule = {
  /** How refusals and audits name it. */
  readonly law: string;
  readonly source: string;
  readonly countries: readonly string[];
  /** Kinds of sale that it is about. */
  readonly saleTypes: readonly NonNullable<OrderFacts['saleType']>[];
  /** A right that needs no reason, or one that rests on what is wrong with the goods. */
  readonly claim: 'any' | 'fault';
  /** From when the last of the goods was delivered; null where the law sets no number of days. */
  readonly window: Window | null;
  /** Fees that may be taken all the same. */
  readonly fees: readonly Exclude<FeeType, 'restocking'>[];
  /** What goes back of the shipping that was paid, with the whole of an order. */
  readonly shipping: 'none' | 'standard' | 'full';
  /** Days to pay from the request; null where the law counts otherwise. */
  readonly refundDays: number | null;
};

/** What a return is asked for when something is wrong with the goods. */
export const faultBases: ReadonlySet<NonNullable<Return['basis']>> = new Set([
  'defect',
  'warranty',
  'wrong_item',
  'transit_damage',
]);

const euStates = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ');

/**
 * No rule of the United States or of Canada stands here: no federal law of theirs gives a right to return what was bought
 * at a distance. Australia gives one only for goods with a fault.
 */
export const statutoryRules: readonly StatutoryRule[] = [
  {
    law: 'EU 2011/83',
    source: 'Directive 2011/83/EU, articles 9 to 14; Regulation 1182/71, article 3(4)',
    countries: euStates,
    saleTypes: ['distance', 'off_premises'],
    claim: 'any',
    window: { within: { days: 14 }, roll: 'next_working_day' },
    fees: ['inspection', 'return_shipping'],
    shipping: 'standard',
    refundDays: 14,
  },
  {
    law: 'EU 2019/771',
    source: 'Directive (EU) 2019/771, articles 10, 13 and 14',
    countries: euStates,
    saleTypes: ['distance', 'off_premises', 'in_store'],
    claim: 'fault',
    window: { within: { years: 2 }, roll: 'next_working_day' },
    fees: ['inspection'],
    shipping: 'none',
    refundDays: null,
  },
  {
    law: 'UK CCR 2013',
    source:
      'Consumer Contracts (Information, Cancellation and Additional Charges) Regulations 2013, regulations 29 to 35',
    countries: ['GB'],
    saleTypes: ['distance', 'off_premises'],
    claim: 'any',
    window: { within: { days: 14 }, roll: 'none' },
    fees: ['inspection', 'return_shipping'],
    shipping: 'standard',
    refundDays: null,
  },
  {
    law: 'UK CRA 2015',
    source: 'Consumer Rights Act 2015, sections 20 to 22',
    countries: ['GB'],
    saleTypes: ['distance', 'off_premises', 'in_store'],
    claim: 'fault',
    window: { within: { days: 30 }, roll: 'none' },
    fees: [],
    shipping: 'none',
    refundDays: null,
  },
  {
    law: 'BR CDC art. 49',
    source: 'Código de Defesa do Consumidor (Lei 8.078/1990), artigo 49; Código Civil, artigo 132',
    countries: ['BR'],
    saleTypes: ['distance', 'off_premises'],
    claim: 'any',
    window: { within: { days: 7 }, roll: 'next_working_day' },
    fees: [],
    shipping: 'full',
    refundDays: null,
  },
  {
    law: 'BR CDC art. 26',
    source: 'Código de Defesa do Consumidor (Lei 8.078/1990), artigos 18 e 26, II',
    countries: ['BR'],
    saleTypes: ['distance', 'off_premises', 'in_store'],
    claim: 'fault',
    window: { within: { days: 90 }, roll: 'next_working_day' },
    fees: [],
    shipping: 'none',
    refundDays: null,
  },
  {
    law: 'AU ACL',
    source: 'Australian Consumer Law (Competition and Consumer Act 2010, schedule 2), sections 54 to 56, 259 to 263',
    countries: ['AU'],
    saleTypes: ['distance', 'off_premises', 'in_store'],
    claim: 'fault',
    window: null,
    fees: [],
    shipping: 'none',
    refundDays: null,
  },
];
