import { getISO } from 'temporal-polyfill/fns/Calendar';
import * as Instants from 'temporal-polyfill/fns/Instant';
import * as PlainDate from 'temporal-polyfill/fns/PlainDate';
import * as ZonedDateTime from 'temporal-polyfill/fns/ZonedDateTime';
import type { Instant } from '../returns/order.ts';

/** How long something may be done, counted in calendar days of a time zone. */
export type Window = {
  readonly within: { readonly days: number } | { readonly years: number };
  /** Whether a last day that nobody works on gives way to the next one that somebody does. */
  readonly roll: 'none' | 'next_working_day';
};

const dateOf = (text: string): PlainDate.Record => PlainDate.fromString(text, getISO);

/** Whole days from one date such as `2026-12-25` to another; below zero when it comes before. */
export const daysBetween = (from: string, to: string): number => PlainDate.diffDays(dateOf(from), dateOf(to));

/** The latest of some instants; undefined when there are none. */
export const latest = (instants: readonly Instant[]): Instant | undefined =>
  instants.toSorted((a, b) => Instants.compare(Instants.fromString(a), Instants.fromString(b))).at(-1);

/** Saturday, and Sunday after it. */
const weekend = 6;

/** The first day from this one on that is neither of a weekend nor a holiday. */
const workingDayFrom = (day: PlainDate.Record, isHoliday: (date: string) => boolean): PlainDate.Record => {
  let next = day;
  while (PlainDate.dayOfWeek(next) >= weekend || isHoliday(PlainDate.toString(next))) next = PlainDate.addDays(next, 1);
  return next;
};

/**
 * When a window ends: the first instant after its last local day. The day on which it begins is not counted; days are as
 * long as they are in the time zone, so that a change of the clock moves nothing.
 *
 * @param timeZone an IANA name
 * @param isHoliday of a date such as `2026-12-25`, in the time zone
 * @throws RangeError for a time zone that there is not
 */
export const endOf = (
  { within, roll }: Window,
  from: Instant,
  timeZone: string,
  isHoliday: (date: string) => boolean,
): Instant => {
  const first = ZonedDateTime.toPlainDate(Instants.toZonedDateTimeISO(Instants.fromString(from), timeZone));
  const end = 'days' in within ? PlainDate.addDays(first, within.days) : PlainDate.addYears(first, within.years);
  const last = roll === 'none' ? end : workingDayFrom(end, isHoliday);
  const after = PlainDate.toZonedDateTime(PlainDate.addDays(last, 1), { timeZone });
  return Instants.toString(ZonedDateTime.toInstant(after), { fractionalSecondDigits: 3 });
};
