import type { CreateReturn } from '../../returns/commands/request/decide-request.ts';
import type { Instant, Order, OrderFacts, OrderLine } from '../../returns/model/order.ts';
import { sum } from '../../returns/units-by-line.ts';
import type { Right } from '../facts.ts';
import { dateIn, endOfDay, endOfWindow, isBefore, lastDayOf, latestInstant, type Window } from '../time/calendar.ts';
import { isPublicHoliday, placeOf } from '../time/holidays.ts';
import { timeZoneOf } from '../time/time-zones.ts';
import { defectBases, type StatutoryRule } from './statutory-rules.ts';
import type { Exemption } from './exemptions.ts';

/** The parts of a request that a right may depend on. */
export type Claim = Pick<CreateReturn, 'basis'> & {
  readonly lines: readonly { readonly orderLineId: string; readonly reason: { readonly code: string } }[];
};

/** Reasons that state a defect of the goods. */
const defectReasons = ['condition.', 'fulfilment.', 'description.', 'product.quality', 'safety.'];

/** Returns whether a claim states a defect of an order line. */
export const statesDefect = ({ basis, lines }: Claim, line: Pick<OrderLine, 'lineId'>): boolean =>
  (basis !== undefined && defectBases.has(basis)) ||
  lines.some(
    ({ orderLineId, reason }) =>
      orderLineId === line.lineId && defectReasons.some((start) => reason.code.startsWith(start)),
  );

/** Returns the country whose law applies to an order. */
export const countryOfLaw = ({ country, destination }: OrderFacts): string | undefined =>
  country ?? destination?.country;

const isFullyDelivered = ({ deliveries = [], quantity }: OrderLine): boolean =>
  sum(deliveries.map((delivery) => delivery.quantity)) >= quantity;

/**
 * Returns when the last goods of the whole order were delivered; undefined when that is unknown.
 * Goods of one order that arrive separately have one period. The last of them starts it (Directive 2011/83/EU, article
 * 9(2)(b)(i)). Unsent units count as expected, because the facts do not say that they were removed from the order.
 */
export const lastDelivery = ({ lines, completeness }: OrderFacts): Instant | undefined => {
  if (completeness === 'partial' || !lines.every(isFullyDelivered)) return undefined;
  return latestInstant(lines.flatMap(({ deliveries = [] }) => deliveries.map(({ at }) => at)));
};

/**
 * Returns whether the facts state that no unit of a line reached the customer.
 * A line without `deliveries` states nothing, because most platforms do not report them. A line of which a part arrived
 * states nothing either: the other units may have been removed from the order.
 */
const isUndelivered = ({ deliveries, fulfilledQuantity }: OrderLine): boolean =>
  deliveries === undefined ? fulfilledQuantity === 0 : deliveries.length === 0 && (fulfilledQuantity ?? 0) === 0;

/**
 * Returns the test for public holidays of the place of the customer, who acts there, and of the rule. The region of the
 * destination is one of its own country only.
 */
const isFreeFor = ({ holidays, holidaysOf = [] }: StatutoryRule, facts: OrderFacts): ((day: string) => boolean) => {
  const country = countryOfLaw(facts);
  const region = facts.destination?.country === country ? facts.destination?.region : undefined;
  const places = [{ country, region }, ...holidaysOf.flatMap((text) => placeOf(text) ?? [])];
  return (day) => holidays?.includes(day) === true || places.some((place) => isPublicHoliday(place, day));
};

/** Returns the time zone in which the law of an order counts days. */
export const zoneOfDays = (facts: OrderFacts): string => timeZoneOf(facts.timeZone, countryOfLaw(facts) ?? '');

/** Returns the first instant after some days of a rule, counted from an instant in the time zone of an order. */
export const endOfDays = (rule: StatutoryRule, window: Window, from: Instant, facts: OrderFacts): Instant =>
  endOfWindow(window, from, zoneOfDays(facts), isFreeFor(rule, facts));

/**
 * Returns whether a rule has other terms for this consumer, who was informed late or not at all. The information is in
 * time before the contract (Directive 2011/83/EU, article 6(1)).
 */
const isUninformed = ({ extension }: StatutoryRule, { withdrawalInformation, placedAt }: OrderFacts): boolean => {
  if (!extension || withdrawalInformation === undefined) return false;
  const { given, at } = withdrawalInformation;
  return !given || (at !== undefined && (placedAt === undefined || isBefore(placedAt, at)));
};

/**
 * Returns the end of a right: the first instant after its last day.
 * A consumer without information has longer. Information within the time of the extension starts the usual period
 * again. It never ends the right before the usual end.
 */
const endOfRight = (rule: StatutoryRule, window: Window, delivered: Instant, facts: OrderFacts): Instant => {
  const timeZone = zoneOfDays(facts);
  const isFree = isFreeFor(rule, facts);
  const first = dateIn(delivered, timeZone);
  const usual = lastDayOf(window, first, isFree);
  if (!rule.extension || !isUninformed(rule, facts)) return endOfDay(usual, timeZone);
  const { within } = rule.extension;
  const { given, at } = facts.withdrawalInformation ?? {};
  // A time of information that was not given counts for nothing.
  const informed = given === true && at !== undefined ? dateIn(at, timeZone) : undefined;
  if (informed === undefined || informed > lastDayOf({ within, roll: 'none' }, first, isFree))
    return endOfDay(lastDayOf({ within, roll: window.roll }, usual, isFree), timeZone);
  const again = lastDayOf(window, informed, isFree);
  return endOfDay(again > usual ? again : usual, timeZone);
};

/** The period of a rule for an order. It has no known start while the delivery of a unit is unknown. */
type Period = { readonly rule: StatutoryRule; readonly isKnown: boolean } & Pick<Right, 'until'>;

const periodOf = (rule: StatutoryRule, facts: OrderFacts): Period => {
  if (rule.window === null) return { rule, isKnown: true, until: null };
  const delivered = lastDelivery(facts);
  if (delivered === undefined) return { rule, isKnown: false, until: null };
  return { rule, isKnown: true, until: endOfRight(rule, rule.window, delivered, facts) };
};

/**
 * Returns whether a right is open for certain although the period of the order has no known start. The last delivery of
 * the order starts it, so it ends no earlier than a period from the delivery of this line.
 */
const isOpenByOwnDelivery = (
  { window, ...rule }: StatutoryRule,
  { deliveries = [] }: OrderLine,
  facts: OrderFacts,
  at: Instant,
): boolean => {
  const delivered = latestInstant(deliveries.map((delivery) => delivery.at));
  if (window === null || delivered === undefined || facts.completeness === 'partial') return false;
  return isBefore(at, endOfRight({ ...rule, window }, window, delivered, facts));
};

/** A rule that applies to a line, and what it grants at a time, whatever the customer claims. */
export type LineRight = Pick<Right, 'until' | 'certain'> & {
  readonly rule: StatutoryRule;
  readonly status: 'open' | 'ended' | 'exempt';
  /** Whether it is certain only because no unit of the line reached the customer. */
  readonly isBeforeDelivery: boolean;
  /** Whether the rule treats consumers without information differently, and this one had none in time. */
  readonly isUninformed: boolean;
  /** The exemption that the line names, if the rule has it. */
  readonly exemption?: Exemption;
};

/**
 * Returns what the period of a rule means for a line.
 * An exemption that the law does not know does not remove the right. So no customer loses a right by a typo. It leaves
 * the right uncertain, because the shop had a reason to state it. Sealed goods are exempt only once they are unsealed,
 * which an inspection decides.
 *
 * A right of withdrawal exists from the contract on, and only its end depends on the delivery. So it is certain before
 * the delivery of the line. A partial order may lack the facts that say otherwise.
 */
const lineRight = ({ rule, isKnown, until }: Period, line: OrderLine, facts: OrderFacts, at: Instant): LineRight => {
  const { withdrawalExemption: named } = line;
  const exemption = rule.exemptions.find(({ code }) => code === named);
  const about = {
    rule,
    isBeforeDelivery: false,
    isUninformed: isUninformed(rule, facts),
    ...(exemption === undefined ? {} : { exemption }),
  };
  if (exemption?.decidedAt === 'request') return { ...about, status: 'exempt', until: null, certain: true };
  if (until !== null && !isBefore(at, until)) return { ...about, status: 'ended', until, certain: true };
  const isTypo = named !== undefined && rule.exemptions.length > 0 && exemption === undefined;
  const isBeforeDelivery = !isKnown && rule.claim === 'any' && facts.completeness !== 'partial' && isUndelivered(line);
  const isCertain = isKnown || isBeforeDelivery || isOpenByOwnDelivery(rule, line, facts, at);
  return { ...about, status: 'open', until, certain: !isTypo && isCertain, isBeforeDelivery };
};

/**
 * Returns the rules that apply to an order, as a function of its lines. A fact that ends a consumer's right must be
 * known.
 */
export const lineRightsOf = (
  rules: readonly StatutoryRule[],
  facts: OrderFacts,
  at: Instant,
): ((line: OrderLine) => readonly LineRight[]) => {
  const country = countryOfLaw(facts);
  if (country === undefined || facts.buyerIsConsumer === false) return () => [];
  const periods = rules
    .filter((rule) => rule.countries.includes(country) && rule.saleTypes.includes(facts.saleType ?? 'distance'))
    .map((rule) => periodOf(rule, facts));
  return (line) => periods.map((period) => lineRight(period, line, facts, at));
};

/**
 * Returns the right of a line to which a claim refers. Before the delivery it is certain for a declared withdrawal only.
 * Any other request for such goods, such as one for a lost parcel, may mean something else.
 */
const claimedRight = (held: LineRight, line: OrderLine, claim: Claim): readonly Right[] => {
  const { rule, status, until, certain, isBeforeDelivery, isUninformed } = held;
  if (status !== 'open' || (rule.claim === 'fault' && !statesDefect(claim, line))) return [];
  const kind = rule.claim === 'any' ? 'withdrawal' : 'fault';
  const isCertain = certain && (!isBeforeDelivery || claim.basis === 'withdrawal');
  const uninformed = isUninformed ? { uninformed: true as const } : {};
  return [{ law: rule.law, claim: kind, until, certain: isCertain, ...uninformed }];
};

/**
 * Returns the statutory rights for the lines of a request, whatever its basis.
 * Every rule that applies counts.
 *
 * A right is certain when country and delivery are known, or when a withdrawal is declared before the delivery. An
 * unknown sale type counts as a distance sale, and an unknown buyer as a consumer. An unknown time zone is the
 * country's. Without a fact about it, the consumer was informed. These defaults leave a right certain.
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
  const held = lineRightsOf(rules, facts, at);
  const requestedIds = new Set(claim.lines.map(({ orderLineId }) => orderLineId));
  return new Map(
    facts.lines
      .filter(({ lineId }) => requestedIds.has(lineId))
      .map((line) => [line.lineId, held(line).flatMap((right) => claimedRight(right, line, claim))]),
  );
};

/**
 * Returns the order lines that a declared withdrawal covers: those with a right of withdrawal, certain or not. It is
 * empty for another basis.
 */
export const withdrawableLines = (
  rules: readonly StatutoryRule[],
  order: Pick<Order, 'facts'>,
  claim: Claim,
  at: Instant,
): ReadonlySet<string> => {
  if (claim.basis !== 'withdrawal') return new Set();
  const rights = rightsOf(rules, order, claim, at);
  return new Set(
    [...rights].filter(([, held]) => held.some((right) => right.claim === 'withdrawal')).map(([id]) => id),
  );
};
