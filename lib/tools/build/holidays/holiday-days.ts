import Holidays from 'date-holidays';
import { corrections } from './corrections.ts';

/* The days of each state and region as dates: those of date-holidays, and laws that follow from other days. */

export const years = Array.from({ length: 15 }, (_, index) => 2026 + index);

const states = 'AT BE BG BR CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(
  ' ',
);

/** The regions of states whose law has holidays of regions, by their codes in the library and further ones of shops. */
const regions: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  DE: {
    'BB BRG': ['BB'],
    'BE BER': ['BE'],
    'BW BAW': ['BW'],
    // With the days of a part of the region: the customer may live there.
    'BY BAY': ['BY', 'BY-A', 'BY-KATH'],
    'HB BRE': ['HB'],
    'HE HES': ['HE'],
    'HH HAM': ['HH'],
    'MV MEC': ['MV'],
    'NI NDS': ['NI'],
    'NW NRW': ['NW'],
    'RP RHE': ['RP'],
    'SH SCN': ['SH'],
    'SL SAR': ['SL'],
    'SN SAS': ['SN', 'SN-BZ'],
    'ST SAC': ['ST'],
    'TH THE': ['TH', 'TH-EIC', 'TH-UH', 'TH-WAK'],
  },
  // The overseas departments have a country code of their own.
  FR: { '57 67 68 6AE GES': ['57', '67', '68'] },
  GB: { ENG: ['ENG'], NIR: ['NIR'], SCT: ['SCT'], WLS: ['WLS'] },
  IT: { '32 BZ': ['32'] },
};

const dayMs = 24 * 3600 * 1000;

/** Returns the date some days after another. */
export const dateAfter = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10);

/** Returns the weekday of a date: 0 is Sunday. */
export const weekdayOf = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay();

export const isWeekend = (date: string): boolean => weekdayOf(date) % 6 === 0;

/** The library has the carnival of Brazil as days of banks. */
const typesOf = (state: string): readonly string[] => (state === 'BR' ? ['public', 'bank'] : ['public']);

/** @param place a state, a region such as `DE-BY`, or a part of a region such as `DE-BY-A` */
const libraryDays = (place: string): readonly string[] => {
  const [state = '', region = '', part = ''] = place.split('-');
  const library = new Holidays(state, region, part);
  return years.flatMap((year) =>
    library
      .getHolidays(year)
      .filter(({ type }) => typesOf(state).includes(type))
      .flatMap(({ date, start, end }) =>
        // Romania has one holiday of two days.
        Array.from({ length: Math.round((end.getTime() - start.getTime()) / dayMs) }, (_, index) =>
          dateAfter(date.slice(0, 10), index),
        ),
      ),
  );
};

/**
 * Returns the days off in Bulgaria for fixed holidays on a weekend: the following working days (Labour Code, article
 * 154(2)).
 */
const bulgarian = (known: ReadonlySet<string>): readonly string[] => {
  const days = '01-01 03-03 05-01 05-06 05-24 09-06 09-22 12-24 12-25 12-26'.split(' ');
  const fixed = [2025, ...years].flatMap((year) => days.map((day) => `${year}-${day}`));
  const taken = new Set([...known, ...fixed]);
  for (const date of fixed.filter(isWeekend)) {
    let free = date;
    while (isWeekend(free) || taken.has(free)) free = dateAfter(free, 1);
    taken.add(free);
  }
  return [...taken];
};

/** Returns May 1 of Greece when it is in the Holy Week: the Tuesday after Easter, by decision of the minister. */
const greek = (known: ReadonlySet<string>): readonly string[] =>
  [...known].flatMap((date) => {
    // Good Friday and Easter Sunday are holidays too.
    const isEasterMonday = weekdayOf(date) === 1 && known.has(dateAfter(date, -1)) && known.has(dateAfter(date, -3));
    const labourDay = `${date.slice(0, 4)}-05-01`;
    return isEasterMonday && labourDay < date && labourDay >= dateAfter(date, -7) ? [dateAfter(date, 1)] : [];
  });

const byLaw: Readonly<Record<string, (known: ReadonlySet<string>) => readonly string[]>> = { BG: bulgarian, GR: greek };

/** Returns the days of each state and region before corrections. The days of a region exclude those of its state. */
export const uncorrectedDays = (): ReadonlyMap<string, ReadonlySet<string>> => {
  const days = new Map<string, ReadonlySet<string>>();
  for (const state of states) {
    const known = new Set(libraryDays(state));
    days.set(state, new Set([...known, ...(byLaw[state]?.(known) ?? [])]));
    for (const [codes, names] of Object.entries(regions[state] ?? {})) {
      const own = names.flatMap((name) => libraryDays(`${state}-${name}`));
      days.set(`${state} ${codes}`, new Set(own.filter((date) => !known.has(date))));
    }
  }
  for (const { place } of corrections) if (!days.has(place)) days.set(place, new Set());
  return days;
};
