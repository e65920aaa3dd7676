import { getISO } from 'temporal-polyfill/fns/Calendar';
import * as Instants from 'temporal-polyfill/fns/Instant';
import * as PlainDate from 'temporal-polyfill/fns/PlainDate';
import * as ZonedDateTime from 'temporal-polyfill/fns/ZonedDateTime';
import type { Instant } from '../../returns/model/order.ts';

/** The length of date and time to the second in RFC 3339. */
const secondsLength = 19;

const fraction = (at: Instant): string => at.slice(secondsLength + 1, -1).padEnd(9, '0');

const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Compares two instants in UTC: negative, zero or positive. As text, 08:00:00Z would follow 08:00:00.5Z. */
export const compareInstants = (a: Instant, b: Instant): number => {
  if (a.length === b.length) return compareText(a, b);
  const seconds = compareText(a.slice(0, secondsLength), b.slice(0, secondsLength));
  return seconds === 0 ? compareText(fraction(a), fraction(b)) : seconds;
};

/** A period in calendar days of a time zone. */
export type Window = {
  readonly within: { readonly days: number } | { readonly years: number };
  /** Whether a last day that is not a working day moves to the next one. */
  readonly roll: 'none' | 'next_working_day';
};

const dateOf = (text: string): PlainDate.Record => PlainDate.fromString(text, getISO);

/** Returns whether an instant is before another, with any offset. Use `compareInstants` for instants in UTC. */
export const isBefore = (a: Instant, b: Instant): boolean =>
  Instants.compare(Instants.fromString(a), Instants.fromString(b)) < 0;

/** Returns the latest instant; undefined for an empty list. */
export const latestInstant = (instants: readonly Instant[]): Instant | undefined =>
  instants.toSorted((a, b) => Instants.compare(Instants.fromString(a), Instants.fromString(b))).at(-1);

/** Saturday. Sunday follows it. */
const weekend = 6;

/** Returns the first working day from this day on. */
const workingDayFrom = (day: PlainDate.Record, isHoliday: (date: string) => boolean): PlainDate.Record => {
  let next = day;
  while (PlainDate.dayOfWeek(next) >= weekend || isHoliday(PlainDate.toString(next))) next = PlainDate.addDays(next, 1);
  return next;
};

/** Returns the last millisecond before an end. */
export const justBefore = (end: Instant): Instant =>
  Instants.toString(Instants.subtractMilliseconds(Instants.fromString(end), 1), { fractionalSecondDigits: 3 });

/** Returns whether an instant is before another, by at most this many times 24 hours. */
export const isWithinDays = (at: Instant, days: number, before: Instant): boolean => {
  const [from, to] = [Instants.fromString(at), Instants.fromString(before)];
  return Instants.compare(from, to) <= 0 && Instants.compare(Instants.addHours(from, 24 * days), to) >= 0;
};

/** Returns the instant in UTC. */
export const inUtc = (at: string): Instant => Instants.toString(Instants.fromString(at));

/** Returns the date of an instant in a time zone, such as `2026-12-25`. */
export const dateIn = (at: Instant, timeZone: string): string =>
  PlainDate.toString(ZonedDateTime.toPlainDate(Instants.toZonedDateTimeISO(Instants.fromString(at), timeZone)));

/**
 * Returns the last day of a window that starts on a date. The start is not counted.
 *
 * @param isHoliday tests a date such as `2026-12-25`, in the time zone
 */
export const lastDayOf = ({ within, roll }: Window, first: string, isHoliday: (date: string) => boolean): string => {
  const from = dateOf(first);
  const end = 'days' in within ? PlainDate.addDays(from, within.days) : PlainDate.addYears(from, within.years);
  return PlainDate.toString(roll === 'none' ? end : workingDayFrom(end, isHoliday));
};

/** Adds days to a date. */
export const daysAfter = (date: string, days: number): string =>
  PlainDate.toString(PlainDate.addDays(dateOf(date), days));

/** The parts of a date by which laws name holidays. Monday is weekday 1, and March 1 has 0 days from March. */
type DateParts = { readonly year: number; readonly weekday: number; readonly fromMarch: number };

/** Returns the parts of a date such as `2026-12-25`. */
export const partsOf = (text: string): DateParts => {
  const date = dateOf(text);
  const fromMarch = PlainDate.dayOfYear(date) - (PlainDate.inLeapYear(date) ? 61 : 60);
  return { year: date.year, weekday: PlainDate.dayOfWeek(date), fromMarch };
};

const endCache = new Map<string, Instant>();
/** Enough for some years of some time zones. */
const maxEnds = 20_000;

/** The last instant of the contract. Years with more digits have a sign, and would sort before all others as text. */
const lastInstant: Instant = '9999-12-31T23:59:59.999Z';

/** Returns the first instant after a local day. Results are cached, because decisions use the same days often. */
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
 * Returns the end of a window: the first instant after its last local day.
 * The start day is not counted. Days have their length in the time zone, so a clock change moves nothing.
 *
 * @param timeZone an IANA name
 * @param isHoliday tests a date such as `2026-12-25`, in the time zone
 * @throws RangeError for an unknown time zone
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

/** Returns whether text is a valid date such as `2026-12-25`. */
export const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && canParse(() => dateOf(text));

/** Returns whether text is a valid instant in UTC such as `2026-12-25T08:00:00Z`, without leap seconds. */
export const isInstant = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d{1,9})?Z$/.test(text) && canParse(() => Instants.fromString(text));
