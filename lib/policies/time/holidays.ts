import { daysBetween } from './calendar.ts';

/** Easter Sundays, from which most movable holidays are counted. */
const easter = (
  '2024-03-31 2025-04-20 2026-04-05 2027-03-28 2028-04-16 2029-04-01 2030-04-21 2031-04-13 2032-03-28 2033-04-17 ' +
  '2034-04-09 2035-03-25 2036-04-13'
).split(' ');

type Holidays = {
  /** As `month-day`. */
  readonly fixed: ReadonlySet<string>;
  /** Days after Easter Sunday, before it below zero. */
  readonly fromEaster: readonly number[];
};

/**
 * A day that is a holiday in one of the states counts in all of them: which calendar a court would look at is not always
 * plain, and nobody loses a right by a day more.
 */
const union: Holidays = {
  fixed: new Set(
    [
      '01-01 01-02 01-06 02-02 02-16 02-24 03-03 03-11 03-15 03-19 03-25 04-25 04-27 05-01 05-03 05-08 05-09 05-17 05-24 05-30',
      '06-02 06-06 06-10 06-17 06-22 06-23 06-24 06-29 07-05 07-06 07-14 07-21 08-05 08-15 08-20 08-29 09-01 09-06',
      '09-08 09-15 09-21 09-22 09-28 10-01 10-03 10-05 10-12 10-23 10-26 10-28 11-01 11-02 11-11 11-17 11-18',
      '11-30 12-01 12-06 12-08 12-13 12-24 12-25 12-26 12-31',
    ].flatMap((line) => line.split(' ')),
  ),
  // Maundy Thursday, Good Friday, Easter Monday, Ascension, Whit Monday, Corpus Christi; neither Orthodox ones nor
  // those that are a weekday of some month are among them.
  fromEaster: [-3, -2, 1, 39, 50, 60],
};

const brazil: Holidays = {
  fixed: new Set('01-01 04-21 05-01 09-07 10-12 11-02 11-15 11-20 12-25'.split(' ')),
  // Carnival, Good Friday, Corpus Christi.
  fromEaster: [-48, -47, -2, 60],
};

/** Whether a date such as `2026-12-25` is a public holiday in a country, by what is kept here. */
export const isHoliday = (country: string, date: string): boolean => {
  const { fixed, fromEaster } = country === 'BR' ? brazil : union;
  const sunday = easter.find((day) => day.slice(0, 4) === date.slice(0, 4));
  return fixed.has(date.slice(5)) || (sunday !== undefined && fromEaster.includes(daysBetween(sunday, date)));
};
