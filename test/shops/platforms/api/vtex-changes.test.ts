import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { PlatformChange } from '../../../../lib/shops/platforms/platform.ts';
import { account, request, startAccount, step } from '../vtex-account.ts';
import { translator } from '../../../../lib/shops/platforms/vtex/platform.ts';

const vtex = await startAccount();

afterAll(vtex.close);
beforeEach(() => {
  vtex.lists.requests = [];
  vtex.lists.orders = [];
  vtex.lists.hasApp = true;
});

const since = '2026-10-15T00:00:00.000Z';

const part = async (cursor?: string) => {
  const changes = await translator.fetchChanges?.(
    account,
    { since, ...(cursor !== undefined && { cursor }) },
    Date.now() + 10_000,
  );
  if (changes === undefined) throw new Error('fetchChanges is missing');
  return changes;
};
/** Returns a whole scan and the requests of each part. */
const scan = async (from?: string) => {
  const found: PlatformChange[] = [];
  let cursor = from;
  for (let parts = 1; ; parts += 1) {
    const requestsBefore = vtex.requests.length;
    const changes = await part(cursor);
    if (!changes.ok) throw new Error(changes.failure.reason);
    expect(vtex.requests.length - requestsBefore).toBeLessThanOrEqual(2);
    found.push(...changes.value.found);
    ({ cursor } = changes.value);
    if (!changes.value.more) return { found, cursor, parts };
  }
};
const id = (index: number) => `request-${String(index).padStart(3, '0')}`;
const changed = (index: number, status: string, at: string) =>
  request({ id: id(index), status, refundStatusData: [step('new', '2026-10-01T10:00:00Z'), step(status, at)] });
const orderOf = (index: number, fields: Record<string, unknown> = {}) => ({
  orderId: `v${index}-01`,
  creationDate: '2026-10-01T10:00:00.0000000+00:00',
  status: 'invoiced',
  ...fields,
});

describe('VTEX fetchChanges', () => {
  test('finds requests by their latest status or comment, oldest first, over all pages', async () => {
    // In the app's order: the last submitted request is first.
    vtex.lists.requests = Array.from({ length: 60 }, (_, index) =>
      changed(60 - index, 'processing', '2026-10-16T10:00:00Z'),
    );
    const { found } = await scan();
    expect(found.map(({ body }) => body['id'])).toEqual(Array.from({ length: 60 }, (_, index) => id(index + 1)));
    expect(found[0]).toEqual({
      topic: 'return-request',
      deliveryId: 'request-001:processing:2026-10-16T10:00:00.000Z',
      body: { id: 'request-001' },
    });
  });

  test('omits unchanged requests, but repeats the last minutes', async () => {
    const comment = { comment: 'x', createdAt: '2026-10-16T10:00:00Z', visibleForCustomer: true };
    vtex.lists.requests = [
      changed(5, 'denied', '2026-10-14T23:30:00Z'),
      changed(4, 'denied', '2026-10-14T23:50:00Z'),
      request({ id: id(3), refundStatusData: [step('new', '2026-10-01T10:00:00Z', [comment])] }),
      request({ id: id(2), refundStatusData: null }),
      request({ id: null }),
      { id: id(1), status: 7 },
    ];
    expect((await scan()).found.map(({ body }) => body['id'])).toEqual([id(2), id(3), id(4)]);
  });

  test('finds orders by their invoices of returned goods', async () => {
    vtex.lists.orders = [
      orderOf(1, { invoiceInput: ['2001'] }),
      orderOf(2, { invoiceInput: ['2001', '2002'], lastChange: '2026-10-16T10:00:00.0000000+00:00' }),
      orderOf(3, { lastChange: '2026-10-14T10:00:00.0000000+00:00' }),
      orderOf(4, { orderId: '../feed' }),
    ];
    const before = vtex.requests.length;
    expect((await scan()).found).toEqual([
      { topic: 'order', deliveryId: 'v1-01:2001:', body: { OrderId: 'v1-01' } },
      { topic: 'order', deliveryId: 'v2-01:2001,2002:2026-10-16T10:00:00.000Z', body: { OrderId: 'v2-01' } },
    ]);
    const orderSearch = vtex.requests.slice(before).find(({ path }) => path.startsWith('/api/oms/pvt/orders?'));
    const query = new URL(orderSearch?.path ?? '', 'http://vtex.invalid').searchParams;
    expect(query.get('f_hasInputInvoice')).toBe('true');
    expect(query.get('f_creationDate')).toMatch(/^creationDate:\[2026-04-18T00:00:00.000Z TO 20\d\d-/);
  });

  test('continues after page 30, which is the last one that VTEX returns', async () => {
    const createdAt = (index: number) => new Date(Date.parse('2026-10-02') + index * 1000).toISOString();
    vtex.lists.orders = Array.from({ length: 3101 }, (_, index) => orderOf(index, { creationDate: createdAt(index) }));
    const { found } = await scan();
    expect(new Set(found.map(({ deliveryId }) => deliveryId)).size).toBe(3101);
  });

  test('ends when all orders after page 30 have the same time', async () => {
    vtex.lists.orders = Array.from({ length: 3101 }, (_, index) => orderOf(index));
    expect(new Set((await scan()).found.map(({ deliveryId }) => deliveryId)).size).toBe(3000);
  });

  test('begins the next scan at the start of this one, and repeats known ids', async () => {
    const now = new Date().toISOString();
    vtex.lists.requests = [changed(1, 'processing', now)];
    const first = await scan();
    expect(first.found).toHaveLength(1);
    const second = await scan(first.cursor);
    expect(second.found).toEqual(first.found);
    vtex.lists.requests = [changed(1, 'processing', '2026-10-16T10:00:00Z')];
    expect((await scan(second.cursor)).found).toEqual([]);
  });

  test('works without the return app, and starts over with an unreadable cursor', async () => {
    vtex.lists.hasApp = false;
    vtex.lists.orders = [orderOf(1)];
    expect((await scan()).found).toHaveLength(1);
    expect((await scan('not a cursor')).found).toHaveLength(1);
  });

  test('fails completely when a list is unreadable, so that the cursor stays', async () => {
    vtex.fail(403);
    expect(await part()).toEqual({ ok: false, failure: { kind: 'retryable', reason: 'shop_status_403' } });
  });

  test('returns deliveries that prepare accepts', async () => {
    vtex.lists.requests = [changed(1, 'new', '2026-10-16T10:00:00Z')];
    vtex.lists.orders = [orderOf(1)];
    vtex.forget();
    for (const { topic, body } of (await scan()).found) {
      const outcome = await translator.prepare({ source: account, topic, body }, Date.now() + 10_000);
      expect(outcome).toEqual({ kind: 'parked', reason: 'shop_status_404' });
    }
  });
});
