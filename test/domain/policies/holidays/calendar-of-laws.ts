/*
 * A second calendar, written from the laws of the 27 states of the European Union. It shares no code and no data with
 * the table of lib/, which comes from date-holidays.
 *
 * A day is written as day/month, as a distance from Easter in days (`+39`), or by a function of the year.
 */

type Day = string | ((year: number) => readonly string[]);

const iso = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);

const after = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);

/** Returns the weekday of a date: 1 is Monday, 7 is Sunday. */
const weekday = (date: string): number => new Date(date).getUTCDay() || 7;

export const isWeekend = (date: string): boolean => weekday(date) > 5;

/** Easter Sundays as printed in calendars. */
const western = new Map([
  [2026, '2026-04-05'],
  [2027, '2027-03-28'],
  [2028, '2028-04-16'],
  [2029, '2029-04-01'],
  [2030, '2030-04-21'],
]);
const orthodox = new Map([
  [2026, '2026-04-12'],
  [2027, '2027-05-02'],
  [2028, '2028-04-16'],
  [2029, '2029-04-08'],
  [2030, '2030-04-28'],
]);
const years = [...western.keys()];

const easterOf = (calendar: ReadonlyMap<number, string>, year: number): string => {
  const easter = calendar.get(year);
  if (easter === undefined) throw new Error(`no Easter of ${year}`);
  return easter;
};

/** Returns the first of a weekday from a day of a month on. */
const first =
  (wanted: number, from: string) =>
  (year: number): readonly string[] => {
    const [day = 0, month = 0] = from.split('/').map(Number);
    const start = iso(year, month, day);
    return [after(start, (wanted - weekday(start) + 7) % 7)];
  };

const only =
  (...dates: readonly string[]) =>
  (year: number): readonly string[] =>
    dates.filter((date) => date.startsWith(`${year}-`));

/** Returns the Monday after a day that is in a weekend. */
const mondayAfter =
  (day: string, isMoved: (date: string) => boolean) =>
  (year: number): readonly string[] => {
    const [date = 0, month = 0] = day.split('/').map(Number);
    const own = iso(year, month, date);
    return isMoved(own) ? [after(own, 8 - weekday(own))] : [];
  };

const onSunday = (date: string): boolean => weekday(date) === 7;

const words = (text: string): readonly Day[] => text.split(' ');

/** Brigid: the first Monday of February, or February 1 on a Friday. */
const brigid = (year: number): readonly string[] =>
  weekday(iso(year, 2, 1)) === 5 ? [iso(year, 2, 1)] : first(1, '1/2')(year);

/** Article 154(2): as many working days follow as holidays are in a weekend, except those of Easter. */
const bulgarianSubstitutes = (year: number): readonly string[] => {
  const of = (one: number) =>
    ['1/1', '3/3', '1/5', '6/5', '24/5', '6/9', '22/9', '24/12', '25/12', '26/12'].map((text) => {
      const [day = 0, month = 0] = text.split('/').map(Number);
      return iso(one, month, day);
    });
  const easter = easterOf(orthodox, year);
  const taken = new Set([...of(year), after(easter, -2), after(easter, 1)]);
  const substitutes: string[] = [];
  for (const date of of(year).filter(isWeekend)) {
    let next = after(date, 1);
    while (isWeekend(next) || taken.has(next)) next = after(next, 1);
    taken.add(next);
    substitutes.push(next);
  }
  return substitutes;
};

/** Labour Day in the Holy Week moves to the Tuesday after Easter. */
const greekLabourDay = (year: number): readonly string[] => {
  const [easter, own] = [easterOf(orthodox, year), iso(year, 5, 1)];
  return own <= easter && own >= after(easter, -6) ? [after(easter, 2)] : [];
};

const spanish = '1/1 6/1 1/5 15/8 12/10 1/11 6/12 8/12 25/12'.split(' ');

type StateCalendar = {
  /** What the days come from. */
  readonly law: string;
  readonly easter: 'western' | 'orthodox';
  readonly days: readonly Day[];
  /** Days of regions, by the code of ISO 3166-2. */
  readonly regions?: Readonly<Record<string, string>>;
};

const state = (law: string, text: string, ...special: readonly Day[]): StateCalendar => ({
  law,
  easter: 'western',
  days: [...words(text), ...special],
});

const orthodoxState = (law: string, text: string, ...special: readonly Day[]): StateCalendar => ({
  ...state(law, text, ...special),
  easter: 'orthodox',
});

export const calendars: Readonly<Record<string, StateCalendar>> = {
  AT: state(
    'Arbeitsruhegesetz § 7; Europäisches Fristenübereinkommen (Good Friday)',
    '1/1 6/1 -2 +1 1/5 +39 +50 +60 15/8 26/10 1/11 8/12 25/12 26/12',
  ),
  BE: state('Koninklijk besluit 18 april 1974', '1/1 +1 1/5 +39 +50 21/7 15/8 1/11 11/11 25/12'),
  BG: orthodoxState(
    'Кодекс на труда, чл. 154; РМС 19.11.2025',
    '1/1 3/3 -2 +1 1/5 6/5 24/5 6/9 22/9 24/12 25/12 26/12',
    bulgarianSubstitutes,
    only('2026-01-02'),
  ),
  CY: orthodoxState(
    'Holidays of the public service of the Republic',
    '1/1 6/1 -48 25/3 1/4 -2 +1 +2 1/5 +50 15/8 1/10 28/10 24/12 25/12 26/12',
  ),
  CZ: state('Zákon 245/2000 Sb.', '1/1 -2 +1 1/5 8/5 5/7 6/7 28/9 28/10 17/11 24/12 25/12 26/12'),
  DE: {
    ...state('Einigungsvertrag Art. 2; Feiertagsgesetze der Länder', '1/1 -2 +1 1/5 +39 +50 3/10 25/12 26/12'),
    regions: {
      BB: '31/10',
      BE: '8/3',
      BW: '6/1 +60 1/11',
      BY: '6/1 +60 8/8 15/8 1/11',
      HB: '31/10',
      HE: '+60',
      HH: '31/10',
      MV: '8/3 31/10',
      NI: '31/10',
      NW: '+60 1/11',
      RP: '+60 1/11',
      SH: '31/10',
      SL: '+60 15/8 1/11',
      SN: '+60 31/10 prayer',
      ST: '6/1 31/10',
      TH: '+60 20/9 31/10',
    },
  },
  DK: state('Helligdage; forbrugeraftaleloven § 19, stk. 6', '1/1 -3 -2 +1 +39 +50 5/6 24/12 25/12 26/12 31/12'),
  EE: state('Pühade ja tähtpäevade seadus §§ 1, 2', '1/1 24/2 -2 1/5 23/6 24/6 20/8 24/12 25/12 26/12'),
  ES: state(
    'Estatuto de los Trabajadores, art. 37.2; Real Decreto 2001/1983, art. 45',
    [...spanish, '-2'].join(' '),
    ...spanish.map((day) => mondayAfter(day, onSunday)),
  ),
  FI: state('Kirkkolaki; laki 150/1930 § 5', '1/1 6/1 -2 +1 1/5 +39 6/12 24/12 25/12 26/12', first(5, '19/6')),
  FR: {
    ...state('Code du travail, L3133-1, L3134-13', '1/1 +1 1/5 8/5 +39 +50 14/7 15/8 1/11 11/11 25/12'),
    regions: { '57': '-2 26/12', '67': '-2 26/12', '68': '-2 26/12', GES: '-2 26/12', '75': '', IDF: '' },
  },
  GR: orthodoxState(
    'Ν. 1157/1981; Ν. 4468/2017',
    '1/1 6/1 -48 25/3 -2 +1 1/5 +50 15/8 28/10 25/12 26/12',
    greekLabourDay,
  ),
  HR: state('Zakon o blagdanima (NN 110/19)', '1/1 6/1 +1 1/5 30/5 +60 22/6 5/8 15/8 1/11 18/11 25/12 26/12'),
  HU: state(
    '2012. évi I. törvény 102. §; 10/2025. (IV. 30.) NGM rendelet',
    '1/1 15/3 -2 +1 1/5 +50 20/8 23/10 1/11 25/12 26/12',
    only('2026-01-02', '2026-08-21', '2026-12-24'),
  ),
  IE: state(
    'Organisation of Working Time Act 1997, second schedule',
    '1/1 17/3 +1 25/12 26/12',
    brigid,
    first(1, '1/5'),
    first(1, '1/6'),
    first(1, '1/8'),
    first(1, '25/10'),
  ),
  IT: {
    ...state('Legge 260/1949; legge 151/2025', '1/1 6/1 +1 25/4 1/5 2/6 15/8 4/10 1/11 8/12 25/12 26/12'),
    regions: { BZ: '+50', RM: '29/6', MI: '', '25': '' },
  },
  LT: state('Darbo kodeksas 123 str.', '1/1 16/2 11/3 +1 1/5 24/6 6/7 15/8 1/11 2/11 24/12 25/12 26/12'),
  LU: state('Code du travail, L. 232-2', '1/1 +1 1/5 9/5 +39 +50 23/6 15/8 1/11 25/12 26/12'),
  LV: state(
    'Likums Par svētku, atceres un atzīmējamām dienām',
    '1/1 -2 +1 1/5 4/5 23/6 24/6 18/11 24/12 25/12 26/12 31/12',
    mondayAfter('4/5', isWeekend),
    mondayAfter('18/11', isWeekend),
  ),
  MT: state('National Holidays Act, chapter 252', '1/1 10/2 19/3 31/3 -2 1/5 7/6 29/6 15/8 8/9 21/9 8/12 13/12 25/12'),
  NL: state(
    'Algemene termijnenwet, artikel 3, and the Besluit gelijkstelling of 2026 to 2028',
    '1/1 -2 +1 27/4 5/5 +39 +50 25/12 26/12',
    only('2026-01-02', '2026-05-15', '2027-05-07', '2028-04-28', '2028-05-26'),
  ),
  PL: state('Ustawa o dniach wolnych od pracy', '1/1 6/1 +1 1/5 3/5 +60 15/8 1/11 11/11 24/12 25/12 26/12'),
  PT: {
    ...state('Código do Trabalho, artigo 234.º', '1/1 -2 25/4 1/5 +60 10/6 15/8 5/10 1/11 1/12 8/12 25/12'),
    regions: { '20': '+50', '30': '2/4 1/7 26/12', '11': '', '13': '' },
  },
  RO: orthodoxState('Codul muncii, art. 139', '1/1 2/1 6/1 7/1 24/1 -2 +1 1/5 1/6 +50 15/8 30/11 1/12 25/12 26/12'),
  SE: state('Lag 1989:253; lag 1930:173, 2 §', '1/1 6/1 -2 +1 1/5 +39 6/6 24/12 25/12 26/12 31/12', first(5, '19/6')),
  SI: state('Zakon o praznikih', '1/1 2/1 8/2 +1 27/4 1/5 2/5 25/6 15/8 31/10 1/11 25/12 26/12'),
  SK: state(
    'Zákon 241/1993; Občiansky zákonník § 122 ods. 3',
    '1/1 6/1 -2 +1 1/5 8/5 5/7 29/8 1/9 15/9 28/10 1/11 17/11 24/12 25/12 26/12',
  ),
};

/** The day of prayer and repentance: the Wednesday before November 23. */
const prayer = first(3, '16/11');

const datesOf = (day: Day, easter: StateCalendar['easter'], year: number): readonly string[] => {
  if (typeof day !== 'string') return day(year);
  if (day === '') return [];
  if (day === 'prayer') return prayer(year);
  if (/^[+-]/.test(day)) return [after(easterOf(easter === 'western' ? western : orthodox, year), Number(day))];
  const [date = 0, month = 0] = day.split('/').map(Number);
  return [iso(year, month, date)];
};

/** Returns the holidays of a whole state or, with a region, of the state and this region. */
export const holidaysOf = (name: string, region?: string): ReadonlySet<string> => {
  const { days, easter, regions = {} } = calendars[name] ?? state('', '');
  const all = region === undefined ? days : [...days, ...words(regions[region] ?? '')];
  return new Set(years.flatMap((year) => all.flatMap((day) => datesOf(day, easter, year))));
};

/** Returns all dates of the years. */
export const dates: readonly string[] = (() => {
  const all: string[] = [];
  for (let date = `${years[0]}-01-01`; date < '2031-01-01'; date = after(date, 1)) all.push(date);
  return all;
})();
