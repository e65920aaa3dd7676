import type { CreateReturn } from '../../returns/commands/request/new-return.ts';
import type { Instant, Order, OrderFacts, OrderLine } from '../../returns/model/order.ts';
import { sum } from '../../returns/units-by-line.ts';
import type { Right } from '../facts.ts';
import { endOfWindow, isBefore, latestInstant } from '../time/calendar.ts';
import { isHoliday } from '../time/holiday-table.ts';
import { timeZoneOf } from '../time/time-zones.ts';
import { faultBases, type StatutoryRule } from './statutory-rules.ts';

/** What of a request a right may rest on. */
export type Claim = Pick<CreateReturn, 'basis'> & {
  readonly lines: readonly { readonly orderLineId: string; readonly reason: { readonly code: string } }[];
};

/** Reasons that say that something is wrong with the goods. */
const faultReasons = ['condition.', 'fulfilment.', 'description.', 'product.quality', 'safety.'];

const hasFault = ({ basis, lines }: Claim, line: OrderLine): boolean =>
  (basis !== undefined && faultBases.has(basis)) ||
  lines.some(
    ({ orderLineId, reason }) =>
      orderLineId === line.lineId && faultReasons.some((start) => reason.code.startsWith(start)),
  );

const countryOf = ({ country, destination }: OrderFacts): string | undefined => country ?? destination?.country;

const isFullyDelivered = ({ deliveries = [], quantity }: OrderLine): boolean =>
  sum(deliveries.map((one) => one.quantity)) >= quantity;

/**
 * When the last of the goods of the whole order came; undefined where that is not known of all of them. Goods of one
 * order that come apart have one period, and the last of them begins it (Directive 2011/83/EU, article 9(2)(b)(i)).
 * Units that were not sent count as still to come, as nobody says here that they were taken off the order.
 */
const lastDelivery = ({ lines, completeness }: OrderFacts): Instant | undefined => {
  if (completeness === 'partial' || !lines.every(isFullyDelivered)) return undefined;
  return latestInstant(lines.flatMap(({ deliveries = [] }) => deliveries.map(({ at }) => at)));
};

/** A rule that is not over, and what is known of its end. */
type RunningRule = { readonly rule: StatutoryRule } & Pick<Right, 'until' | 'certain'>;

/** What is not known to have been delivered has not begun to run out. */
const runningRules = (rule: StatutoryRule, facts: OrderFacts, country: string, at: Instant): readonly RunningRule[] => {
  if (rule.window === null) return [{ rule, until: null, certain: true }];
  const delivered = lastDelivery(facts);
  if (delivered === undefined) return [{ rule, until: null, certain: false }];
  const isFree = (day: string) => isHoliday(country, day) || rule.holidays?.includes(day) === true;
  const until = endOfWindow(rule.window, delivered, timeZoneOf(facts.timeZone, country), isFree);
  return isBefore(at, until) ? [{ rule, until, certain: true }] : [];
};

/** The rules that an order's facts leave. What speaks against a consumer's right must be known. */
const rulesFor = (rules: readonly StatutoryRule[], facts: OrderFacts, at: Instant): readonly RunningRule[] => {
  const country = countryOf(facts);
  if (country === undefined || facts.buyerIsConsumer === false) return [];
  return rules
    .filter((rule) => rule.countries.includes(country) && rule.saleTypes.includes(facts.saleType ?? 'distance'))
    .flatMap((rule) => runningRules(rule, facts, country, at));
};

/**
 * What an exemption leaves of a right. A word that the law's exemptions do not know takes nothing away, as nobody loses a
 * right by a typo; but it leaves the right uncertain, for the shop meant something by it. Sealed goods are exempt only
 * once they are unsealed, which nobody knows before they are inspected.
 */
const rightAfterExemption = (
  { withdrawalExemption }: OrderLine,
  { exemptions }: StatutoryRule,
): 'taken' | 'certain' | 'uncertain' => {
  if (withdrawalExemption === undefined || exemptions.length === 0) return 'certain';
  const exemption = exemptions.find(({ code }) => code === withdrawalExemption);
  if (exemption === undefined) return 'uncertain';
  return exemption.decidedAt === 'request' ? 'taken' : 'certain';
};

const rightOf = ({ rule, until, certain }: RunningRule, line: OrderLine, claim: Claim): readonly Right[] => {
  const left = rightAfterExemption(line, rule);
  if (left === 'taken' || (rule.claim === 'fault' && !hasFault(claim, line))) return [];
  const kind = rule.claim === 'any' ? 'withdrawal' : 'fault';
  return [{ law: rule.law, claim: kind, until, certain: certain && left === 'certain' }];
};

/**
 * The rights that the law gives for the lines that a request names, whatever it is based on: every rule that holds
 * counts. They are certain where country and delivery are known. A kind of sale or of buyer that is not told counts as
 * at a distance and as a consumer, and a time zone that is not told as the country's: that leaves nothing uncertain.
 *
 * @param rules `statutoryRules`, or those of the deployment
 * @param at when the return was requested
 * @returns by line of the order; a line without rights has none in its list, a line that the order does not have is not there
 */
export const rightsOf = (
  rules: readonly StatutoryRule[],
  { facts }: Pick<Order, 'facts'>,
  claim: Claim,
  at: Instant,
): ReadonlyMap<string, readonly Right[]> => {
  const held = rulesFor(rules, facts, at);
  const asked = new Set(claim.lines.map(({ orderLineId }) => orderLineId));
  return new Map(
    facts.lines
      .filter(({ lineId }) => asked.has(lineId))
      .map((line) => [line.lineId, held.flatMap((one) => rightOf(one, line, claim))]),
  );
};
