import type { Instant } from '../../returns/model/order.ts';
import type { Facts, LineFacts } from '../facts.ts';
import type { Anchor, WindowTerms } from '../policy.ts';
import { dateIn, daysAfter, endOfDay, lastDayOf } from '../time/calendar.ts';
import { isPublicHoliday } from '../time/holidays.ts';

type WindowLine = { readonly facts: Facts; readonly line: LineFacts };

/** The fact of each anchor. */
const anchorFacts: Readonly<Record<Anchor, string>> = {
  delivered: 'line.deliveredAt',
  last_item_delivered: 'order.lastDeliveredAt',
  shipped: 'line.shippedAt',
  placed: 'order.placedAt',
};

/** Returns the facts of which a window needs one. */
export const startFacts = ({ anchor, fallback }: WindowTerms): readonly string[] => [
  anchorFacts[anchor],
  ...(fallback === undefined ? [] : [anchorFacts[fallback.anchor]]),
];

const anchorAt = (anchor: Anchor, { facts, line }: WindowLine): Instant | undefined => {
  if (anchor === 'delivered') return line.deliveredAt;
  if (anchor === 'shipped') return line.shippedAt;
  return anchor === 'placed' ? facts.order.placedAt : facts.order.lastDeliveredAt;
};

type WindowStart = { readonly at: Instant; readonly days: number };

/** Returns the start and length of a window; undefined when neither anchor nor fallback is known. */
const startOf = ({ anchor, days, fallback }: WindowTerms, subject: WindowLine): WindowStart | undefined => {
  const at = anchorAt(anchor, subject);
  if (at !== undefined) return { at, days };
  const other = fallback && anchorAt(fallback.anchor, subject);
  return fallback === undefined || other === undefined ? undefined : { at: other, days: fallback.days };
};

/** Returns the latest seasonal last day for the date of the order. */
const seasonalDay = ({ seasonal = [] }: WindowTerms, { order }: Facts): string | undefined => {
  const { placedAt, timeZone } = order;
  if (seasonal.length === 0 || placedAt === undefined) return undefined;
  const date = dateIn(placedAt, timeZone);
  const until = seasonal.filter(({ from, to }) => from <= date && date <= to).map((season) => season.until);
  return until.toSorted().at(-1);
};

const computeEnd = (
  window: WindowTerms,
  start: WindowStart,
  { facts }: WindowLine,
  holidays: ReadonlySet<string>,
): Instant => {
  const { timeZone, country, region } = facts.order;
  const { roll = 'none', graceDays = 0 } = window;
  const isFree = (date: string) => holidays.has(date) || isPublicHoliday({ country, region }, date);
  const usual = lastDayOf({ within: { days: start.days }, roll }, dateIn(start.at, timeZone), isFree);
  const seasonal = seasonalDay(window, facts) ?? usual;
  const last = seasonal > usual ? seasonal : usual;
  return endOfDay(graceDays === 0 ? last : daysAfter(last, graceDays), timeZone);
};

/** A cached end, and all inputs of it other than its start, its window and the policy's holidays. */
type CachedEnd = {
  readonly end: Instant;
  readonly days: number;
  readonly timeZone: string;
  readonly country: string | undefined;
  readonly region: string | undefined;
  readonly placedAt: Instant | undefined;
};

const isSameWindow = (cached: CachedEnd, { days }: WindowStart, { order }: Facts): boolean =>
  cached.days === days &&
  cached.timeZone === order.timeZone &&
  cached.country === order.country &&
  cached.region === order.region &&
  cached.placedAt === order.placedAt;

/** Ends by their start. For one start, only the last computed end is cached. */
const endCache = new WeakMap<WindowTerms, Map<Instant, CachedEnd>>();
/** The maximum of cached ends of a window. Lines of an order often share a start. */
const maxEnds = 5_000;

/**
 * Returns the end of a line's window: the first instant after its last local day.
 * A last day that is not a working day moves first, then the season applies, then the grace days. Results are cached,
 * because one window is evaluated for the same days often.
 *
 * @param holidays the policy's holidays, in addition to those of the country and region
 * @returns undefined when the start is unknown
 */
export const windowEnd = (
  window: WindowTerms,
  subject: WindowLine,
  holidays: ReadonlySet<string>,
): Instant | undefined => {
  const start = startOf(window, subject);
  if (start === undefined) return undefined;
  const known = endCache.get(window) ?? new Map<Instant, CachedEnd>();
  const before = known.get(start.at);
  if (before !== undefined && isSameWindow(before, start, subject.facts)) return before.end;
  const end = computeEnd(window, start, subject, holidays);
  const { timeZone, country, region, placedAt } = subject.facts.order;
  if (known.size === maxEnds) known.clear();
  known.set(start.at, { end, days: start.days, timeZone, country, region, placedAt });
  endCache.set(window, known);
  return end;
};
