const day = 24 * 60 * 60 * 1000;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the local date in a time zone, such as `2026-12-25`. */
export const dateAt = (time: number, timeZone: string): string => {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  formats.set(timeZone, format);
  return format.format(time);
};

/** Returns the date the given number of days later. */
export const daysLater = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * day).toISOString().slice(0, 10);

/** Returns whether the date is a Saturday or Sunday. */
export const isWeekend = (date: string): boolean => [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay());

/** Returns the first millisecond of the next local date. It searches between a day before and a day after. */
export const endOfDate = (date: string, timeZone: string): number => {
  const next = daysLater(date, 1);
  let before = Date.parse(`${next}T00:00:00Z`) - day;
  let after = before + 2 * day;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (dateAt(middle, timeZone) < next) before = middle;
    else after = middle;
  }
  return after;
};
