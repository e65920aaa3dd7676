import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { startShop } from '../../../../lib/tools/local/shop/shop.ts';
import { translate } from '../../../../lib/shops/platforms/shopify/headers.ts';
import { translator } from '../../../../lib/shops/platforms/shopify/platform.ts';
import { shopifyEntry, startPlatformSecret } from '../platform-secret.ts';
import { inSoak } from '../../../support/samples.ts';

let now = Date.parse('2026-11-22T08:00:00Z');
const queries: string[] = [];
const shop = await startShop({
  port: 0,
  clock: () => now,
  orders: 70,
  onRequest: ({ query }) => void queries.push(query),
});
const store = await startPlatformSecret();
store.put({
  [shop.shopDomain]: shopifyEntry(shop),
});

afterAll(async () => {
  await shop.close();
  await store.close();
});
beforeEach(() => {
  // Each test has hours of its own.
  now += 6 * 3_600_000;
  queries.length = 0;
});

const ids = shop.orderIds;
const minutes = (count: number) => new Date(now + count * 60_000).toISOString();
const advance = (count: number): void => void (now += count * 60_000);

const page = async (cursor: string | undefined, since = minutes(0)) => {
  const read = await translator.fetchChanges?.(
    shop.shopDomain,
    { since, ...(cursor !== undefined && { cursor }) },
    Date.now() + 20_000,
  );
  if (read?.ok !== true) throw new Error(read?.failure.reason);
  return read.value;
};

const failureOf = async (cursor?: string) => {
  const from = { since: minutes(0), ...(cursor !== undefined && { cursor }) };
  const read = await translator.fetchChanges?.(shop.shopDomain, from, Date.now() + 20_000);
  return read?.ok === false ? read.failure : undefined;
};

const gidOf = ({ body }: { readonly body: object }) => (body as { admin_graphql_api_id: string }).admin_graphql_api_id;

describe('Shopify fetchChanges', () => {
  test('finds returns, and refunds without a return, the oldest first', async () => {
    const since = minutes(0);
    advance(1);
    const second = shop.makeReturn(ids[1] ?? '');
    shop.refund(ids[1] ?? '', second, { amount: '1.00' });
    advance(1);
    const first = shop.webhook(ids[0] ?? '').returnGid;
    shop.refund(ids[0] ?? '', null, { amount: '1.00' });
    const { found, more } = await page(undefined, since);
    expect(found.map(({ topic }) => topic)).toEqual(['returns/update', 'returns/update', 'refunds/create']);
    expect(found.map(gidOf).slice(0, 2)).toEqual([second, first]);
    expect(found.map(({ deliveryId }) => deliveryId)).toEqual([
      `${second}@${minutes(-1)}`,
      `${first}@${minutes(0)}`,
      `${gidOf(found[2] ?? { body: {} })}@${minutes(0)}`,
    ]);
    expect(more).toBe(false);
    expect(found.map(({ topic, body }) => translate(topic, body).kind)).toEqual(['Return', 'Return', 'Refund']);
  });

  test('repeats the delivery id of an unchanged return, and changes it after a change', async () => {
    advance(1);
    const gid = shop.makeReturn(ids[2] ?? '');
    const { found, cursor } = await page(undefined);
    expect((await page(cursor)).found).toEqual(found);
    advance(1);
    shop.move(gid, { do: 'close' });
    expect((await page(cursor)).found).toMatchObject([{ deliveryId: `${gid}@${minutes(0)}` }]);
  });

  test('continues five minutes before the last change, by the clock of the shop', async () => {
    advance(1);
    const gid = shop.makeReturn(ids[3] ?? '');
    const { cursor } = await page(undefined, minutes(-60));
    expect(JSON.parse(cursor)).toEqual({ from: `${minutes(-5).slice(0, 19)}Z` });
    // Without changes, time passes but the cursor stays.
    advance(60);
    const later = await page(cursor);
    expect(later.cursor).toBe(cursor);
    expect(later.found.map(gidOf)).toEqual([gid]);
    advance(1);
    shop.move(gid, { do: 'close' });
    expect(JSON.parse((await page(later.cursor)).cursor)).toEqual({ from: `${minutes(-5).slice(0, 19)}Z` });
  });

  test('never begins before the requested time', async () => {
    const since = minutes(0);
    shop.makeReturn(ids[4] ?? '');
    expect(JSON.parse((await page(undefined, since)).cursor)).toEqual({ from: `${since.slice(0, 19)}Z` });
  });
});

describe('Shopify fetchChanges with several pages', () => {
  const scan = async (meanwhile: (pages: number) => void = () => undefined) => {
    const found: string[] = [];
    let [cursor, more, pages]: [string | undefined, boolean, number] = [undefined, true, 0];
    const since = minutes(-1);
    while (more) {
      const read = await page(cursor, since);
      found.push(...read.found.map(gidOf));
      ({ cursor, more } = read);
      pages += 1;
      meanwhile(pages);
    }
    return { found, pages };
  };

  test('finds each return once', async () => {
    const returns = ids.map((id) => shop.makeReturn(id));
    const { found, pages } = await scan();
    expect(found.filter((gid) => returns.includes(gid)).toSorted()).toEqual(returns.toSorted());
    expect(pages).toBe(3);
  });

  test('finds changes during the scan at its end', async () => {
    const returns = ids.map((id) => shop.makeReturn(id));
    const [first = ''] = returns;
    const { found } = await scan((pages) => {
      if (pages !== 1) return;
      advance(1);
      shop.move(first, { do: 'close' });
    });
    expect(new Set(found)).toEqual(new Set([...found, ...returns]));
    expect(found.lastIndexOf(first)).toBeGreaterThan(60);
  });

  test.each(inSoak('starts the scan over when Shopify rejects its cursor'))('%s', async () => {
    const since = minutes(-1);
    const returns = ids.map((id) => shop.makeReturn(id));
    const { cursor } = await page(undefined, since);
    const stale = JSON.stringify({ ...(JSON.parse(cursor) as object), after: 'bm9uc2Vuc2U' });
    const { found, more } = await page(stale, since);
    expect(more).toBe(true);
    expect(returns.filter((gid) => found.map(gidOf).includes(gid)).length).toBeGreaterThan(0);
  });
});

test('requests the remaining returns of an order with more than a page', async () => {
  advance(1);
  const returns = Array.from({ length: 12 }, () => shop.makeReturn(ids[5] ?? ''));
  Array.from({ length: 11 }, () => shop.refund(ids[6] ?? '', null, { amount: '1.00' }));
  const { found } = await page(undefined);
  expect(found.map(gidOf)).toEqual(expect.arrayContaining(returns));
  expect(found.filter(({ topic }) => topic === 'refunds/create')).toHaveLength(11);
  expect(queries).toHaveLength(3);
});

describe('Shopify fetchChanges without a usable answer', () => {
  test.each([
    ...inSoak(['throttles', { times: 4, status: 503 }, { kind: 'retryable', reason: 'shop_status_503' }] as const),
    ['rejects', { times: 1, status: 404 }, { kind: 'permanent', reason: 'shop_status_404' }],
    [
      'hides returns from our token',
      {
        times: 1,
        status: 200,
        body: JSON.stringify({
          data: { orders: { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } } },
          errors: [{ message: 'Access denied for returns field.', extensions: { code: 'ACCESS_DENIED' } }],
        }),
      },
      { kind: 'permanent', reason: 'shop_denied_access' },
    ],
  ] as const)('reports that the shop %s', async (_, fault, failure) => {
    shop.fail(fault);
    expect(await failureOf()).toEqual(failure);
  });

  test('fails for an unknown shop', async () => {
    expect(await translator.fetchChanges?.('other.example', { since: minutes(0) }, Date.now() + 5_000)).toEqual({
      ok: false,
      failure: { kind: 'permanent', reason: 'unknown_source' },
    });
  });

  test.each(['', '{', '[]', '{"from":1}'])(
    'begins at the requested time after an unreadable cursor (%s)',
    async (cursor) => {
      expect(JSON.parse((await page(cursor)).cursor)).toMatchObject({ from: `${minutes(0).slice(0, 19)}Z` });
    },
  );
});
