import type { Span } from '../store/statistics/counters.ts';

/* Days are those of UTC, as `2026-11-22`, months as `2026-11`: as text they sort as times. */

const millisecondsOfDay = 86_400_000;

/** A day so many days after another one. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * millisecondsOfDay).toISOString().slice(0, 10);

export const monthOf = (day: string): string => day.slice(0, 7);

/** Whether there is such a day: no 30th of February. */
export const isDay = (day: string): boolean => {
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
};

/** How many days there are from one to another, both included; below one where they are upside down. */
export const daysFrom = (first: string, last: string): number =>
  Math.round((Date.parse(last) - Date.parse(first)) / millisecondsOfDay) + 1;

const firstOf = (day: string): string => `${monthOf(day)}-01`;
const nextMonth = (day: string): string => firstOf(dayAfter(firstOf(day), 31));

const days = (first: string, last: string): readonly Span[] => (first > last ? [] : [{ grain: 'DAY', first, last }]);

/** From one day to another, both included: by whole months where there are any, and by days before and after them. */
export const spansOf = (first: string, last: string): readonly Span[] => {
  const begin = first === firstOf(first) ? first : nextMonth(first);
  const end = firstOf(dayAfter(last, 1));
  if (begin >= end) return [{ grain: 'DAY', first, last }];
  return [
    ...days(first, dayAfter(begin, -1)),
    { grain: 'MONTH', first: monthOf(begin), last: monthOf(dayAfter(end, -1)) },
    ...days(end, last),
  ];
};
