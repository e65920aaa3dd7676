import { beforeEach, describe, expect, it } from 'vitest';
import { rulesForCountry } from '../../../../lib/shops/platforms/return-rules.ts';
import { readReturnRules } from '../../../../lib/shops/platforms/shopify/return-rules.ts';
import { newProfiles, type ShopProfile } from '../../../../lib/tools/local/shop/return-rules.ts';
import { openShopDeliveries } from './shopify-deliveries.ts';

const { shop, requests } = await openShopDeliveries();

const start = 'LAST_ITEM_DELIVERY_DATE';
const europe: ShopProfile = {
  name: 'Europe',
  returnRules: { canAcceptReturns: true, returnWindowDays: 14, returnWindowStartingFrom: start },
  markets: [
    { regions: ['PT', 'ES'] },
    { regions: ['FR'], status: 'DRAFT' },
    { regions: ['US-NY'] },
    { regions: [], type: 'COMPANY_LOCATION' },
  ],
};

const publish = (...profiles: readonly ShopProfile[]) =>
  void shop.profiles.splice(0, Infinity, ...newProfiles(), ...profiles);
const read = async () => readReturnRules(shop.shopDomain, Date.now() + 5_000);
const documentsFor = async (country: string) => {
  const rules = await read();
  if (!rules.ok) throw new Error(rules.failure.reason);
  return rulesForCountry(rules.value, country).map(({ document }) => document['returnWindowDays']);
};

beforeEach(() => publish());

describe('readReturnRules of Shopify', () => {
  it('reads the default profile with two requests where there is no other', async () => {
    const before = requests.length;
    expect(await read()).toMatchObject({
      ok: true,
      value: [
        {
          name: null,
          isDefault: true,
          document: {
            canAcceptReturns: true,
            returnWindowDays: 30,
            returnWindowStartingFrom: 'ITEM_DELIVERY_DATE',
            extendWindowToBusinessDay: false,
          },
        },
      ],
    });
    expect(requests.length - before).toBe(2);
  });

  it.each([
    ['PT', [14]],
    ['FR', [30]],
    ['US', [14, 30]],
    ['JP', [30]],
  ])('finds the rules of the active markets of %s, else those of the default profile', async (country, days) => {
    publish(europe);
    expect(await documentsFor(country)).toEqual(days);
  });

  it('reads all pages of profiles and regions, and markets of each country', async () => {
    const countries = Array.from({ length: 600 }, (_, index) => `X${index}`);
    const others = Array.from({ length: 25 }, (_, index) => ({ ...europe, name: `${index}`, markets: [] }));
    publish(...others, { ...europe, markets: [{ regions: countries }] });
    expect(await documentsFor('X599')).toEqual([14]);
    publish({ ...europe, markets: [{ regions: ['*'] }] });
    expect(await documentsFor('JP')).toEqual([14]);
  });

  it.each([
    ['no rules', null, { canAcceptReturns: true, returnWindowDays: -1 }],
    ['no returns', { canAcceptReturns: false, returnWindowDays: 5 }, { canAcceptReturns: false }],
    [
      'no limit',
      { canAcceptReturns: true, returnWindowDays: -1, returnWindowStartingFrom: start },
      { canAcceptReturns: true, returnWindowDays: -1 },
    ],
    ['no days', { canAcceptReturns: true }, { canAcceptReturns: true }],
    [
      'no start',
      { canAcceptReturns: true, returnWindowDays: 9, extendWindowToBusinessDay: true },
      { canAcceptReturns: true, returnWindowDays: 9, extendWindowToBusinessDay: true },
    ],
  ])('has the fields that a profile with %s sets', async (_, returnRules, document) => {
    shop.profiles.splice(0, Infinity, { name: null, returnRules, markets: [] });
    expect(await read()).toMatchObject({ value: [{ document }] });
    const rules = await read();
    expect(rules.ok && rules.value[0]?.document).toEqual(document);
  });

  it.each(['read_legal_policies', 'read_markets'])('names the scope %s that the token lacks', async (scope) => {
    shop.scopes.delete(scope);
    expect(await read()).toEqual({
      ok: false,
      failure: { kind: 'retryable', reason: `shop_scope_missing:${scope}` },
    });
    shop.scopes.add(scope);
  });

  it('repeats a read that fails, and ends after four attempts', async () => {
    shop.fail({ times: 3, status: 503 });
    expect(await read()).toMatchObject({ ok: true });
    shop.fail({ times: 4, status: 503 });
    expect(await read()).toEqual({ ok: false, failure: { kind: 'retryable', reason: 'shop_status_503' } });
  });
});
