import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ingestWebhook } from '../../../lib/edge/webhooks/ingest-webhook.ts';
import { listInboxDeliveries } from '../../../lib/service/operations/inbox/list-inbox-deliveries.ts';
import { replay } from '../../../lib/service/operations/inbox/replay.ts';
import { processInbox } from '../../../lib/shops/inbox/process.ts';
import { enqueue } from '../../../lib/shops/inbox/queue.ts';
import { sweepInbox } from '../../../lib/shops/inbox/sweep.ts';
import { startShop } from '../../../lib/tools/local/shop/shop.ts';
import { translators } from '../../../lib/shops/platforms/translators.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { transact } from '../../../lib/store/engine/transact.ts';
import { encodeInboxKey, inboxKey } from '../../../lib/store/inbox/inbox-row.ts';
import { readDelivery } from '../../../lib/store/inbox/inbox.ts';
import {
  cancellationRow,
  cancelOrderTopic,
  writeCancellationWork,
} from '../../../lib/store/withdrawals/cancellation-work.ts';
import { startPlatformSecret } from '../platforms/platform-secret.ts';
import { documentedOrder, startSite } from '../platforms/woocommerce-site.ts';
import { backendCall } from '../../support/backend-call.ts';
import { restoreEnvironment, setEnvironment, stubEnvironment } from '../../support/environment.ts';
import { ampleDeadline, contextWith } from '../../support/time.ts';
import { startEngines } from './engines.ts';
import { authentic, backendWith, batch, only, outside, platformWith, post, failed } from './support.ts';

const engines = await startEngines();
const { messages, empty, rows } = outside(engines);
const site = await startSite();
const shop = await startShop({ port: 0 });
const other = await startShop({ port: 0, clock: () => 1_000_000 });
const store = await startPlatformSecret();
const woo = { consumerKey: 'ck_first', consumerSecret: 'cs_first', apiUrl: site.server.origin };

afterAll(async () => {
  await site.server[Symbol.asyncDispose]();
  await Promise.all([shop.close(), other.close()]);
  await store.close();
  await engines.stop();
});
beforeEach(async () => {
  setEnvironment({ PLATFORMS: 'woocommerce', WITHDRAWAL_CANCELLATION: 'platform' });
  store.put({ site: woo });
  site.accept('ck_first', 'cs_first');
  site.permitWrites(true);
  site.put(documentedOrder({ status: 'processing', date_completed_gmt: null }));
  await empty();
});
afterEach(restoreEnvironment);

let next = 0;
/** Writes the work as the transaction of a match does, and returns its key. */
const order = async (ref = { platform: 'woocommerce', orderId: '723' }, isByPerson = true): Promise<string> => {
  next += 1;
  const at = new Date().toISOString();
  const work = { order: ref, withdrawalId: `wdr_${next}`, isByPerson, at, traceId: '0'.repeat(32) };
  using session = openSession(ampleDeadline());
  expect(await transact(session, [writeCancellationWork(work)])).toMatchObject({ written: true });
  return inboxKey(cancellationRow(work));
};
const withdrawal = (status: string, declaration?: object) => () => ({
  ok: true,
  value: { status: 200, body: { status, ...(declaration && { declaration }) } },
});
const backend = (answers: Parameters<typeof backendWith>[0] = {}) =>
  backendWith({ getWithdrawal: withdrawal('matched'), ...answers });

/** Runs the sweeper, and the worker on its messages. */
const run = async (answers?: Parameters<typeof backendWith>[0]) => {
  await sweepInbox({}, contextWith());
  const called = backend(answers);
  const result = await processInbox(called.backend, translators)(batch(await messages(), 1), contextWith());
  return { ...called, result };
};
const rowOf = async (key: string) => {
  using session = openSession(ampleDeadline());
  return await readDelivery(session, key);
};
const writes = () => site.server.requests.filter(({ method }) => method === 'PUT').length;

describe('work to cancel an order', () => {
  test('is enqueued by the next sweep, cancels the order, and syncs its state', async () => {
    const key = await order();
    const { calls, result } = await run();
    expect(result).toEqual({ batchItemFailures: [] });
    expect(site.orders.get('723')).toMatchObject({ status: 'cancelled' });
    expect(calls.map(({ name }) => name)).toEqual(['getWithdrawal', 'registerOrder']);
    expect(calls.at(-1)?.input).toMatchObject({ orderId: '723', lines: [{ fulfilledQuantity: 0 }, {}] });
    expect(await rowOf(key)).toMatchObject({ status: 'done', orderId: '723', topic: cancelOrderTopic, attempts: 1 });
  });

  test('is listed by its order, and a replay cancels nothing twice', async () => {
    const key = await order();
    await run();
    const before = writes();
    const listed = await listInboxDeliveries({ platform: 'woocommerce', orderId: '723' }, backendCall());
    const keys = listed.ok ? listed.value.body.items.map(({ deliveryKey }) => deliveryKey) : [];
    expect(keys).toContain(encodeInboxKey(key));
    expect(await replay({ deliveryKey: encodeInboxKey(key) }, backendCall())).toMatchObject({ ok: true });
    await run();
    expect(await rowOf(key)).toMatchObject({ status: 'done', runs: [{ status: 'done' }] });
    expect(writes()).toBe(before);
  });

  test('cancels once when two workers get it', async () => {
    const key = await order();
    await sweepInbox({}, contextWith());
    const [message] = await messages();
    const work = processInbox(backend().backend, translators);
    const twice = batch([message ?? {}], 1);
    await Promise.all([work(twice, contextWith()), work(twice, contextWith())]);
    expect(await rowOf(key)).toMatchObject({ status: 'done', attempts: 1 });
    expect(site.orders.get('723')).toMatchObject({ status: 'cancelled' });
  });

  test.each(['withdrawn', 'answered'])('cancels nothing for a withdrawal that is %s', async (status) => {
    const key = await order();
    await run({ getWithdrawal: withdrawal(status) });
    expect(await rowOf(key)).toMatchObject({ status: 'ignored', reason: `withdrawal_${status}`, orderId: '723' });
    expect(site.orders.get('723')).toMatchObject({ status: 'processing' });
  });

  test('is parked when units were sent since, and cancels nothing', async () => {
    site.put(documentedOrder({ status: 'completed' }));
    const key = await order();
    await run();
    expect(await rowOf(key)).toMatchObject({ status: 'parked', reason: 'order_shipped', orderId: '723' });
    expect(site.orders.get('723')).toMatchObject({ status: 'completed' });
  });

  test.each([
    ['no person', 'the same name', { name: 'DOE, John' }, false, 'done', 'cancelled'],
    ['no person', 'another name', { name: 'Jane Doe' }, false, 'parked', 'processing'],
    ['no person', 'erased texts', undefined, false, 'parked', 'processing'],
    ['a person', 'another name', { name: 'Jane Doe' }, true, 'done', 'cancelled'],
  ] as const)('of a match by %s with %s: %j', async (_by, _name, declaration, isByPerson, status, atShop) => {
    const key = await order(undefined, isByPerson);
    await run({ getWithdrawal: withdrawal('matched', declaration) });
    const reason = status === 'parked' ? { reason: 'name_differs' } : {};
    expect(await rowOf(key)).toMatchObject({ status, orderId: '723', ...reason });
    expect(site.orders.get('723')).toMatchObject({ status: atShop });
  });

  test('of a match by no person is parked when the shop knows no name', async () => {
    site.put(documentedOrder({ status: 'processing', date_completed_gmt: null, billing: {} }));
    const key = await order(undefined, false);
    await run({ getWithdrawal: withdrawal('matched', { name: '' }) });
    expect(await rowOf(key)).toMatchObject({ status: 'parked', reason: 'name_differs' });
    expect(site.orders.get('723')).toMatchObject({ status: 'processing' });
  });

  test('is parked while the parameter is off', async () => {
    stubEnvironment({ WITHDRAWAL_CANCELLATION: 'event' });
    const key = await order();
    await run();
    expect(await rowOf(key)).toMatchObject({ status: 'parked', reason: 'cancellation_off' });
  });

  test('finds the shop by the platform name of its orders', async () => {
    store.put({ first: { ...woo, apiUrl: 'http://127.0.0.1:1' }, second: { ...woo, orderPlatform: 'woo2' } });
    const key = await order({ platform: 'woo2', orderId: '723' });
    await run();
    expect(await rowOf(key)).toMatchObject({ status: 'done', orderId: '723' });
  });

  test.each([
    ['unknown', 'woocommerce', 'unknown_source'],
    ['vtex', 'vtex', 'cancellation_unsupported'],
  ])('of the platform %s is parked', async (platform, enabled, reason) => {
    stubEnvironment({ PLATFORMS: enabled });
    const key = await order({ platform, orderId: '723' });
    await run();
    expect(await rowOf(key)).toMatchObject({ status: 'parked', reason });
  });

  test('is retried with the state of the shop, and ends in the dead-letter queue', async () => {
    const key = await order();
    site.fail({ status: 200, body: JSON.stringify(site.orders.get('723')) }, { status: 502, body: '' });
    const { result } = await run();
    expect(result.batchItemFailures).toHaveLength(1);
    expect(await rowOf(key)).toMatchObject({ status: 'received', lastError: 'shop_status_502', attempts: 1 });
    const last = batch([{ Body: JSON.stringify({ key }), MessageId: 'm', ReceiptHandle: 'r' }], 3);
    site.accept('ck_other', 'cs_other');
    await processInbox(backend().backend, translators)(last, contextWith());
    expect(await rowOf(key)).toMatchObject({ status: 'failed', lastError: 'shop_status_401' });
  });

  test('is retried when the withdrawal cannot be read, and parked when it does not exist', async () => {
    const key = await order();
    await run({ getWithdrawal: () => failed('dependency_unavailable') });
    expect(await rowOf(key)).toMatchObject({ status: 'received', lastError: 'dependency_unavailable' });
    const other = await order();
    await run({ getWithdrawal: () => failed('withdrawal_not_found') });
    expect(await rowOf(other)).toMatchObject({ status: 'parked', reason: 'withdrawal_not_found' });
  });
});

describe('work to cancel an order of several Shopify shops', () => {
  const work = async (key: string) => {
    await empty();
    await enqueue(key, AbortSignal.timeout(60_000));
    await processInbox(backend().backend, translators)(batch(await messages(), 1), contextWith());
  };
  const [sold = ''] = shop.sell(1, { isSent: false });
  const [late = ''] = shop.sell(1, { isSent: false });

  beforeEach(() => {
    stubEnvironment({ PLATFORMS: 'shopify' });
    const entry = { accessToken: shop.accessToken, apiUrl: shop.url };
    store.put({
      'other.myshopify.com': { ...entry, apiUrl: other.url },
      'refusing.myshopify.com': { ...entry, apiUrl: site.server.origin },
      [shop.shopDomain]: entry,
    });
    shop.scopes.add('write_orders');
  });

  test('finds the order when one shop lacks it and another fails', async () => {
    const key = await order({ platform: 'shopify', orderId: sold });
    await work(key);
    expect(shop.cancellations.at(sold)).not.toBeNull();
    expect(await rowOf(key)).toMatchObject({ status: 'done', orderId: sold });
  });

  test('is retried while a shop fails that may have the order', async () => {
    const key = await order({ platform: 'shopify', orderId: '1' });
    await work(key);
    expect(await rowOf(key)).toMatchObject({ status: 'received', lastError: 'shop_status_401' });
    store.put({ 'other.myshopify.com': { accessToken: other.accessToken, apiUrl: other.url } });
    stubEnvironment({ PLATFORMS: 'shopify' });
    await work(key);
    expect(await rowOf(key)).toMatchObject({ status: 'parked', reason: 'shop_order_not_found' });
  });

  test('waits for the job of the shop without another request', async () => {
    const key = await order({ platform: 'shopify', orderId: late });
    shop.cancellations.hold();
    const before = shop.cancellations.requests.length;
    for (let count = 1; count <= 3; count += 1) {
      await work(key);
      expect(await rowOf(key)).toMatchObject({
        status: 'received',
        lastError: 'cancellation_pending',
        attempts: count,
      });
    }
    expect(shop.cancellations.requests.length - before).toBe(1);
    shop.cancellations.release();
    await work(key);
    expect(await rowOf(key)).toMatchObject({ status: 'done', attempts: 4 });
  });

  test('asks again after eight attempts without an effect', async () => {
    const [lost = ''] = shop.sell(1, { isSent: false });
    const key = await order({ platform: 'shopify', orderId: lost });
    shop.cancellations.hold();
    const before = shop.cancellations.requests.length;
    for (let count = 1; count <= 9; count += 1) await work(key);
    expect(shop.cancellations.requests.length - before).toBe(2);
    shop.cancellations.release();
  });
});

describe('a delivery with the topic of the work', () => {
  test('is stored as an unknown topic, and cancels nothing', async () => {
    stubEnvironment({ PLATFORMS: 'shopify' });
    const verification = authentic({ topic: cancelOrderTopic, deliveryId: 'forged' });
    await ingestWebhook(only(platformWith({ verification })))(post('{"orderId":"723","withdrawalId":"wdr_1"}'));
    const stored = (await rows()).find(({ deliveryId }) => deliveryId === 'forged');
    expect(stored).toMatchObject({ topic: 'unknown' });
  });
});
