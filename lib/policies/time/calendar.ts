import { getISO } from 'temporal-polyfill/fns/Calendar';
import * as Instants from 'temporal-polyfill/fns/Instant';
import * as PlainDate from 'temporal-polyfill/fns/PlainDate';
import * as ZonedDateTime from 'temporal-polyfill/fns/ZonedDateTime';
import type { Instant } from '../../returns/model/order.ts';

/** As long as the date and the time to the second are, in RFC 3339. */
const secondsLength = 19;

const fraction = (at: Instant): string => at.slice(secondsLength + 1, -1).padEnd(9, '0');

const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Two instants in UTC in their order: below zero, zero, above. Text alone would put 08:00:00Z after 08:00:00.5Z. */
export const compareInstants = (a: Instant, b: Instant): number => {
  if (a.length === b.length) return compareText(a, b);
  const seconds = compareText(a.slice(0, secondsLength), b.slice(0, secondsLength));
  return seconds === 0 ? compareText(fraction(a), fraction(b)) : seconds;
};

/** How long something may be done, counted in calendar days of a time zone. */
export type Window = {
  readonly within: { readonly days: number } | { readonly years: number };
  /** Whether a last day that nobody works on gives way to the next one that somebody does. */
  readonly roll: 'none' | 'next_working_day';
};

const dateOf = (text: string): PlainDate.Record => PlainDate.fromString(text, getISO);

/** Whether an instant comes before another, with any offset; `compareInstants` is for those that are known to be in UTC. */
export const isBefore = (one: Instant, other: Instant): boolean =>
  Instants.compare(Instants.fromString(one), Instants.fromString(other)) < 0;

/** The latest of some instants; undefined when there are none. */
export const latestInstant = (instants: readonly Instant[]): Instant | undefined =>
  instants.toSorted((a, b) => Instants.compare(Instants.fromString(a), Instants.fromString(b))).at(-1);

/** Saturday, and Sunday after it. */
const weekend = 6;

/** The first day from this one on that is neither of a weekend nor a holiday. */
const workingDayFrom = (day: PlainDate.Record, isHoliday: (date: string) => boolean): PlainDate.Record => {
  let next = day;
  while (PlainDate.dayOfWeek(next) >= weekend || isHoliday(PlainDate.toString(next))) next = PlainDate.addDays(next, 1);
  return next;
};

/** The last millisecond before an end. */
export const justBefore = (end: Instant): Instant =>
  Instants.toString(Instants.subtractMilliseconds(Instants.fromString(end), 1), { fractionalSecondDigits: 3 });

/** Whether an instant is at most so many times 24 hours before another, and not after it. */
export const isWithinDays = (at: Instant, days: number, before: Instant): boolean => {
  const [from, to] = [Instants.fromString(at), Instants.fromString(before)];
  return Instants.compare(from, to) <= 0 && Instants.compare(Instants.addHours(from, 24 * days), to) >= 0;
};

/** The same instant in UTC. */
export const inUtc = (at: string): Instant => Instants.toString(Instants.fromString(at));

/** The date such as `2026-12-25` that an instant has in a time zone. */
export const dateIn = (at: Instant, timeZone: string): string =>
  PlainDate.toString(ZonedDateTime.toPlainDate(Instants.toZonedDateTimeISO(Instants.fromString(at), timeZone)));

/**
 * The last day of a window that begins on a date, which is not counted.
 *
 * @param isHoliday of a date such as `2026-12-25`, in the time zone
 */
export const lastDayOf = ({ within, roll }: Window, first: string, isHoliday: (date: string) => boolean): string => {
  const from = dateOf(first);
  const end = 'days' in within ? PlainDate.addDays(from, within.days) : PlainDate.addYears(from, within.years);
  return PlainDate.toString(roll === 'none' ? end : workingDayFrom(end, isHoliday));
};

/** A date so many days later. */
export const daysAfter = (date: string, days: number): string =>
  PlainDate.toString(PlainDate.addDays(dateOf(date), days));

const endCache = new Map<string, Instant>();
/** Some years of some time zones. */
const maxEnds = 20_000;

/** A year of more digits has a sign, and is no instant of the contract; as text it would come before every other. */
const lastInstant: Instant = '9999-12-31T23:59:59.999Z';

/** The first instant after a local day. Remembered: decisions ask for the same days again and again. */
export const endOfDay = (date: string, timeZone: string): Instant => {
  const key = date + timeZone;
  const known = endCache.get(key);
  if (known !== undefined) return known;
  const after = PlainDate.toZonedDateTime(PlainDate.addDays(dateOf(date), 1), { timeZone });
  const exact = Instants.toString(ZonedDateTime.toInstant(after), { fractionalSecondDigits: 3 });
  const end = exact.startsWith('+') ? lastInstant : exact;
  if (endCache.size === maxEnds) endCache.clear();
  endCache.set(key, end);
  return end;
};

/**
 * When a window ends: the first instant after its last local day. The day on which it begins is not counted; days are as
 * long as they are in the time zone, so that a change of the clock moves nothing.
 *
 * @param timeZone an IANA name
 * @param isHoliday of a date such as `2026-12-25`, in the time zone
 * @throws RangeError for a time zone that there is not
 */
export const endOfWindow = (
  window: Window,
  from: Instant,
  timeZone: string,
  isHoliday: (date: string) => boolean,
): Instant => endOfDay(lastDayOf(window, dateIn(from, timeZone), isHoliday), timeZone);

const canParse = (read: () => unknown): boolean => {
  try {
    read();
    return true;
  } catch {
    return false;
  }
};

/** Whether text is a date such as `2026-12-25`, and one that there is. */
export const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && canParse(() => dateOf(text));

/** Whether text is an instant in UTC such as `2026-12-25T08:00:00Z`, without leap seconds, and one that there is. */
export const isInstant = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d{1,9})?Z$/.test(text) && canParse(() => Instants.fromString(text));
