// The global is a getter of Node, which takes longer than the clock itself.
const { performance } = globalThis;

/** Milliseconds of a monotonic clock. */
export const monotonicNow = (): number => performance.now();

const shape = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d)(\.\d{1,9})?(?:Z|([+-])(\d\d):([0-5]\d))$/;

/** Returns the seconds of a date and time in UTC; undefined when the calendar or the clock has no such time. */
const secondsOf = (text: string): number | undefined => {
  const ms = Date.parse(`${text}Z`);
  // JavaScript accepts February 30 as March 2, and 24:00 as the next day.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text) ? ms / 1000 : undefined;
};

/**
 * Converts an instant (RFC 3339) to UTC with `Z`, and leaves its fraction of a second unchanged. So instants of one
 * source compare and hash alike, independent of their offset.
 *
 * @returns undefined for an invalid or non-existent time, and outside the years 0000 to 9999
 */
export const toUtc = (text: string): string | undefined => {
  const [, local = '', fraction = '', sign, hours, minutes] = shape.exec(text) ?? [];
  const seconds = secondsOf(local);
  if (seconds === undefined || Number(hours) > 23) return undefined;
  if (sign === undefined) return text;
  const offset = Number(`${sign}1`) * (Number(hours) * 3600 + Number(minutes) * 60);
  const utc = new Date((seconds - offset) * 1000).toISOString();
  return /^\d{4}-/.test(utc) ? `${utc.slice(0, 19)}${fraction}Z` : undefined;
};

/** Whether this engine knows a time zone (IANA). */
export const isTimeZone = (timeZone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};
