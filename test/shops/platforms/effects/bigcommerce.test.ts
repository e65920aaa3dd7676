import * as fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startContainer } from '../../../../lib/runtime/container.ts';
import type { Wanted } from '../../../../lib/shops/platforms/effect.ts';
import { platformEffects } from '../../../../lib/shops/platforms/effects.ts';
import { translator } from '../../../../lib/shops/platforms/bigcommerce/platform.ts';
import type { Json, RefundFault } from '../../../../lib/tools/local/shops/bigcommerce/refunds.ts';
import { openStore } from '../../../../lib/tools/local/shops/bigcommerce/store.ts';
import type { WireFault } from '../../../../lib/tools/local/shops/faults.ts';
import { startShopServer } from '../../../../lib/tools/local/shops/shop-server.ts';
import { runs } from '../../../support/samples.ts';
import { documentedOrder, documentedProduct, documentedRefund } from '../bigcommerce-store.ts';
import { startPlatformSecret } from '../platform-secret.ts';
import { drive, type Outcome, startClock, wordOf } from './drive-intent.ts';
import { requestedAt, wanted, wantedRefund, wantedReturn } from './wanted.ts';

const hash = 'stor3hash1';
const store = openStore({ hash, clock: () => Date.now(), token: () => 'token_1' });
const server = await startShopServer({
  port: 0,
  answer: store.answer,
  isRead: ({ path }) => path.endsWith('/refund_quotes'),
});
const secret = await startPlatformSecret();

afterAll(async () => {
  vi.useRealTimers();
  await server.close();
  await secret.close();
});

/** Puts an order of 3 towels for 30.00 with tax and shipping of 12.00 with tax, paid by a card. */
const put = (changes: Json = {}, ...refunds: readonly Json[]) =>
  store.put(
    documentedOrder({ total_inc_tax: '42.0000', providers: ['stripe'], ...changes }),
    [documentedProduct({ quantity: 3, total_inc_tax: '30.0000', discounted_total_inc_tax: '30.0000' })],
    ...refunds,
  );

beforeEach(() => {
  startClock('2026-11-29T12:00:00Z');
  startContainer();
  secret.put({ [hash]: { webhookSecrets: ['x'], accessToken: 'token_1', apiUrl: `${server.url}/stores/${hash}` } });
  server.faults.clear();
  store.failRefund(undefined);
  put();
});

const next = (() => {
  let last = 4_000;
  return () => (last += 1);
})();
const towel = { orderLineId: '65', quantity: 1, gross: 1000 };
const refundIntent = (
  lines: Parameters<typeof wantedRefund>[1] = [towel],
  more: Parameters<typeof wantedRefund>[2] = {},
): Wanted =>
  wanted('refund', '250', { number: next(), return: wantedReturn([]), refund: wantedRefund('USD', lines, more) });
const run = async (intent: Wanted, requestMs?: number): Promise<Outcome> => {
  const effect = platformEffects['bigcommerce']?.refund;
  if (effect === undefined) throw new Error('there is no refund');
  return drive(effect, hash, intent, requestMs === undefined ? {} : { requestMs });
};
const paidFor = ({ key }: Wanted) => store.paid.filter(({ reason }) => reason.includes(`[${key}]`));
const refundsIn = () => store.orders.get('250')?.refunds ?? [];
const bodies = () => server.requests.filter(({ path }) => path.endsWith('/refunds')).flatMap(({ body }) => body || []);

describe('BigCommerce refund', () => {
  it('has the items of the quote, our key in each reason, and exact amounts', async () => {
    const intent = refundIntent([towel], { shipping: 1200 });
    const outcome = await run(intent);
    const reason = `Return RMA-1 [${intent.key}]`;
    expect(bodies().at(-1)).toBe(
      `{"items":[{"item_type":"PRODUCT","item_id":65,"quantity":1,"reason":"${reason}"},` +
        `{"item_type":"SHIPPING","item_id":99,"amount":11.09,"reason":"${reason}"}],` +
        '"payments":[{"provider_id":"stripe","amount":22.00,"offline":false}]}',
    );
    expect(paidFor(intent)).toEqual([{ amount: 22, reason }]);
    expect(outcome).toEqual({ kind: 'confirmed', externalId: String(refundsIn()[0]?.['id']) });
  });

  it('is reported by the translator under the id that the intent has', async () => {
    const outcome = await run(refundIntent());
    const delivery = { source: hash, topic: 'store/order/updated', body: { data: { id: 250 } } };
    const externalId = outcome.kind === 'confirmed' ? outcome.externalId : '';
    expect(await translator.prepare(delivery, Date.now() + 9_000)).toMatchObject({
      refunds: [{ externalId, amount: { amount: 1000 }, lines: [{ orderLineId: '65', quantity: 1 }] }],
    });
  });

  it('requests shipping with tax where the store shows prices with it', async () => {
    put({ is_tax_inclusive_pricing: true });
    await run(refundIntent([], { shipping: 1200 }));
    expect(bodies().at(-1)).toContain('"item_type":"SHIPPING","item_id":99,"amount":12.00,');
  });

  it('of money on top alone is an amount of the order', async () => {
    await run(refundIntent([], { rest: 490 }));
    expect(bodies().at(-1)).toContain('"item_type":"ORDER","item_id":250,"amount":4.90,');
  });

  it.each<readonly [string, Parameters<typeof refundIntent>[0], Parameters<typeof refundIntent>[1], Json]>([
    ['part_not_expressible', [{ ...towel, quantity: 0 }], {}, { part: 'line' }],
    ['part_not_expressible', [towel], { rest: -100 }, { part: 'rest' }],
    ['part_not_expressible', [towel], { rest: 100 }, { part: 'rest' }],
    ['part_not_expressible', [], { shipping: 600 }, { part: 'shipping' }],
    ['amount_differs', [{ ...towel, gross: 1001 }], {}, { amount: 1001, shop: 1000, currency: 'USD' }],
  ])('is blocked as %s for %j %j', async (reason, lines, more, seen) => {
    const before = bodies().length;
    expect(await run(refundIntent(lines, more))).toEqual({ kind: 'parked', reason, seen });
    expect(bodies().length).toBe(before);
  });

  it('is blocked for units that the store has refunded, by the status of its quote', async () => {
    await run(refundIntent([{ ...towel, quantity: 3, gross: 3000 }]));
    expect(wordOf(await run(refundIntent()))).toBe('shop_status_422');
  });

  it.each<readonly [string, Json]>([
    ['refund_offline', { providers: ['custom'] }],
    ['refund_offline', { providers: [] }],
    ['currency_differs', { default_currency_code: 'EUR' }],
    ['part_not_expressible', { consignments: [{ shipping: [{ id: 1 }, { id: 2 }] }] }],
  ])('is blocked as %s for an order with %j', async (reason, changes) => {
    put(changes);
    expect(wordOf(await run(refundIntent([towel], { shipping: 1200 })))).toBe(reason);
  });

  it('is blocked when a person has made the same refund since the return, unless it is known here', async () => {
    const refund = documentedRefund({
      created: '2026-11-28T00:00:00+00:00',
      reason: 'by phone',
      total_amount: 10,
      payments: [{ id: 1, provider_id: 'stripe', amount: 10, is_declined: false }],
      items: [],
    });
    put({}, refund);
    const outcome = await run(refundIntent());
    expect(outcome).toMatchObject({ kind: 'parked', reason: 'refund_exists', seen: { refundIds: ['3'] } });
    expect(JSON.stringify(outcome)).not.toContain('by phone');
    expect(wordOf(await run({ ...refundIntent(), others: { returns: [], refunds: ['3'] } }))).toBe('confirmed');
    put({}, { ...refund, created: new Date(Date.parse(requestedAt) - 1_000).toISOString() });
    expect(wordOf(await run(refundIntent()))).toBe('confirmed');
  });
});

describe('BigCommerce order', () => {
  it('is not looked for by an id that is no number, which would be another path', async () => {
    const before = server.requests.length;
    expect(wordOf(await run({ ...refundIntent(), orderId: '250/../251' }))).toBe('shop_order_not_found');
    expect(server.requests.length).toBe(before);
  });
});

const wireCases: readonly (readonly [WireFault, number, string])[] = [
  ['answer_lost', 1, 'confirmed'],
  ['silent', 1, 'confirmed'],
  ['late', 1, 'confirmed'],
  [{ status: 422, carriedOut: true }, 1, 'confirmed'],
  [{ status: 503, carriedOut: true }, 1, 'confirmed'],
  [{ status: 429, carriedOut: false }, 1, 'confirmed'],
  [{ status: 422, carriedOut: false }, 0, 'shop_status_422'],
  ['cut_before', 0, 'effect_unknown'],
  [{ status: 503, carriedOut: false }, 0, 'effect_unknown'],
];
const storeCases: readonly (readonly [RefundFault, number, string])[] = [
  ['declined', 0, 'refund_declined'],
  ['died_after_payment', 1, 'effect_unknown'],
];

describe('BigCommerce refund with a fault', () => {
  it.each(wireCases)('of the wire, %j, is paid %d times and %s', async (fault, payments, word) => {
    const intent = refundIntent();
    server.faults.push(fault);
    expect(wordOf(await run(intent, fault === 'silent' ? 300 : undefined))).toBe(word);
    server.carryOutLate();
    expect(paidFor(intent)).toHaveLength(payments);
  });

  it.each(storeCases)('inside the store, %s, is paid %d times and %s', async (fault, payments, word) => {
    const intent = refundIntent();
    store.failRefund(fault);
    expect(wordOf(await run(intent))).toBe(word);
    expect(paidFor(intent)).toHaveLength(payments);
  });
});

const isSlow = (fault: WireFault): boolean => fault === 'silent' || (typeof fault === 'object' && fault.status === 429);
const command = fc.record({
  wire: fc.constantFrom(undefined, ...wireCases.map(([fault]) => fault).filter((fault) => !isSlow(fault))),
  inside: fc.constantFrom(undefined, undefined, ...storeCases.map(([fault]) => fault)),
});
/** The reasons for people, because the store does not show whether it has paid. */
const ambiguous = ['effect_unknown', 'refund_declined', 'shop_status_422'];

describe('BigCommerce with random refunds and faults', () => {
  it('pays each refund at most once', async () => {
    const before = store.paid.length;
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 5 }), async (commands) => {
        put();
        for (const { wire, inside } of commands) {
          const intent = refundIntent();
          server.faults.push(wire);
          store.failRefund(inside);
          const outcome = await run(intent);
          server.faults.clear();
          server.carryOutLate();
          store.failRefund(undefined);
          const again = outcome.kind === 'confirmed' ? await run(intent) : outcome;
          expect(again).toEqual(outcome);
          const payments = paidFor(intent).length;
          expect([0, 1]).toContain(payments);
          expect(payments === 1 ? ['confirmed', ...ambiguous] : ambiguous).toContain(wordOf(outcome));
        }
      }),
      { numRuns: runs(160, 4) },
    );
    expect(store.paid.length - before).toBeGreaterThan(0);
  });
});
