import { describe, expect, it } from 'vitest';
import { rightsOf } from '../../../../lib/domain/policies/law/rights.ts';
import { statutoryRules } from '../../../../lib/domain/policies/law/statutory-rules.ts';
import { defaultTerms } from '../../../../lib/domain/policies/terms/policy-terms.ts';
import { parseTerms } from '../../../../lib/domain/policies/terms/parse-terms.ts';
import type { OrderFacts } from '../../../../lib/domain/returns/model/order.ts';
import { order, orderLine } from '../../../support/orders.ts';
import { runsEveryCase } from '../../../support/samples.ts';
import { calendars, dates, holidaysOf, isWeekend } from './calendar-of-laws.ts';

type Place = Pick<OrderFacts, 'country' | 'destination'>;

/** Returns the last day of a right of withdrawal that began with a delivery. Days are those of UTC. */
const lastDay = (place: Place, delivered: string, rules = statutoryRules): string => {
  const at = `${delivered}T10:00:00Z`;
  const facts = { ...place, timeZone: 'UTC', lines: [orderLine({ quantity: 1, deliveries: [{ quantity: 1, at }] })] };
  const lines = [{ orderLineId: '1', reason: { code: 'fit.other' } }];
  const until = rightsOf(rules, order(facts), { lines }, at).get('1')?.[0]?.until ?? '';
  return new Date(Date.parse(until) - 1).toISOString().slice(0, 10);
};

const daysAfter = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);

const workingDay = (date: string, holidays: ReadonlySet<string>): string =>
  isWeekend(date) || holidays.has(date) ? workingDay(daysAfter(date, 1), holidays) : date;

/** A region of each state with holidays of regions, for which the calendar of the laws has them. */
const regions: Readonly<Record<string, string>> = { DE: 'BY', FR: '75', IT: 'MI', PT: '11' };

/** Spain has no region without days of its own. */
const states = Object.keys(calendars).filter((state) => state !== 'ES');

const rulesOf = (change: object) =>
  parseTerms({ terms: defaultTerms, statutoryRules }, JSON.stringify({ statutoryRules: { 'EU 2011/83': change } }))
    .statutoryRules;

describe('end of the right of withdrawal', () => {
  it.each(states)('follows the holidays of the state of the customer, for each day of delivery: %s', (country) => {
    const region = regions[country];
    const holidays = holidaysOf(country, region);
    const destination = { country, ...(region === undefined ? {} : { region }) };
    const sampled = dates.slice(0, -40).filter((_, index) => runsEveryCase() || index % 29 === 0);
    const wrong = sampled.filter(
      (delivered) => lastDay({ destination }, delivered) !== workingDay(daysAfter(delivered, 14), holidays),
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    // Days of other states follow: Austria, Latvia, Slovenia, Croatia and more.
    ['GR', undefined, '2027-04-19', '2027-05-05'],
    ['IE', undefined, '2027-07-19', '2027-08-03'],
    ['SI', undefined, '2027-01-25', '2027-02-09'],
    ['IT', 'MI', '2027-09-20', '2027-10-05'],
    ['DE', 'HH', '2026-12-17', '2026-12-31'],
    // Epiphany in Bavaria, in any region of Germany, and not in Hamburg.
    ['DE', 'BY', '2026-12-23', '2027-01-07'],
    ['DE', undefined, '2026-12-23', '2027-01-07'],
    ['DE', 'HH', '2026-12-23', '2027-01-06'],
    // The states of the EEA have their own days too: May 17, the first day of summer, and Saint Joseph.
    ['NO', undefined, '2027-05-03', '2027-05-18'],
    ['IS', undefined, '2027-04-08', '2027-04-23'],
    ['LI', undefined, '2027-03-05', '2027-03-22'],
    // The law of the United Kingdom moves no last day: Christmas Day.
    ['GB', undefined, '2026-12-11', '2026-12-25'],
  ])('in %s, region %s, after a delivery on %s, is %s', (country, region, delivered, last) => {
    const destination = { country, ...(region === undefined ? {} : { region }) };
    expect(lastDay({ destination }, delivered)).toBe(last);
  });

  it('counts no region of a destination in another state than that of the law', () => {
    const destination = { country: 'AT', region: 'HH' };
    expect(lastDay({ country: 'DE', destination }, '2026-12-23')).toBe('2027-01-07');
  });

  it('counts the holidays of places that the terms name, such as that of the shop', () => {
    const place = { destination: { country: 'DE', region: 'HH' } };
    // December 8 in Portugal, and Epiphany in Bavaria.
    expect(lastDay(place, '2026-11-24')).toBe('2026-12-08');
    expect(lastDay(place, '2026-11-24', rulesOf({ holidaysOf: ['PT'] }))).toBe('2026-12-09');
    expect(lastDay(place, '2026-12-23', rulesOf({ holidaysOf: ['AT-9', 'FR-75', 'DE-BY'] }))).toBe('2027-01-07');
    for (const holidaysOf of [['Portugal'], ['US'], ['DE-XX'], ['DE-Bayern'], ['pt'], 'PT'])
      expect(() => rulesOf({ holidaysOf })).toThrow('/statutoryRules/EU 2011~183/holidaysOf');
  });

  it('counts the dates that the terms name', () => {
    const place = { destination: { country: 'DE', region: 'HH' } };
    expect(lastDay(place, '2027-02-22')).toBe('2027-03-08');
    expect(lastDay(place, '2027-02-22', rulesOf({ holidays: ['2027-03-08'] }))).toBe('2027-03-09');
    expect(() => rulesOf({ holidays: ['8 March'] })).toThrow('/statutoryRules/EU 2011~183/holidays');
  });
});
