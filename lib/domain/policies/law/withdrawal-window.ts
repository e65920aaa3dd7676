import type { Instant, Order, OrderFacts, OrderLine } from '../../returns/model/order.ts';
import type { RefundClock } from '../../returns/model/terms.ts';
import { isBefore } from '../time/calendar.ts';
import { countryOfLaw, endOfDays, type LineRight, lineRightsOf, zoneOfDays } from './rights.ts';
import type { StatutoryRule } from './statutory-rules.ts';
import type { Exemption } from './exemptions.ts';

/** The right of withdrawal for one line of an order, at a time. */
export type WithdrawalWindow = {
  readonly orderLineId: string;
  /**
   * `none` when no law grants the right. `ended` when its last day is over. `exempt` when the law exempts the goods
   * whatever the customer does with them.
   */
  readonly right: 'none' | 'open' | 'ended' | 'exempt';
  readonly law?: string;
  readonly source?: string;
  /** When the right began: the time of the contract, if it is known. */
  readonly since?: Instant;
  /** The first instant after its last day; null while the start of the period is unknown, and without a right. */
  readonly until: Instant | null;
  /** Whether all facts that the result depends on are known. */
  readonly certain: boolean;
  /** The exemption that the line names. With the right open, an inspection decides on it. */
  readonly exemption?: Exemption;
};

const statusByGenerosity = ['exempt', 'ended', 'open'] as const;

/** Compares rights for the customer: an open one counts more than an ended one, and a certain or later one more. */
const compareRights = (a: LineRight, b: LineRight): number =>
  statusByGenerosity.indexOf(a.status) - statusByGenerosity.indexOf(b.status) ||
  Number(a.certain) - Number(b.certain) ||
  Number(a.until === null) - Number(b.until === null) ||
  (a.until === null || b.until === null || a.until === b.until ? 0 : isBefore(a.until, b.until) ? -1 : 1);

const windowOf = (held: readonly LineRight[], { lineId }: OrderLine, facts: OrderFacts): WithdrawalWindow => {
  const best = held
    .filter(({ rule }) => rule.claim === 'any')
    .toSorted(compareRights)
    .at(-1);
  if (best === undefined) {
    // An unknown country may have a law.
    const certain = countryOfLaw(facts) !== undefined || facts.buyerIsConsumer === false;
    return { orderLineId: lineId, right: 'none', until: null, certain };
  }
  const { rule, status, until, certain, exemption } = best;
  return {
    orderLineId: lineId,
    right: status,
    law: rule.law,
    source: status === 'exempt' && exemption !== undefined ? exemption.source : rule.source,
    ...(facts.placedAt === undefined || status === 'exempt' ? {} : { since: facts.placedAt }),
    until,
    certain,
    ...(exemption === undefined ? {} : { exemption }),
  };
};

/**
 * Returns the window of the right of withdrawal for each line of an order, in the sequence of the lines.
 * The last second of the last day counts, in the time zone of the order.
 *
 * @param rules `statutoryRules`, or those of the deployment
 * @param at the time of the declaration
 */
export const withdrawalWindows = (
  rules: readonly StatutoryRule[],
  { facts }: Pick<Order, 'facts'>,
  at: Instant,
): readonly WithdrawalWindow[] => {
  const held = lineRightsOf(rules, facts, at);
  return facts.lines.map((line) => windowOf(held(line), line, facts));
};

/**
 * The obligations after a declared withdrawal. They are data, taken from the cited texts by people who are not lawyers.
 * Have counsel review them before you rely on them.
 */
export type Obligations = {
  /** Days of the customer to send the goods back; null when the law sets none. */
  readonly sendBackDays: number | null;
  /**
   * What the payment waits for. The days of the rule's `refund` count from the declaration with `may_wait`, and the shop
   * may wait for the goods or proof of sending. They count from goods or proof with `from_goods`. `at_once` has no days.
   */
  readonly payment: RefundClock['payment'];
  readonly source: string;
  /** When the shop confirms the receipt of a declaration on a web page. */
  readonly receipt: { readonly due: 'at_once' | 'without_delay' | 'without_undue_delay'; readonly source: string };
};

/** The obligations by law. They are apart from the rules, because most functions need only the rights. */
export const obligations: ReadonlyMap<string, Obligations> = new Map([
  [
    'EU 2011/83',
    {
      sendBackDays: 14,
      payment: 'may_wait',
      source: 'Directive 2011/83/EU, articles 13(1), 13(3) and 14(1)',
      receipt: { due: 'without_undue_delay', source: 'Directive 2011/83/EU, article 11a(4)' },
    },
  ],
  [
    'UK CCR 2013',
    {
      sendBackDays: 14,
      payment: 'from_goods',
      source: 'Consumer Contracts Regulations 2013, regulations 34(4) to (6) and 35',
      // Unverified: no quotation of the paragraph was found.
      receipt: { due: 'without_delay', source: 'Consumer Contracts Regulations 2013, regulation 32(4)' },
    },
  ],
  [
    'BR CDC art. 49',
    {
      sendBackDays: null,
      payment: 'at_once',
      source: 'Código de Defesa do Consumidor (Lei 8.078/1990), artigo 49, parágrafo único',
      // https://www.planalto.gov.br/ccivil_03/_ato2011-2014/2013/decreto/d7962.htm
      receipt: { due: 'at_once', source: 'Decreto 7.962/2013, artigo 5º, § 4º' },
    },
  ],
]);

/**
 * Returns the end of the customer's time to send the goods back; null when the law sets none.
 * Goods that arrive after the declaration cannot be sent back before. Then the days count from the delivery.
 *
 * @param deliveredAt when the last goods arrived, if they arrived after the declaration
 */
export const sendBackEnd = (
  rule: StatutoryRule,
  { facts }: Pick<Order, 'facts'>,
  { declaredAt, deliveredAt }: { readonly declaredAt: Instant; readonly deliveredAt?: Instant },
): Instant | null => {
  const days = obligations.get(rule.law)?.sendBackDays ?? null;
  if (days === null) return null;
  const from = deliveredAt !== undefined && isBefore(declaredAt, deliveredAt) ? deliveredAt : declaredAt;
  return endOfDays(rule, { within: { days }, roll: rule.window?.roll ?? 'none' }, from, facts);
};

/**
 * Returns when a law requires the refund of a withdrawal; undefined for a rule that says nothing of it.
 * A day that is not a working day does not move the end, because an early payment breaks no law.
 */
export const refundClock = (
  rule: StatutoryRule,
  { facts }: Pick<Order, 'facts'>,
  declaredAt: Instant,
): RefundClock | undefined => {
  const { law, refund } = rule;
  const payment = obligations.get(law)?.payment;
  const timeZone = zoneOfDays(facts);
  if (payment === 'at_once') return { payment, due: declaredAt, days: 0, timeZone };
  if (payment === undefined || refund === null) return undefined;
  const { days } = refund;
  return { payment, due: endOfDays(rule, { within: { days }, roll: 'none' }, declaredAt, facts), days, timeZone };
};
