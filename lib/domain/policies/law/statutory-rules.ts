import type { OrderFacts } from '../../returns/model/order.ts';
import type { FeeType } from '../../returns/model/refund.ts';
import type { Return } from '../../returns/model/return.ts';
import type { Window } from '../time/calendar.ts';
import { euExemptions, type Exemption, ukExemptions } from './exemptions.ts';

/** The rule for consumers whom the trader did not inform of their right, or informed late: a longer period. */
type Extension = {
  /**
   * Counts from the last day of the usual period. Of the same length is the time in which late information still ends
   * the right early: it counts from the delivery, and the usual period then starts with the information.
   */
  readonly within: Window['within'];
  /** The fees of the rule that a consumer without information, or with late information, does not pay. */
  readonly waivedFees: StatutoryRule['fees'];
  readonly source: string;
};

/**
 * The statutory minimum for consumers in some countries. It is data, taken from the cited texts by people who are not
 * lawyers. Have counsel review it before you rely on it.
 */
export type StatutoryRule = {
  /** The name in failures and audits. It is unique. */
  readonly law: string;
  readonly source: string;
  /** ISO 3166-1 alpha-2. */
  readonly countries: readonly string[];
  /** The types of sale that the rule covers. */
  readonly saleTypes: readonly NonNullable<OrderFacts['saleType']>[];
  /** A right without a reason, or one that rests on a defect of the goods. */
  readonly claim: 'any' | 'fault';
  /** Counts from the delivery of the order's last goods; null when the law sets no number of days. */
  readonly window: Window | null;
  /** Non-working dates such as `2027-10-04`, in addition to the holiday table. */
  readonly holidays?: readonly string[];
  /** Further places whose public holidays count, such as `PT` or `DE-BY` of the shop. */
  readonly holidaysOf?: readonly string[];
  /** The goods that the rule exempts. */
  readonly exemptions: readonly Exemption[];
  /** Fees that the rule allows. */
  readonly fees: readonly Exclude<FeeType, 'restocking'>[];
  /** The paid shipping to refund with a whole order. */
  readonly shipping: 'none' | 'standard' | 'full';
  /** Days to pay, and their start; null when the law sets no number of days. */
  readonly refund: { readonly days: number; readonly from: 'request' | 'receipt' } | null;
  /** Absent or null when the law has none. */
  readonly extension?: Extension | null;
  /** Set when the deployment has added or changed the rule. */
  readonly overridden?: true;
};

/** The bases of a return that state a defect of the goods. */
export const defectBases: ReadonlySet<NonNullable<Return['basis']>> = new Set([
  'defect',
  'warranty',
  'wrong_item',
  'transit_damage',
]);

const euStates = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ');
const eeaStates = 'IS LI NO'.split(' ');

/** Returns the rule of a state that grants a year more than Directive 2019/771. */
const threeYears = (country: string, law: string, source: string): StatutoryRule => ({
  law,
  source,
  countries: [country],
  saleTypes: ['distance', 'off_premises', 'in_store'],
  claim: 'fault',
  window: { within: { years: 3 }, roll: 'next_working_day' },
  exemptions: [],
  fees: ['inspection'],
  shipping: 'none',
  refund: null,
});

/**
 * The statutory rules. The United States and Canada have none, because no federal law of theirs grants a right to
 * return distance purchases. Australia grants one only for faulty goods.
 */
export const statutoryRules: readonly StatutoryRule[] = [
  {
    law: 'EU 2011/83',
    source:
      'Directive 2011/83/EU, articles 9 to 16 (EEA Agreement, annex XIX, 7i); Regulation 1182/71, articles 2(1) and 3(4)',
    countries: [...euStates, ...eeaStates],
    saleTypes: ['distance', 'off_premises'],
    claim: 'any',
    window: { within: { days: 14 }, roll: 'next_working_day' },
    exemptions: euExemptions,
    fees: ['inspection', 'return_shipping'],
    shipping: 'standard',
    refund: { days: 14, from: 'request' },
    extension: {
      within: { years: 1 },
      waivedFees: ['inspection'],
      source: 'Directive 2011/83/EU, articles 10 and 14(2)',
    },
  },
  {
    law: 'EU 2019/771',
    source: 'Directive (EU) 2019/771, articles 10, 13 and 14',
    countries: euStates,
    saleTypes: ['distance', 'off_premises', 'in_store'],
    claim: 'fault',
    window: { within: { years: 2 }, roll: 'next_working_day' },
    exemptions: [],
    fees: ['inspection'],
    shipping: 'none',
    refund: null,
  },
  threeYears('ES', 'ES TRLGDCU art. 120', 'Real Decreto Legislativo 1/2007, artículo 120 (Real Decreto-ley 7/2021)'),
  threeYears('PT', 'PT DL 84/2021', 'Decreto-Lei n.º 84/2021, artigo 12.º'),
  threeYears('SE', 'SE KKL 2022', 'Konsumentköplag (2022:260), 4 kap.'),
  {
    law: 'UK CCR 2013',
    source:
      'Consumer Contracts (Information, Cancellation and Additional Charges) Regulations 2013, regulations 27 to 38',
    countries: ['GB'],
    saleTypes: ['distance', 'off_premises'],
    claim: 'any',
    window: { within: { days: 14 }, roll: 'none' },
    exemptions: ukExemptions,
    fees: ['inspection', 'return_shipping'],
    shipping: 'standard',
    // Or from proof of sending, if that is earlier, which `refundClock` counts for a withdrawal.
    refund: { days: 14, from: 'receipt' },
    extension: {
      within: { years: 1 },
      waivedFees: ['inspection'],
      source: 'Consumer Contracts Regulations 2013, regulations 31 and 34(11)',
    },
  },
  {
    law: 'UK CRA 2015',
    source: 'Consumer Rights Act 2015, sections 20 to 22',
    countries: ['GB'],
    saleTypes: ['distance', 'off_premises', 'in_store'],
    claim: 'fault',
    window: { within: { days: 30 }, roll: 'none' },
    exemptions: [],
    fees: [],
    shipping: 'none',
    refund: null,
  },
  {
    law: 'BR CDC art. 49',
    source: 'Código de Defesa do Consumidor (Lei 8.078/1990), artigo 49; Código Civil, artigo 132',
    countries: ['BR'],
    saleTypes: ['distance', 'off_premises'],
    claim: 'any',
    window: { within: { days: 7 }, roll: 'next_working_day' },
    // The law names none.
    exemptions: [],
    fees: [],
    shipping: 'full',
    refund: null,
  },
  {
    law: 'BR CDC art. 26',
    source: 'Código de Defesa do Consumidor (Lei 8.078/1990), artigos 18 e 26, II',
    countries: ['BR'],
    saleTypes: ['distance', 'off_premises', 'in_store'],
    claim: 'fault',
    window: { within: { days: 90 }, roll: 'next_working_day' },
    exemptions: [],
    fees: [],
    shipping: 'none',
    refund: null,
  },
  {
    law: 'AU ACL',
    source: 'Australian Consumer Law (Competition and Consumer Act 2010, schedule 2), sections 54 to 56, 259 to 263',
    countries: ['AU'],
    saleTypes: ['distance', 'off_premises', 'in_store'],
    claim: 'fault',
    window: null,
    exemptions: [],
    fees: [],
    shipping: 'none',
    refund: null,
  },
];

/**
 * Whether a law lets the consumer of an order withdraw without a reason, as long as the period is open.
 * The rules of a deployment may differ: the match of a withdrawal applies them.
 */
export const isRightOfWithdrawal = ({
  country,
  destination,
  saleType = 'distance',
  buyerIsConsumer = true,
}: Pick<OrderFacts, 'country' | 'destination' | 'saleType' | 'buyerIsConsumer'>): boolean =>
  buyerIsConsumer &&
  statutoryRules.some(
    ({ claim, countries, saleTypes }) =>
      claim === 'any' && saleTypes.includes(saleType) && countries.includes(country ?? destination?.country ?? ''),
  );
