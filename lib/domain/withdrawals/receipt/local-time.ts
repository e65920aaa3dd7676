import type { Instant } from '../../returns/model/order.ts';
import { withOrdinal } from '../../texts/formats.ts';

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/**
 * Returns an instant as local time to the second with its offset (RFC 3339), such as `2026-11-26T03:00:12+01:00`.
 * Fractions of the second are dropped.
 *
 * @param timeZone an IANA name
 * @throws {RangeError} for an unknown time zone or an invalid instant
 */
export const localTime = (at: Instant, timeZone: string): string => {
  const seconds = Math.floor(Date.parse(at) / 1000);
  const format = new Intl.DateTimeFormat('en-US-u-ca-iso8601-nu-latn', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const parts = new Map(format.formatToParts(seconds * 1000).map(({ type, value }) => [type, Number(value)]));
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = (
    ['year', 'month', 'day', 'hour', 'minute', 'second'] as const
  ).map((type) => parts.get(type));
  const offset = Math.round((Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - seconds) / 60);
  const distance = Math.abs(offset);
  const date = `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}`;
  const time = [hour, minute, second].map(twoDigits).join(':');
  return `${date}T${time}${offset < 0 ? '-' : '+'}${twoDigits(Math.floor(distance / 60))}:${twoDigits(distance % 60)}`;
};

/** The local time of a declaration, and the name of its zone. */
export type DeclaredTime = { readonly declaredAt: string; readonly timeZone: string };

/**
 * Returns a local time for customers, such as `26 November 2026, 03:00:12 (UTC+01:00, Europe/Berlin)`. It shows the digits
 * of the receipt: a newer table of time zones must not change them.
 */
export const timeText = ({ declaredAt, timeZone }: DeclaredTime, locale: string): string => {
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const day = withOrdinal(date.format(new Date(`${declaredAt.slice(0, 10)}T00:00:00Z`)), locale.slice(0, 2));
  const offset = declaredAt.slice(19) === 'Z' ? '+00:00' : declaredAt.slice(19);
  return `${day}, ${declaredAt.slice(11, 19)} (UTC${offset}, ${timeZone})`;
};
