import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { committedTable, holidayTable } from '../../../lib/tools/build/holiday-table.ts';
import { rightsOf } from '../../../lib/domain/policies/law/rights.ts';
import { statutoryRules } from '../../../lib/domain/policies/law/statutory-rules.ts';
import { defaultTerms } from '../../../lib/domain/policies/terms/policy-terms.ts';
import { parseTerms } from '../../../lib/domain/policies/terms/parse-terms.ts';
import { isPublicHoliday } from '../../../lib/domain/policies/time/calendar.ts';
import { order, orderLine } from '../../support/orders.ts';
import second from './second-holidays.json' with { type: 'json' };

/** Returns when a right of withdrawal ends that began with a delivery. */
const untilOf = (country: string, delivered: string, rules = statutoryRules) => {
  const at = `${delivered}T10:00:00Z`;
  const facts = order({ country, lines: [orderLine({ quantity: 1, deliveries: [{ quantity: 1, at }] })] });
  const lines = [{ orderLineId: '1', reason: { code: 'fit.other' } }];
  return rightsOf(rules, facts, { lines }, at).get('1')?.[0]?.until;
};

describe('public holidays', () => {
  it('match a maintained source: npm run holidays', () => {
    expect(committedTable()).toBe(holidayTable());
    expect(gzipSync(committedTable()).length).toBeLessThan(20_000);
  });

  it.each(Object.entries(second))(
    'match a second source from 2026 to 2030 (PyPI holidays 0.105): %s',
    (country, days) => {
      const unknown = days.split(' ').filter((date) => !isPublicHoliday(country, date));
      expect(unknown).toEqual([]);
    },
  );

  it.each([
    // Orthodox Easter Monday, the first Monday of August, Prešeren Day and Saint Francis, each followed by days of
    // other states.
    ['GR', '2027-04-19', '2027-05-05T21:00:00.000Z'],
    ['IE', '2027-07-19', '2027-08-03T23:00:00.000Z'],
    ['SI', '2027-01-25', '2027-02-11T23:00:00.000Z'],
    ['IT', '2027-09-20', '2027-10-06T22:00:00.000Z'],
  ])('end no right: %s', (country, delivered, until) => {
    expect(untilOf(country, delivered)).toBe(until);
  });

  it("include those of the deployment's terms", () => {
    const changes = { statutoryRules: { 'EU 2011/83': { holidays: ['2027-03-08'] } } };
    const terms = { terms: defaultTerms, statutoryRules };
    const { statutoryRules: rules } = parseTerms(terms, JSON.stringify(changes));
    expect(untilOf('DE', '2027-02-22')).toBe('2027-03-08T23:00:00.000Z');
    expect(untilOf('DE', '2027-02-22', rules)).toBe('2027-03-09T23:00:00.000Z');
    const wrong = { statutoryRules: { 'EU 2011/83': { holidays: ['8 March'] } } };
    expect(() => parseTerms(terms, JSON.stringify(wrong))).toThrow('/statutoryRules/EU 2011~183/holidays');
  });
});
