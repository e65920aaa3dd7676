import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../lib/contract/port.ts';
import type { OrderRef } from '../../lib/domain/returns/model/order.ts';
import { runDelivery } from '../../lib/shops/inbox/run-delivery.ts';
import { translator } from '../../lib/shops/platforms/medusa/platform.ts';
import type { InboxRow } from '../../lib/store/inbox/inbox-row.ts';
import { putSecret } from '../../lib/tools/local/external-services.ts';
import { startSchedules } from '../service/schedules/support.ts';
import { openWorker } from '../service/write-back/worker.ts';
import { readFacts } from '../service/write-back/worlds/medusa.ts';
import { backendCall } from '../support/backend-call.ts';
import { plant } from '../support/emitted/record.ts';
import { setEnvironment } from '../support/environment.ts';
import { startCutting } from './medusa/cut-answers.ts';
import { startMedusa } from './medusa/server.ts';
import { openShop, type PlacedOrder, type Shop } from './medusa/shop.ts';

/* The worker of write-back in front of a real Medusa on PostgreSQL, whose answers get lost. */

const lives = Number(process.env['LIVES'] ?? 200);
const platform = 'medusa';

const { secrets, backendWith } = await startSchedules();
const backend: Backend = backendWith({});
const { run, intents, enable } = openWorker(backend);
const opened = new AsyncDisposableStack();

let shop: Shop;
let proxy: Awaited<ReturnType<typeof startCutting>>;

// An installation takes up to ten minutes, and migrations up to four.
beforeAll(async () => {
  const medusa = await startMedusa();
  opened.defer(medusa.close);
  shop = await openShop(medusa);
  plant([shop.apiKey]);
  proxy = await startCutting(medusa.url);
  opened.defer(proxy.close);
  await putSecret(secrets, `unit/api/${platform}`, {
    sources: { nordic: { secretApiKey: shop.apiKey, apiUrl: proxy.url } },
  });
  setEnvironment({ PLATFORMS: platform, WRITE_BACK: platform });
  const on = { approve: 'on', cancel: 'on', inspect: 'on', refund: 'on' } as const;
  await enable(platform, { actions: on, dailyRefunds: [{ amount: 1_000_000_00, currency: 'EUR' }] });
}, 1_800_000);

afterAll(async () => opened.disposeAsync());

/** Processes a delivery of the shop for an order, as the worker of the inbox does. */
const deliver = async ({ orderId }: OrderRef) => {
  const row: InboxRow = {
    platform,
    source: 'nordic',
    topic: 'order.return_received',
    deliveryId: randomUUID(),
    body: gzipSync(JSON.stringify({ data: { order_id: orderId } })),
    bodyHash: '0',
    receivedAt: new Date().toISOString(),
    traceId: '0'.repeat(32),
    status: 'received',
    attempts: 1,
    expiresAt: 0,
  };
  return runDelivery(backend, translator, row, `key/${randomUUID()}`, Date.now() + 60_000);
};

const bodyOf = async <Body>(result: Promise<{ readonly ok: boolean; readonly value?: { readonly body: Body } }>) => {
  const settled = await result;
  if (settled.value === undefined) throw new Error(JSON.stringify(settled));
  return settled.value.body;
};

/** The requests that change the shop, in the order of a life. */
const writes = [
  /^POST \/admin\/returns$/,
  /\/request-items$/,
  /^POST .*\/request$/,
  /\/receive$/,
  /\/receive-items$/,
  /\/receive\/confirm$/,
  /^POST .*\/refund$/,
];

/** Runs the worker until no intent of an order is due at once. */
const settle = async (order: OrderRef): Promise<void> => {
  for (let count = 0; count < 3; count += 1) await Promise.all([run(order), run(order)]);
};

/** A life of a return of one unit of each item, in which the answer to one request is lost. */
const live = async (placed: PlacedOrder, cut: RegExp | undefined) => {
  const order = { platform, orderId: placed.id };
  await bodyOf(backend.registerOrder(await readFacts('nordic', placed.id), backendCall()));
  if (cut !== undefined) proxy.cutNext(cut);
  const lines = placed.items.map((orderLineId) => ({ orderLineId, quantity: 1, reason: { code: 'fit.too_small' } }));
  const created = await bodyOf(backend.createReturn({ order, lines }, backendCall()));
  const { returnId } = created;
  if (created.status === 'requested') await bodyOf(backend.approve({ returnId }, backendCall()));
  await settle(order);
  const units = created.lines.map(({ lineId }) => ({ lineId, quantity: 1 }));
  await bodyOf(backend.receive({ returnId, lines: units }, backendCall()));
  const found = units.map((unit) => ({ ...unit, outcome: 'accept' as const, disposition: 'restock' as const }));
  await bodyOf(backend.inspect({ returnId, lines: found }, backendCall()));
  const { refunds } = await bodyOf(backend.refund({ returnId }, backendCall()));
  await settle(order);
  return { order, returnId, amount: refunds[0]?.amount.amount ?? 0 };
};

describe('write-back to a real Medusa', () => {
  it(`has each effect once in ${lives} lives with lost answers`, { timeout: 7_200_000 }, async () => {
    const outcomes = new Map<string, number>();
    for (let count = 0; count < lives; count += 1) {
      if (count % 50 === 0) console.log(`${count} of ${lives} lives`);
      const placed = await shop.placePaidOrder();
      const cut = writes[count % (writes.length + 1)];
      const { order, returnId, amount } = await live(placed, cut);
      const left = (await intents(order)).filter(({ status }) => status !== 'confirmed');
      const reasons = left.map(({ action, status, reason }) => `${action} ${status} ${reason ?? ''}`);
      for (const reason of reasons.length === 0 ? ['all confirmed'] : reasons)
        outcomes.set(reason, (outcomes.get(reason) ?? 0) + 1);
      const effects = await shop.effectsOn(placed.id);
      expect(effects.returns.length).toBeLessThanOrEqual(1);
      expect(effects.received).toBeLessThanOrEqual(2);
      const refunded = await shop.refundsOf(placed.id);
      expect(refunded.length).toBeLessThanOrEqual(1);
      if (left.length > 0) continue;
      expect(effects).toMatchObject({
        returns: [{ status: 'received', units: 2, received: 2 }],
        requested: 0,
        received: 2,
      });
      expect(refunded).toEqual([amount / 100]);
      expect(await deliver(order)).toEqual({ status: 'done', order, returnId });
      const after = await bodyOf(backend.getReturn({ returnId }, backendCall()));
      expect(after.refunds.map(({ status, amount: paid }) => [status, paid.amount])).toEqual([['succeeded', amount]]);
      expect(after.discrepancies).toEqual([]);
    }
    console.log([...outcomes].map(([outcome, times]) => `${outcome}: ${times}`).join('\n'));
  });
});
