import type { CreateReturn } from '../../returns/commands/request/settle-request.ts';
import type { Instant, Order, OrderFacts, OrderLine } from '../../returns/model/order.ts';
import { sum } from '../../returns/units-by-line.ts';
import type { Right } from '../facts.ts';
import { endOfWindow, isBefore, latestInstant, isPublicHoliday } from '../time/calendar.ts';
import { timeZoneOf } from '../time/time-zones.ts';
import { faultBases, type StatutoryRule } from './statutory-rules.ts';

/** The parts of a request that a right may depend on. */
export type Claim = Pick<CreateReturn, 'basis'> & {
  readonly lines: readonly { readonly orderLineId: string; readonly reason: { readonly code: string } }[];
};

/** Reasons that state a fault of the goods. */
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
 * Returns when the last goods of the whole order were delivered; undefined when that is unknown.
 * Goods of one order that arrive separately have one period. The last of them starts it (Directive 2011/83/EU, article
 * 9(2)(b)(i)). Unsent units count as expected, because the facts do not say that they were removed from the order.
 */
const lastDelivery = ({ lines, completeness }: OrderFacts): Instant | undefined => {
  if (completeness === 'partial' || !lines.every(isFullyDelivered)) return undefined;
  return latestInstant(lines.flatMap(({ deliveries = [] }) => deliveries.map(({ at }) => at)));
};

/** A rule whose period has not ended, with what is known of the end. */
type RunningRule = { readonly rule: StatutoryRule } & Pick<Right, 'until' | 'certain'>;

/** Returns the rule while its period runs. The period has not started while the delivery is unknown. */
const runningRules = (rule: StatutoryRule, facts: OrderFacts, country: string, at: Instant): readonly RunningRule[] => {
  if (rule.window === null) return [{ rule, until: null, certain: true }];
  const delivered = lastDelivery(facts);
  if (delivered === undefined) return [{ rule, until: null, certain: false }];
  const isFree = (day: string) => isPublicHoliday(country, day) || rule.holidays?.includes(day) === true;
  const until = endOfWindow(rule.window, delivered, timeZoneOf(facts.timeZone, country), isFree);
  return isBefore(at, until) ? [{ rule, until, certain: true }] : [];
};

/** Returns the rules that apply to the facts of an order. A fact that ends a consumer's right must be known. */
const rulesFor = (rules: readonly StatutoryRule[], facts: OrderFacts, at: Instant): readonly RunningRule[] => {
  const country = countryOf(facts);
  if (country === undefined || facts.buyerIsConsumer === false) return [];
  return rules
    .filter((rule) => rule.countries.includes(country) && rule.saleTypes.includes(facts.saleType ?? 'distance'))
    .flatMap((rule) => runningRules(rule, facts, country, at));
};

/**
 * Returns what an exemption leaves of a right. An exemption that the law does not know does not remove the right. So no
 * customer loses a right by a typo. It leaves the right uncertain, because the shop had a reason to state it. Sealed
 * goods are exempt only once they are unsealed, which an inspection decides.
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
 * Returns the statutory rights for the lines of a request, whatever its basis.
 * Every rule that applies counts.
 *
 * A right is certain when country and delivery are known. An unknown sale type counts as a distance sale, and an
 * unknown buyer as a consumer. An unknown time zone is the country's. These defaults leave a right certain.
 * @param rules `statutoryRules`, or those of the deployment
 * @param at when the return was requested
 * @returns rights by order line; a line without rights has an empty list, and an unknown line is absent
 */
export const rightsOf = (
  rules: readonly StatutoryRule[],
  { facts }: Pick<Order, 'facts'>,
  claim: Claim,
  at: Instant,
): ReadonlyMap<string, readonly Right[]> => {
  const held = rulesFor(rules, facts, at);
  const requestedIds = new Set(claim.lines.map(({ orderLineId }) => orderLineId));
  return new Map(
    facts.lines
      .filter(({ lineId }) => requestedIds.has(lineId))
      .map((line) => [line.lineId, held.flatMap((one) => rightOf(one, line, claim))]),
  );
};
