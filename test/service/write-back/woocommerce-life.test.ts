import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Backend } from '../../../lib/contract/port.ts';
import type { OrderRef } from '../../../lib/domain/returns/model/order.ts';
import type { InboxRow } from '../../../lib/store/inbox/inbox-row.ts';
import { runDelivery } from '../../../lib/shops/inbox/run-delivery.ts';
import { translator } from '../../../lib/shops/platforms/woocommerce/platform.ts';
import { putSecret } from '../../../lib/tools/local/external-services.ts';
import type { WireFault } from '../../../lib/tools/local/shops/faults.ts';
import { startShopServer } from '../../../lib/tools/local/shops/shop-server.ts';
import { openSite } from '../../../lib/tools/local/shops/woocommerce/site.ts';
import { woocommerceOrder } from '../../shops/platforms/effects/woocommerce-case.ts';
import { backendCall } from '../../support/backend-call.ts';
import { setEnvironment } from '../../support/environment.ts';
import { startSchedules } from '../schedules/support.ts';
import { openWorker } from './worker.ts';

const { secrets, backendWith } = await startSchedules();
const backend: Backend = backendWith({});
const { run, intents, enable } = openWorker(backend);
const platform = 'woocommerce';
const authorization = `Basic ${Buffer.from('ck_first:cs_first').toString('base64')}`;
const site = openSite({ clock: () => Date.now(), authorization: () => authorization, mayWrite: () => true });
const server = await startShopServer({ port: 0, answer: site.answer });
await putSecret(secrets, `unit/api/${platform}`, {
  sources: { shop: { consumerKey: 'ck_first', consumerSecret: 'cs_first', apiUrl: server.url } },
});

const start = Date.parse('2026-11-29T12:00:00.000Z');
let minutes = 0;
/** Lets time pass, so that intents are due again. */
const later = (count = 60): void => {
  minutes += count;
  vi.setSystemTime(start + minutes * 60_000);
};

afterAll(async () => {
  vi.useRealTimers();
  await server.close();
});
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  later(0);
  setEnvironment({ PLATFORMS: platform, WRITE_BACK: platform });
  server.faults.clear();
  const on = { approve: 'on', reject: 'on', cancel: 'on', close: 'on', refund: 'on' } as const;
  await enable(platform, { actions: on, dailyRefunds: [{ amount: 1_000_000_00, currency: 'USD' }] });
});

const done = async <Body>(result: Promise<{ readonly ok: boolean; readonly value?: { readonly body: Body } }>) => {
  const settled = await result;
  if (settled.value === undefined) throw new Error(JSON.stringify(settled));
  return settled.value.body;
};

/** Processes a delivery of the shop for an order, as the worker of the inbox does. */
const deliver = async (orderId: string) => {
  const now = new Date().toISOString();
  const row: InboxRow = {
    platform,
    source: 'shop',
    topic: 'order.updated',
    deliveryId: randomUUID(),
    body: gzipSync(JSON.stringify({ id: Number(orderId) })),
    bodyHash: '0',
    receivedAt: now,
    traceId: '0'.repeat(32),
    status: 'received',
    attempts: 1,
    expiresAt: 0,
  };
  return runDelivery(backend, translator, row, `key/${randomUUID()}`, Date.now() + 30_000);
};

let next = 5_000;
/** Brings a return of one unit to the point where its refund is booked. */
const refundedReturn = async () => {
  next += 1;
  const order = { platform, orderId: String(next) };
  site.put(woocommerceOrder(next, { status: 'completed', date_completed_gmt: '2026-11-20T00:00:00' }));
  expect(await deliver(order.orderId)).toMatchObject({ status: 'done' });
  const lines = [{ orderLineId: '311', quantity: 1, reason: { code: 'fit.too_small' } }];
  const created = await done(backend.createReturn({ order, lines }, backendCall()));
  const { returnId } = created;
  const [line] = created.lines;
  const units = [{ lineId: line?.lineId ?? '', quantity: 1 }];
  if (created.status === 'requested') await done(backend.approve({ returnId }, backendCall()));
  await done(backend.receive({ returnId, lines: units }, backendCall()));
  await done(
    backend.inspect(
      {
        returnId,
        lines: units.map((unit) => ({ ...unit, outcome: 'accept' as const, disposition: 'restock' as const })),
      },
      backendCall(),
    ),
  );
  const refunded = await done(backend.refund({ returnId }, backendCall()));
  return { order, returnId, refund: refunded.refunds[0] };
};

const refundIntent = async (order: OrderRef) => (await intents(order)).find(({ action }) => action === 'refund');
const read = async (returnId: string) => done(backend.getReturn({ returnId }, backendCall()));
/** Pays a refund of an order as staff of the shop does, or as a request of ours that arrives late. */
const payAtShop = ({ orderId }: OrderRef, reason: string, amount: number): void => {
  const body = { amount: (amount / 100).toFixed(2), reason: `[${reason}]`, api_refund: true, api_restock: false };
  const reply = site.answer({
    method: 'POST',
    path: `/wp-json/wc/v3/orders/${orderId}/refunds`,
    headers: { authorization },
    body: JSON.stringify({ ...body, line_items: [] }),
  });
  expect(reply.status).toBe(201);
};
const paidAtShop = ({ orderId }: { readonly orderId: string }) =>
  site.payments.filter((payment) => payment.orderId === orderId);

describe('a refund that WooCommerce pays', () => {
  it('is paid once, and its echo is no other refund', async () => {
    const { order, returnId, refund } = await refundedReturn();
    await run(order);
    expect((await intents(order)).map(({ status }) => status)).toEqual(['confirmed', 'confirmed']);
    expect(await refundIntent(order)).toMatchObject({ by: 'request', refundId: refund?.refundId });
    expect(paidAtShop(order)).toHaveLength(1);
    expect(await read(returnId)).toMatchObject({ refundStatus: 'refunded', refunds: [{ status: 'succeeded' }] });
    later();
    for (let count = 0; count < 2; count += 1) expect(await deliver(order.orderId)).toMatchObject({ status: 'done' });
    const after = await read(returnId);
    expect(after.refunds).toHaveLength(1);
    expect(after.refunds[0]?.amount).toEqual(refund?.amount);
    expect(after.discrepancies).toEqual([]);
    expect(after.recoveryDue?.amount ?? 0).toBe(0);
    await run(order);
    expect(paidAtShop(order)).toHaveLength(1);
  });

  it('waits with the echo while the answer is lost', async () => {
    const { order, returnId } = await refundedReturn();
    server.faults.push(undefined, 'answer_lost');
    await run(order);
    expect(await refundIntent(order)).toMatchObject({ action: 'refund', status: 'sent', requests: 1 });
    expect(await deliver(order.orderId)).toMatchObject({ status: 'retry', reason: 'write_back_in_progress' });
    later();
    await run(order);
    expect(await refundIntent(order)).toMatchObject({ status: 'confirmed', by: 'request', requests: 1 });
    expect(await deliver(order.orderId)).toMatchObject({ status: 'done' });
    expect(paidAtShop(order)).toHaveLength(1);
    expect(await read(returnId)).toMatchObject({ refundStatus: 'refunded', refunds: [{ status: 'succeeded' }] });
  });

  it.each<[WireFault, number, string]>([
    ['answer_lost', 1, 'confirmed'],
    ['late', 1, 'confirmed'],
    [{ status: 500, carriedOut: true }, 1, 'confirmed'],
    [{ status: 400, carriedOut: true }, 1, 'confirmed'],
    [{ status: 429, carriedOut: false }, 1, 'confirmed'],
    [{ status: 400, carriedOut: false }, 0, 'parked'],
    ['cut_before', 0, 'parked'],
  ])('after %j has %i payment and is %s', async (fault, payments, status) => {
    const { order } = await refundedReturn();
    server.faults.push(undefined, fault);
    for (let count = 0; count < 6; count += 1) {
      await Promise.all([run(order), run(order)]);
      later();
    }
    expect(await refundIntent(order)).toMatchObject({ action: 'refund', status });
    expect(paidAtShop(order)).toHaveLength(payments);
  });

  it('is confirmed without people when a parked one appears at the shop after all', async () => {
    const { order, returnId } = await refundedReturn();
    server.faults.push(undefined, 'cut_before');
    for (let count = 0; count < 3; count += 1) {
      await run(order);
      later();
    }
    const intent = await refundIntent(order);
    expect(intent).toMatchObject({ status: 'parked', reason: 'effect_unknown', requests: 1 });
    payAtShop(order, intent?.id ?? '', (await read(returnId)).refunds[0]?.amount.amount ?? 0);
    later(300);
    await run(order);
    expect(await refundIntent(order)).toMatchObject({ status: 'confirmed', requests: 1 });
    expect(await read(returnId)).toMatchObject({ refundStatus: 'refunded', refunds: [{ status: 'succeeded' }] });
    expect(paidAtShop(order)).toHaveLength(1);
  });

  it('is not sent when the day has no room for it', async () => {
    await enable(platform, {
      actions: { approve: 'on', refund: 'on' },
      dailyRefunds: [{ amount: 100, currency: 'USD' }],
    });
    const { order } = await refundedReturn();
    await run(order);
    expect(await refundIntent(order)).toMatchObject({
      status: 'parked',
      reason: 'daily_limit_reached',
      seen: expect.stringContaining('"dailyLimit":100'),
      requests: 0,
    });
    expect(paidAtShop(order)).toEqual([]);
  });

  it('is not sent when a clerk has paid it at the shop', async () => {
    const { order, returnId, refund } = await refundedReturn();
    payAtShop(order, 'by hand', refund?.amount.amount ?? 0);
    later();
    expect(await deliver(order.orderId)).toMatchObject({ status: 'done' });
    await run(order);
    expect(paidAtShop(order)).toHaveLength(1);
    expect(await read(returnId)).toMatchObject({ refunds: [{ status: 'succeeded' }] });
    expect(await refundIntent(order)).toMatchObject({
      action: 'refund',
      status: 'cancelled',
      reason: 'refund_succeeded',
    });
  });
});
