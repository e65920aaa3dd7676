import { isTimeZone } from '../../../runtime/instant.ts';

/**
 * The time zone of each country with a statutory rule. Of several zones it is the one in which a day ends last, so that
 * no customer loses a right.
 */
const zones: Readonly<Record<string, string>> = {
  AT: 'Europe/Vienna',
  AU: 'Australia/Perth',
  BE: 'Europe/Brussels',
  BG: 'Europe/Sofia',
  BR: 'America/Rio_Branco',
  CY: 'Asia/Nicosia',
  CZ: 'Europe/Prague',
  DE: 'Europe/Berlin',
  DK: 'Europe/Copenhagen',
  EE: 'Europe/Tallinn',
  ES: 'Atlantic/Canary',
  FI: 'Europe/Helsinki',
  FR: 'Europe/Paris',
  GB: 'Europe/London',
  GR: 'Europe/Athens',
  HR: 'Europe/Zagreb',
  HU: 'Europe/Budapest',
  IE: 'Europe/Dublin',
  IS: 'Atlantic/Reykjavik',
  IT: 'Europe/Rome',
  LI: 'Europe/Vaduz',
  LT: 'Europe/Vilnius',
  LU: 'Europe/Luxembourg',
  LV: 'Europe/Riga',
  MT: 'Europe/Malta',
  NL: 'Europe/Amsterdam',
  NO: 'Europe/Oslo',
  PL: 'Europe/Warsaw',
  PT: 'Atlantic/Azores',
  RO: 'Europe/Bucharest',
  SE: 'Europe/Stockholm',
  SI: 'Europe/Ljubljana',
  SK: 'Europe/Bratislava',
};

/**
 * Returns the time zone in which a buyer counts days: the order's own, or else the country's.
 * An unknown name is ignored.
 */
export const timeZoneOf = (reported: string | undefined, country: string): string => {
  if (reported !== undefined && isTimeZone(reported)) return reported;
  return zones[country] ?? 'UTC';
};
