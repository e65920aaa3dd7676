import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { committedTable, holidayTable } from '../../../../lib/tools/build/holidays/holiday-table.ts';
import { isPublicHoliday, placeOf } from '../../../../lib/domain/policies/time/holidays.ts';
import { calendars, dates, holidaysOf, isWeekend } from './calendar-of-laws.ts';
import second from './second-holidays.json' with { type: 'json' };

/** Regions that have all days which their state has as a whole, and no others in common. */
const regionsOf: Readonly<Record<string, readonly string[]>> = {
  DE: 'BB BE BW BY HB HE HH MV NI NW RP SH SL SN ST TH'.split(' '),
  ES: 'AN AR AS CB CE CL CM CN CT EX GA IB MC MD ML NC PV RI VC'.split(' '),
  FR: ['75', 'IDF', '67'],
  IT: ['MI', '25', 'BZ', 'RM'],
  PT: ['11', '13', '20', '30'],
};

/** Days of the second source that are no public holidays. */
const moved: Readonly<Record<string, readonly string[]>> = {
  // The Cabinet of Latvia moves working days of state institutions, and no holiday.
  LV: ['2026-01-02', '2026-06-22'],
};

const isNationwide = (country: string, date: string): boolean =>
  (regionsOf[country] ?? ['']).every((region) => isPublicHoliday({ country, region }, date));

const regions = Object.entries(calendars).flatMap(([country, { regions: own = {} }]) =>
  Object.keys(own).map((region) => [country, region] as const),
);

/** Returns the dates on which two calendars differ. A weekend is free in both. */
const differences = (isHoliday: (date: string) => boolean, law: ReadonlySet<string>): readonly string[] =>
  dates.filter((date) => !isWeekend(date) && isHoliday(date) !== law.has(date));

describe('table of holidays', () => {
  it('matches its source: npm run holidays', () => {
    expect(committedTable()).toBe(holidayTable());
    expect(gzipSync(committedTable()).length).toBeLessThan(2_000);
  });
});

describe('isPublicHoliday', () => {
  it('is compared for 49,302 pairs of a state of the Union and a date', () => {
    expect(Object.keys(calendars).length * dates.length).toBe(49_302);
  });

  it.each(Object.keys(calendars))('is true on the days of the laws of the state, from 2026 to 2030: %s', (country) => {
    expect(differences((date) => isNationwide(country, date), holidaysOf(country))).toEqual([]);
  });

  it.each(regions)('is true on the days of the laws of a region, from 2026 to 2030: %s-%s', (country, region) => {
    const found = differences((date) => isPublicHoliday({ country, region }, date), holidaysOf(country, region));
    expect(found).toEqual([]);
  });

  it.each(Object.keys(regionsOf))('has the days of any region where the region is unknown: %s', (country) => {
    const codes = regionsOf[country] ?? [];
    const ofAny = new Set(dates.filter((date) => codes.some((region) => isPublicHoliday({ country, region }, date))));
    for (const region of [undefined, '', 'Anywhere', 'US-CA'])
      expect(differences((date) => isPublicHoliday({ country, region }, date), ofAny)).toEqual([]);
  });

  it.each(Object.entries(second))('is true on the days of another source (PyPI holidays 0.105): %s', (place, days) => {
    const unknown = days.split(' ').filter((date) => !isPublicHoliday(placeOf(place) ?? {}, date));
    expect(unknown).toEqual(moved[place] ?? []);
  });

  it.each([
    ['DE', 'BY'],
    ['DE', 'DE-BY'],
    ['DE', 'by'],
    ['DE', 'BAY'],
    ['ES', 'B'],
    ['ES', 'ES-CT'],
    ['IT', 'BZ'],
    ['IT', 'IT-32'],
    ['PT', 'PT-20'],
  ])('knows a region by the codes that shops write: %s %s', (country, region) => {
    const whitMonday = '2027-05-17';
    // No day of Saxony, of Madrid, of Rome or of Madeira counts.
    const others = { DE: '2027-11-17', ES: '2028-05-02', IT: '2027-06-29', PT: '2027-07-01' }[country] ?? '';
    expect(isPublicHoliday({ country, region }, others)).toBe(false);
    expect(isPublicHoliday({ country }, others)).toBe(true);
    expect(isPublicHoliday({ country, region }, whitMonday)).toBe(country !== 'ES');
  });

  it('has the days of all states for a country without a table, because an additional day costs no right', () => {
    for (const country of [undefined, 'US', 'CH'])
      expect(['2027-08-02', '2027-06-25', '2027-06-16'].map((date) => isPublicHoliday({ country }, date))).toEqual([
        true,
        true,
        false,
      ]);
  });
});
