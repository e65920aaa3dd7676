import type { CreateReturn } from '../returns/commands/create-return.ts';
import type { Instant, Order, OrderFacts } from '../returns/order.ts';
import type { Terms } from '../returns/rules/terms.ts';
import { endOf, latest } from './calendar.ts';
import { isHoliday } from './holidays.ts';
import { faultBases, statutoryRules, type StatutoryRule } from './statutory-rules.ts';
import { timeZoneOf } from './time-zones.ts';

/** What of a request a right may rest on. */
type Request = Pick<CreateReturn, 'basis'> & {
  readonly lines?: readonly { readonly reason: { readonly code: string } }[];
};

/** Reasons that say that something is wrong with the goods. */
const faultReasons = ['condition.', 'fulfilment.', 'description.', 'product.quality', 'safety.'];

const hasFault = ({ basis, lines = [] }: Request): boolean =>
  (basis !== undefined && faultBases.has(basis)) ||
  lines.some(({ reason }) => faultReasons.some((start) => reason.code.startsWith(start)));

const countryOf = ({ country, destination }: OrderFacts): string | undefined => country ?? destination?.country;

/** When the last of the goods came; undefined where that is not known of all of them. */
const lastDelivery = ({ lines }: OrderFacts): Instant | undefined => {
  if (lines.some(({ deliveries = [] }) => deliveries.length === 0)) return undefined;
  return latest(lines.flatMap(({ deliveries = [] }) => deliveries.map(({ at }) => at)));
};

/** Whether the time to claim it is not over. What is not known to have been delivered has not begun to run out. */
const isInTime = ({ window }: StatutoryRule, facts: OrderFacts, country: string, at: Instant): boolean => {
  const delivered = lastDelivery(facts);
  if (window === null || delivered === undefined) return true;
  const end = endOf(window, delivered, timeZoneOf(facts.timeZone, country), (day) => isHoliday(country, day));
  return at < end;
};

/** The rules that hold for a request. What speaks against a consumer's right must be known. */
const rulesFor = ({ facts }: Order, request: Request, at: Instant): readonly StatutoryRule[] => {
  const country = countryOf(facts);
  if (country === undefined || facts.buyerIsConsumer === false) return [];
  return statutoryRules.filter(
    (rule) =>
      rule.countries.includes(country) &&
      rule.saleTypes.includes(facts.saleType ?? 'distance') &&
      (rule.claim === 'any' || hasFault(request)) &&
      isInTime(rule, facts, country, at),
  );
};

const generosity = ['none', 'statutory', 'proportional', 'full_if_whole_order'] as const;

/** The mode that gives more of the shipping back. */
const better = (given: Terms['shipping'], law: StatutoryRule['shipping']): Terms['shipping'] => {
  const least = { none: 'none', standard: 'statutory', full: 'full_if_whole_order' } as const;
  return generosity[Math.max(generosity.indexOf(given), generosity.indexOf(least[law]))] ?? given;
};

const sooner = (given: number | null, law: number | null): number | null =>
  given === null || law === null ? (given ?? law) : Math.min(given, law);

const floorOf = (given: Terms['floor'], rules: readonly StatutoryRule[]): Terms['floor'] => {
  const all = [...(given === null ? [] : [given]), ...rules];
  const [first, ...others] = all;
  if (first === undefined) return null;
  const fees = first.fees.filter((fee) => others.every((other) => other.fees.includes(fee)));
  return { law: all.map(({ law }) => law).join(', '), fees };
};

/**
 * The terms of a new return: those of the deployment, raised to what the law gives the customer at least. Every rule that
 * holds counts, whatever the request is based on; nobody is worse off by one.
 *
 * @param at when the return was requested
 */
export const termsOf = (defaults: Terms, order: Order, request: Request, at: Instant): Terms => {
  const rules = rulesFor(order, request, at);
  if (rules.length === 0) return defaults;
  const { refundDueDays, ...deadlines } = defaults.deadlines;
  return {
    ...defaults,
    floor: floorOf(defaults.floor, rules),
    shipping: rules.reduce((shipping, rule) => better(shipping, rule.shipping), defaults.shipping),
    deadlines: {
      ...deadlines,
      refundDueDays: rules.reduce((days, rule) => sooner(days, rule.refundDays), refundDueDays),
    },
  };
};
