import type { Instant } from '../model/order.ts';

const dayMs = 24 * 3600 * 1000;

const formats = new Map<string, Intl.DateTimeFormat>();

const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = formats.get(timeZone) ?? new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  formats.set(timeZone, known);
  return known;
};

/** Returns how far the clocks of a time zone are ahead of UTC, in milliseconds. */
const offsetAt = (at: number, timeZone: string): number => {
  const name = formatOf(timeZone)
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value;
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(name ?? '') ?? [];
  return sign === undefined ? 0 : Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000;
};

/**
 * Returns the end of some local days after the day of an instant: the first instant of the day that follows them. A
 * change of the clocks moves nothing. Policies have a calendar for this, which would be most of a small function.
 *
 * @param timeZone an IANA name
 */
export const endOfLocalDays = (from: Instant, days: number, timeZone: string): Instant => {
  const start = Date.parse(from);
  const here = offsetAt(start, timeZone);
  const end = Math.floor((start + here) / dayMs) * dayMs + (days + 1) * dayMs;
  // The clocks may change in between: the offset that counts is the one just before the end.
  const near = offsetAt(end - here - 1, timeZone);
  return new Date(end - offsetAt(end - near - 1, timeZone)).toISOString();
};
