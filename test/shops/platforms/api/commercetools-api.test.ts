import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { orderNode, paidBy, payment, refund, startProject } from '../commercetools-project.ts';
import { startPlatformSecret } from '../platform-secret.ts';
import { translator } from '../../../../lib/shops/platforms/commercetools/platform.ts';

/** Each test has a project of its own, because tokens outlive a test. */
const keys = Array.from({ length: 40 }, (_, index) => `project-${index}`);
const project = await startProject(...keys);
const sources: Record<string, unknown> = Object.fromEntries(keys.map((key) => [key, project.entry()]));
const store = await startPlatformSecret();
store.put(sources);

afterAll(async () => {
  await project.close();
  await store.close();
});

const order = orderNode(paidBy(payment([refund('tx-1', 100)])));
let key = '';

beforeEach(() => {
  key = keys.pop() ?? '';
  project.state.order = order;
  project.state.issued = 0;
  project.state.ended.clear();
  project.state.found = {};
  project.state.failures.length = 0;
});

const soon = () => Date.now() + 10_000;
const body = { resource: { typeId: 'order', id: order['id'] } };
const prepare = (deadline = soon()) => translator.prepare({ source: key, topic: 'ReturnInfoSet', body }, deadline);

describe('commercetools API client', () => {
  // This test is first, because the client limits how often it reads the secret again.
  test('uses rotated credentials', async () => {
    expect(await prepare()).toMatchObject({ kind: 'snapshot' });
    project.state.ended.add('a-secret-of-the-client');
    project.revoke();
    sources[key] = project.entry({ clientSecret: 'the-next-secret-of-the-client' });
    store.put(sources);
    expect(await prepare()).toMatchObject({ kind: 'snapshot' });
  });

  test('uses one token with the least scopes for all requests, and reads payments with the order', async () => {
    expect(await prepare()).toMatchObject({ kind: 'snapshot' });
    await Promise.all([prepare(), prepare(), prepare()]);
    expect(project.state.issued).toBe(1);
    const tokenRequest = project.server.requests.findLast(({ path }) => path === '/oauth/token');
    expect(new URLSearchParams(tokenRequest?.body).get('scope')).toBe(`view_orders:${key} view_payments:${key}`);
    const read = project.requestedUrls().at(-1);
    expect(read?.pathname).toBe(`/${key}/orders/${String(order['id'])}`);
    expect(read?.searchParams.getAll('expand')).toEqual(['paymentInfo.payments[*]']);
  });

  test('requests another token when the API rejects the current one', async () => {
    await prepare();
    project.revoke();
    expect(await prepare()).toMatchObject({ kind: 'snapshot' });
    expect(project.state.issued).toBe(2);
  });

  test('uses its proven token again when the API rejects the one after it', async () => {
    await prepare();
    project.state.failures.push({ status: 401 }, { status: 401 });
    expect(await prepare()).toEqual({ kind: 'retry', reason: 'shop_status_401' });
    project.state.failures.push({ status: 401 });
    expect(await prepare()).toMatchObject({ kind: 'snapshot' });
    expect(project.state.issued).toBe(2);
  });

  test('retries later when the credentials are rejected', async () => {
    project.state.ended.add('a-secret-of-the-client');
    expect(await prepare()).toEqual({ kind: 'retry', reason: 'shop_token:ClientRejected' });
  });

  test.each([
    [{ status: 500 }, 1, { kind: 'snapshot' }],
    ['reset', 1, { kind: 'snapshot' }],
    [{ status: 503 }, 4, { kind: 'retry', reason: 'shop_status_503' }],
    [{ status: 403 }, 1, { kind: 'retry', reason: 'shop_status_403' }],
    [{ status: 400 }, 1, { kind: 'parked', reason: 'shop_status_400' }],
    [{ status: 200, body: '{}' }, 1, { kind: 'parked', reason: 'order_unreadable' }],
    [{ status: 200, body: '[' }, 1, { kind: 'snapshot' }],
  ] as const)('retries, parks or succeeds after %j, %i times', async (failure, times, expected) => {
    project.state.failures.push(...Array.from({ length: times }, () => failure));
    expect(await prepare()).toMatchObject(expected);
  });

  test('parks an order that is deleted upstream', async () => {
    project.state.order = undefined;
    expect(await prepare()).toEqual({ kind: 'parked', reason: 'shop_status_404' });
  });

  test('sends no request for an unknown project', async () => {
    const outcome = await translator.prepare({ source: 'not-ours', topic: 'ReturnInfoSet', body }, soon());
    expect(outcome).toEqual({ kind: 'parked', reason: 'unknown_source' });
  });
});

describe('commercetools fetchChanges', () => {
  const since = '2026-11-01T00:00:00Z';
  const changedSince = async (cursor?: string) => {
    const read = await translator.fetchChanges?.(key, { since, ...(cursor !== undefined && { cursor }) }, soon());
    if (read?.ok !== true) throw new Error('nothing read');
    return read.value;
  };
  const at = (id: string, minute: number, version = 1) => ({
    id,
    version,
    lastModifiedAt: `2026-11-02T00:${String(minute).padStart(2, '0')}:00.000Z`,
  });

  test('finds orders and payments as their notifications name them, oldest first', async () => {
    project.state.found = { orders: [at('o-1', 1), at('o-2', 3, 9)], payments: [at('p-1', 2)] };
    const { found, more } = await changedSince();
    expect(found.map(({ deliveryId }) => deliveryId)).toEqual(['order:o-1:1', 'payment:p-1:1', 'order:o-2:9']);
    expect(found[0]).toMatchObject({ topic: 'ResourceUpdated', body: { resource: { typeId: 'order', id: 'o-1' } } });
    expect(more).toBe(false);
  });

  test('continues after its cursor, and requests changes in their order', async () => {
    project.state.found = { orders: [at('o-1', 1), at('o-2', 3)], payments: [] };
    const first = await changedSince();
    project.state.found = {};
    const second = await changedSince(first.cursor);
    expect(second).toEqual({ found: [], cursor: first.cursor, more: false });
    const [orders, payments] = project.requestedUrls().slice(-2);
    expect(orders?.pathname).toBe(`/${key}/orders`);
    expect(orders?.searchParams.getAll('sort')).toEqual(['lastModifiedAt asc', 'id asc']);
    expect(orders?.searchParams.get('where')).toContain(
      'returnInfo is not empty and (lastModifiedAt > "2026-11-02T00:03:00.000Z"' +
        ' or (lastModifiedAt = "2026-11-02T00:03:00.000Z" and id > "o-2"))',
    );
    expect(payments?.pathname).toBe(`/${key}/payments`);
    expect(payments?.searchParams.get('where')).toContain('lastModifiedAt > "2026-11-01T00:00:00.000Z"');
  });

  test('reports more changes after a whole page', async () => {
    project.state.found = { orders: Array.from({ length: 100 }, (_, index) => at(`o-${index}`, index % 60)) };
    expect((await changedSince()).more).toBe(true);
  });

  test.each(['', 'nonsense', '{"order":{"at":"x\\"","id":"\\" or true"}}', '[]'])(
    'starts over with an unreadable cursor: %j',
    async (cursor) => {
      expect(await changedSince(cursor)).toMatchObject({ found: [] });
      expect(project.requestedUrls().at(-1)?.searchParams.get('where')).toContain('"2026-11-01T00:00:00.000Z"');
    },
  );

  test('returns the reason of a failure', async () => {
    project.state.failures.push({ status: 400 });
    expect(await translator.fetchChanges?.(key, { since }, soon())).toMatchObject({
      ok: false,
      failure: { kind: 'permanent', reason: 'shop_status_400' },
    });
  });
});
