import { daysAfter, partsOf } from './calendar.ts';
import { holidayTable } from './holiday-table.ts';

/*
 * The public holidays of a place. Regulation (EEC, Euratom) 1182/71, article 2(1), counts those of the state in which an
 * action is taken. An entry of the table is a state, or a state and the codes of one region. Its marks are:
 *
 *   524     May 24              524+    May 24, and on a Sunday the Monday after it too
 *   e1 o1   the day after the western or the orthodox Easter
 *   1/525   the first Monday from May 25 on
 *   261228  December 28, 2026
 */

/** Where an action is taken. A region is a code of ISO 3166-2, with the country or without. Names are unknown regions. */
export type Place = { readonly country?: string | undefined; readonly region?: string | undefined };

/** States of which the table has only the regions with holidays of their own. */
const partlyListed: ReadonlySet<string> = new Set(['FR', 'IT', 'PT']);
const code = /^[A-Z\d]{1,3}$/;

const hasTable = (country: string): boolean => Object.hasOwn(holidayTable, country);

const regionsOf = (country: string): readonly string[] =>
  Object.keys(holidayTable).filter((entry) => entry.startsWith(`${country} `));

/** Returns the entries of a region; undefined for an unknown region. */
const entriesOfRegion = (country: string, region: string): readonly string[] | undefined => {
  const own = region.toUpperCase().replace(`${country}-`, '');
  const named = regionsOf(country).filter((entry) => entry.split(' ').slice(1).includes(own));
  return named.length > 0 || (partlyListed.has(country) && code.test(own)) ? named : undefined;
};

/** Returns the entries of a place: the state, and its region. Of an unknown region, those of all regions count. */
const entriesOf = ({ country = '', region = '' }: Place): readonly string[] =>
  // A day more costs no customer a right. So without a table the holidays of every state count.
  hasTable(country)
    ? [country, ...(entriesOfRegion(country, region) ?? regionsOf(country))]
    : Object.keys(holidayTable);

/** Returns the place of a code of ISO 3166, such as `PT` or `DE-BY`; undefined for a place that the table lacks. */
export const placeOf = (text: string): Place | undefined => {
  const [country = '', region] = text.split('-');
  const isKnown =
    region === undefined || regionsOf(country).length === 0 || entriesOfRegion(country, region) !== undefined;
  return hasTable(country) && isKnown ? { country, region } : undefined;
};

const marksByEntries = new Map<string, ReadonlySet<string>>();

const marksOf = (place: Place): ReadonlySet<string> => {
  const entries = entriesOf(place);
  const key = entries.join();
  const marks = marksByEntries.get(key) ?? new Set(entries.flatMap((entry) => (holidayTable[entry] ?? '').split(' ')));
  marksByEntries.set(key, marks);
  return marks;
};

/** Returns the days from March 1 to Easter Sunday of the Julian calendar, by Meeus. */
const orthodoxEaster = (year: number): number => {
  const moon = (19 * (year % 19) + 15) % 30;
  const weekday = (2 * (year % 4) + 4 * (year % 7) - moon + 34) % 7;
  // The difference of the calendars is 13 days until 2099.
  return moon + weekday + 21 + 13;
};

/** Returns the days from March 1 to Easter Sunday of the Gregorian calendar, by Gauss, for the years 1900 to 2099. */
const westernEaster = (year: number): number => {
  const moon = (19 * (year % 19) + 24) % 30;
  const weekday = (2 * (year % 4) + 4 * (year % 7) + 6 * moon + 5) % 7;
  const days = moon + weekday + 21;
  return days === 56 || (days === 55 && moon === 28 && year % 19 > 10) ? days - 7 : days;
};

const monthDay = (date: string): string => date.slice(5).replace(/^0|-/g, '');

/** Returns the marks of which one makes a date a holiday. */
export const marksOfDate = (date: string): readonly string[] => {
  const { year, weekday, fromMarch } = partsOf(date);
  const own = monthDay(date);
  return [
    own,
    `${own}+`,
    ...(weekday === 1 ? [`${monthDay(daysAfter(date, -1))}+`] : []),
    `e${fromMarch - westernEaster(year)}`,
    `o${fromMarch - orthodoxEaster(year)}`,
    date.slice(2).replaceAll('-', ''),
    ...Array.from({ length: 7 }, (_, back) => `${weekday}/${monthDay(daysAfter(date, -back))}`),
  ];
};

const known = new Map<string, boolean>();
/** Enough for the dates of some years in some states. */
const maxKnown = 20_000;

/**
 * Returns whether a date such as `2026-12-25` is a public holiday in a place, by this table. Results are cached, because
 * decisions use the same days often.
 * For a weekend the result may be either. Outside the years of the table, holidays without a rule are unknown.
 */
export const isPublicHoliday = (place: Place, date: string): boolean => {
  const key = `${place.country} ${place.region} ${date}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const marks = marksOf(place);
  const isHoliday = marksOfDate(date).some((mark) => marks.has(mark));
  if (known.size === maxKnown) known.clear();
  known.set(key, isHoliday);
  return isHoliday;
};
