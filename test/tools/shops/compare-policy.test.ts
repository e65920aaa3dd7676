import { describe, expect, it } from 'vitest';
import { compareRules, comparisonChecks } from '../../../lib/tools/shops/compare-policy.ts';

const rules = {
  canAcceptReturns: true,
  returnWindowDays: 30,
  returnWindowStartingFrom: 'ITEM_DELIVERY_DATE',
  extendWindowToBusinessDay: false,
};
const scope = { country: 'PT', date: '2026-11-30', profile: null };

describe('compareRules', () => {
  it('finds no difference between equal rules', () => {
    expect(compareRules(rules, rules)).toEqual({ equal: Object.keys(rules), differences: [], notCompared: [] });
  });

  it.each([
    ['canAcceptReturns', true, false, 'Customers cannot ask the shop for returns that the policy accepts.'],
    ['canAcceptReturns', false, true, 'Customers can ask the shop for returns that the policy excludes.'],
    ['returnWindowDays', 30, 14, 'The shop refuses requests in the last days of the policy.'],
    ['returnWindowDays', 30, 60, 'The shop promises days in which the policy refuses requests.'],
    ['returnWindowDays', -1, 365, 'The shop refuses requests in the last days of the policy.'],
    ['returnWindowDays', 365, -1, 'The shop promises days in which the policy refuses requests.'],
    [
      'returnWindowStartingFrom',
      'ITEM_DELIVERY_DATE',
      'LAST_ITEM_DELIVERY_DATE',
      'The days start at another delivery, so their last days differ.',
    ],
    ['extendWindowToBusinessDay', true, false, 'Only the policy moves a last day to the next working day.'],
    ['extendWindowToBusinessDay', false, true, 'Only the shop moves a last day to the next working day.'],
  ])('says what it means that %s is %s here and %s at the shop', (field, policy, shop, meaning) => {
    const { differences } = compareRules({ ...rules, [field]: policy }, { ...rules, [field]: shop });
    expect(differences).toEqual([{ field, policy, shop, meaning }]);
  });

  it('lists a field that only one side states, which is no difference', () => {
    const { returnWindowStartingFrom: _, ...shop } = rules;
    expect(compareRules(rules, shop)).toMatchObject({
      differences: [],
      notCompared: [{ field: 'returnWindowStartingFrom', statedBy: 'policy' }],
    });
    expect(compareRules({}, { canAcceptReturns: true })).toEqual({
      equal: [],
      differences: [],
      notCompared: [{ field: 'canAcceptReturns', statedBy: 'shop' }],
    });
  });
});

describe('comparisonChecks', () => {
  it('says that nothing was compared when the policy states nothing', () => {
    const compared = compareRules({}, { canAcceptReturns: true });
    expect(comparisonChecks({ ...scope, ...compared, omitted: ['window', 'fee'] })).toEqual([
      {
        check: 'PT',
        status: 'skipped',
        detail:
          'not compared: canAcceptReturns (only the shop states it); statements without a field at the shop: window, fee',
      },
    ]);
  });

  it('has one row for each difference, and none that says that the rest is the same', () => {
    const compared = compareRules(rules, { canAcceptReturns: true, returnWindowDays: 14 });
    const [difference, open] = comparisonChecks({ ...scope, profile: 'Iberia', ...compared, omitted: [] });
    expect(difference).toMatchObject({
      check: 'PT Iberia',
      status: 'warning',
      detail: 'returnWindowDays: policy 30, shop 14',
    });
    expect(open).toMatchObject({ check: 'PT Iberia', status: 'skipped' });
  });
});
