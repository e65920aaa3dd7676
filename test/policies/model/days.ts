const day = 24 * 60 * 60 * 1000;

const formats = new Map<string, Intl.DateTimeFormat>();

/** The date such as `2026-12-25` that a calendar on a wall of the time zone shows. */
export const dateAt = (time: number, timeZone: string): string => {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  formats.set(timeZone, format);
  return format.format(time);
};

/** The date so many days later. */
export const daysLater = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * day).toISOString().slice(0, 10);

/** Saturday or Sunday. */
export const isWeekend = (date: string): boolean => [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay());

/** The first millisecond at which the wall shows the day after this date: looked for between a day before and a day after. */
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
