import { describe, expect, it } from 'vitest';
import { statutoryRules } from '../../../lib/domain/policies/law/statutory-rules.ts';
import { defaultTerms } from '../../../lib/domain/policies/terms/policy-terms.ts';
import { parseTerms } from '../../../lib/domain/policies/terms/parse-terms.ts';

const parseChanges = (changes: unknown) =>
  parseTerms({ terms: defaultTerms, statutoryRules }, JSON.stringify({ statutoryRules: changes }));
const laws = (changes: unknown) => parseChanges(changes).statutoryRules;
const known = (law: string) => statutoryRules.find((rule) => rule.law === law);

const swiss = {
  source: 'our own terms for Switzerland',
  countries: ['CH'],
  saleTypes: ['distance'],
  claim: 'any',
  window: { within: { days: 30 }, roll: 'none' },
  exemptions: [{ code: 'custom_made', source: 'our own terms, 4', decidedAt: 'request' }],
  fees: [],
  shipping: 'full',
  refund: { days: 7, from: 'receipt' },
};

describe('parseStatutoryRules', () => {
  it('returns the known rules, which are not part of the terms', () => {
    expect(laws({})).toEqual(statutoryRules);
    expect(parseChanges({ 'UK CRA 2015': null }).terms).toEqual(defaultTerms);
  });

  it('changes the named terms of a law, and marks the law as overridden', () => {
    const rules = laws({ 'EU 2011/83': { window: { within: { days: 30 } }, exemptions: [] } });
    expect(rules.map(({ law }) => law)).toEqual(statutoryRules.map(({ law }) => law));
    expect(rules.filter(({ overridden }) => overridden)).toEqual([
      {
        ...known('EU 2011/83'),
        window: { within: { days: 30 }, roll: 'next_working_day' },
        exemptions: [],
        overridden: true,
      },
    ]);
  });

  it('removes a law set to null, and adds a complete new one', () => {
    expect(laws({ 'AU ACL': null })).toEqual(statutoryRules.filter(({ law }) => law !== 'AU ACL'));
    expect(laws({ 'CH ours': swiss }).at(-1)).toEqual({ law: 'CH ours', ...swiss, overridden: true });
  });

  it('accepts a law without days, when the law sets none', () => {
    const rules = laws({ 'EU 2011/83': { window: null, refund: null }, 'AU ACL': { refund: swiss.refund } });
    expect(rules.find(({ law }) => law === 'EU 2011/83')).toMatchObject({ window: null, refund: null });
    expect(rules.find(({ law }) => law === 'AU ACL')).toMatchObject({ window: null, refund: swiss.refund });
  });

  it('accepts, replaces and removes the extension for consumers without information', () => {
    const extension = { within: { days: 90 }, waivedFees: ['inspection'], source: 'our own terms, 5' };
    expect(laws({ 'CH ours': { ...swiss, extension } }).at(-1)).toMatchObject({ extension });
    expect(laws({ 'EU 2011/83': { extension } })[0]).toMatchObject({ extension });
    expect(laws({ 'EU 2011/83': { extension: null } })[0]).toMatchObject({ extension: null });
  });

  const eu = (change: unknown) => ({ 'EU 2011/83': change });
  it.each([
    [[], '/statutoryRules must map laws to changes'],
    [{ 'EU 2011': null }, '/statutoryRules/EU 2011 is not a known law; the laws are EU 2011/83, EU 2019/771'],
    [eu(14), '/statutoryRules/EU 2011~183 must be an object'],
    [eu({ days: 14 }), '/statutoryRules/EU 2011~183/days is not a known term; the terms are source, countries'],
    [eu({ law: 'other' }), '/statutoryRules/EU 2011~183/law is not a known term'],
    [eu({ extension: { within: { days: 90 } } }), '/statutoryRules/EU 2011~183/extension must be null, or have within'],
    [
      eu({ extension: { within: { months: 12 }, waivedFees: [], source: 'x' } }),
      '/statutoryRules/EU 2011~183/extension must be null',
    ],
    [
      eu({ extension: { within: { days: 1 }, waivedFees: ['restocking'], source: 'x' } }),
      '/statutoryRules/EU 2011~183/extension must be null',
    ],
    [eu({ overridden: false }), '/statutoryRules/EU 2011~183/overridden is not a known term'],
    [eu({ source: '' }), '/statutoryRules/EU 2011~183/source must be a text'],
    [eu({ countries: ['ZZ'] }), '/statutoryRules/EU 2011~183/countries must be a list of countries'],
    [eu({ countries: ['Germany'] }), '/statutoryRules/EU 2011~183/countries must be a list of countries'],
    [eu({ saleTypes: ['online'] }), '/statutoryRules/EU 2011~183/saleTypes must be a list of distance'],
    [eu({ claim: 'withdrawal' }), '/statutoryRules/EU 2011~183/claim must be one of any, fault'],
    [eu({ window: { within: {} } }), '/statutoryRules/EU 2011~183/window/within must have days'],
    [eu({ window: { within: { days: 1, years: 1 } } }), '/statutoryRules/EU 2011~183/window/within must have days'],
    [eu({ window: { within: { years: 31 } } }), '/statutoryRules/EU 2011~183/window/within must have days'],
    [eu({ window: { roll: 'back' } }), '/statutoryRules/EU 2011~183/window/roll must be one of none'],
    [eu({ exemptions: [{ code: 'x' }] }), '/statutoryRules/EU 2011~183/exemptions must be a list of objects'],
    [eu({ fees: ['restocking'] }), '/statutoryRules/EU 2011~183/fees must be a list of inspection, return_shipping'],
    [eu({ shipping: 'free' }), '/statutoryRules/EU 2011~183/shipping must be one of none, standard, full'],
    [eu({ refund: { days: -1 } }), '/statutoryRules/EU 2011~183/refund/days must be a whole number'],
    [{ 'AU ACL': { window: { within: { days: 3 } } } }, '/statutoryRules/AU ACL/window/roll is missing'],
    [{ 'CH ours': { ...swiss, refund: undefined } }, '/statutoryRules/CH ours/refund is missing'],
    [{ 'CH ours': {} }, '/statutoryRules/CH ours/source is missing'],
  ])('throws for %j', (changes, message) => {
    expect(() => parseChanges(changes)).toThrow(message);
  });
});
