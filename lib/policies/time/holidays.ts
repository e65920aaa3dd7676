import { holidayTable } from './holiday-table.ts';

type Days = { readonly everyYear: string; readonly years: Readonly<Record<number, string>> };

/** `524` is May 24. */
const daysOf = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const lookup = ({ everyYear, years }: Days) => {
  const always = daysOf(everyYear);
  const ofYear = new Map(Object.entries(years).map(([year, list]) => [year, daysOf(list)]));
  return (year: string, day: string): boolean => always.has(day) || ofYear.get(year)?.has(day) === true;
};

/*
 * A day that is a holiday in one of the states counts in all of them: which calendar a court would look at is not always
 * plain, and nobody loses a right by a day more.
 */
const union = lookup(holidayTable.EU);
const brazil = lookup(holidayTable.BR);

/**
 * Whether a date such as `2026-12-25` is a public holiday in a country, by the table that is kept here. Of a weekend it may
 * say either; beyond the years of the table it knows the days that are the same in every year.
 */
export const isHoliday = (country: string, date: string): boolean => {
  const day = date.slice(5).replace(/^0|-/g, '');
  return (country === 'BR' ? brazil : union)(date.slice(0, 4), day);
};
