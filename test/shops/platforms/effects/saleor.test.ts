import * as fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startContainer } from '../../../../lib/runtime/container.ts';
import type { Wanted } from '../../../../lib/shops/platforms/effect.ts';
import { platformEffects } from '../../../../lib/shops/platforms/effects.ts';
import { translator } from '../../../../lib/shops/platforms/saleor/platform.ts';
import { type AppFault, openSaleor } from '../../../../lib/tools/local/shops/saleor/shop.ts';
import { startShopServer } from '../../../../lib/tools/local/shops/shop-server.ts';
import { runs } from '../../../support/samples.ts';
import { startPlatformSecret } from '../platform-secret.ts';
import { eur, globalId, mug, order, shirt, uuid } from '../saleor-shop.ts';
import { drive, type Outcome, startClock, wordOf } from './drive-intent.ts';
import { requestedAt, wanted, wantedRefund, wantedReturn } from './wanted.ts';
import { wireFaults } from './wire-faults.ts';

const token = 'the-token-of-the-app';
const shop = openSaleor({ clock: () => Date.now(), token, reasons: true });
const server = await startShopServer({
  port: 0,
  answer: shop.answer,
  isRead: ({ body }) => body.startsWith('{"query":"query'),
});
const secret = await startPlatformSecret();
const orderId = order(1).id;
const transactionId = globalId('TransactionItem', uuid(900));

afterAll(async () => {
  vi.useRealTimers();
  await server.close();
  await secret.close();
});

type Transactions = Parameters<typeof order>[1];

/** Puts an order of 2 shirts for 36.00, 3 mugs for 10.00 and shipping of 4.90, that a card has paid. */
const put = (more: Transactions = {}) => {
  const transaction = { id: transactionId, name: 'Card', chargedAmount: eur(50.9), refundedAmount: eur(0), events: [] };
  shop.orders.set(orderId, order(1, { transactions: [transaction], ...more }));
};

beforeEach(() => {
  startClock('2026-11-29T12:00:00Z');
  startContainer();
  secret.put({ main: { accessToken: token, apiUrl: `${server.url}/graphql/`, keyOrigin: server.url } });
  server.faults.clear();
  shop.failApp(undefined);
  put();
});

const next = (() => {
  let last = 6_000;
  return () => (last += 1);
})();
const ofShirt = { orderLineId: shirt, quantity: 1, gross: 1800 };
const refundIntent = (
  lines: Parameters<typeof wantedRefund>[1] = [ofShirt],
  more: Parameters<typeof wantedRefund>[2] = {},
): Wanted =>
  wanted('refund', orderId, { number: next(), return: wantedReturn([]), refund: wantedRefund('EUR', lines, more) });
const run = async (intent: Wanted): Promise<Outcome> => {
  const effect = platformEffects['saleor']?.refund;
  if (effect === undefined) throw new Error('there is no refund');
  return drive(effect, 'main', intent);
};
const paidFor = ({ key }: Wanted) => shop.paid.filter(({ reason }) => reason.includes(`[${key}]`));
const grants = () => shop.orders.get(orderId)?.grantedRefunds ?? [];
const mutations = () => server.requests.filter(({ body }) => body.startsWith('{"query":"mutation'));
const lastGrant = () => {
  const { body = '{}' } = mutations().findLast((request) => request.body.includes('orderGrantRefundCreate')) ?? {};
  return (JSON.parse(body) as { variables: { input: unknown } }).variables.input;
};

describe('Saleor refund', () => {
  it('is granted with our key, requested, and done when the payment app has paid', async () => {
    const intent = refundIntent([ofShirt, { orderLineId: mug, quantity: 2, gross: 667 }], { shipping: 490 });
    const outcome = await run(intent);
    expect(lastGrant()).toEqual({
      transactionId,
      reason: `Return RMA-1 [${intent.key}]`,
      amount: 29.57,
      lines: [
        { id: shirt, quantity: 1 },
        { id: mug, quantity: 2 },
      ],
      grantRefundForShipping: true,
    });
    expect(grants()).toMatchObject([{ status: 'SUCCESS', amount: eur(29.57) }]);
    expect(paidFor(intent)).toEqual([{ amount: 29.57, reason: `Return RMA-1 [${intent.key}]` }]);
    expect(await run(intent)).toEqual(outcome);
    expect(mutations().filter(({ body }) => body.includes(intent.key))).toHaveLength(1);
  });

  it('is reported by the translator under the id that the intent has', async () => {
    const outcome = await run(refundIntent());
    const delivery = { source: 'main', topic: 'order_updated', body: { order: { id: orderId } } };
    const externalId = outcome.kind === 'confirmed' ? outcome.externalId : '';
    expect(externalId).toBeTruthy();
    expect(await translator.prepare(delivery, Date.now() + 9_000)).toMatchObject({
      refunds: [{ externalId, amount: { amount: 1800 }, lines: [{ orderLineId: shirt, quantity: 1 }] }],
    });
  });

  it.each([
    [{ rest: -300 }, 15],
    [{ rest: 250 }, 20.5],
  ])('has its own amount for %j', async (more, amount) => {
    const intent = refundIntent([ofShirt], more);
    expect(wordOf(await run(intent))).toBe('confirmed');
    expect(paidFor(intent)).toMatchObject([{ amount }]);
  });

  it.each<readonly [string, Parameters<typeof refundIntent>[0], Parameters<typeof refundIntent>[1], object]>([
    ['amount_differs', [{ ...ofShirt, gross: 1802 }], {}, { amount: 1802, paid: 3600, units: 2 }],
    ['amount_differs', [{ ...ofShirt, quantity: 3, gross: 5400 }], {}, { quantity: 3, units: 2 }],
    ['order_line_unreadable', [{ ...ofShirt, orderLineId: 'other' }], {}, { orderLineId: 'other' }],
    ['part_not_expressible', [ofShirt], { shipping: 100 }, { part: 'shipping' }],
    ['exceeds_payment', [ofShirt], { rest: 5000 }, { amount: 6800, left: [5090] }],
  ])('is blocked as %s for %j %j', async (reason, lines, more, seen) => {
    const before = mutations().length;
    expect(await run(refundIntent(lines, more))).toMatchObject({ kind: 'parked', reason, seen });
    expect(mutations().length).toBe(before);
  });

  it.each<readonly [string, Transactions]>([
    ['exceeds_payment', { transactions: [] }],
    [
      'currency_differs',
      { total: { currency: 'USD', gross: { amount: 1, currency: 'USD' }, net: { amount: 1, currency: 'USD' } } },
    ],
  ])('is blocked as %s for an order with %j', async (reason, more) => {
    put(more);
    expect(wordOf(await run(refundIntent()))).toBe(reason);
  });

  it('is blocked with the code of Saleor when the units are granted to others', async () => {
    put({
      transactions: [{ id: transactionId, name: 'Card', chargedAmount: eur(90), refundedAmount: eur(0), events: [] }],
    });
    expect(wordOf(await run(refundIntent([{ ...ofShirt, quantity: 2, gross: 3600 }])))).toBe('confirmed');
    expect(wordOf(await run(refundIntent()))).toBe('shop_rejected:QUANTITY_GREATER_THAN_AVAILABLE');
  });

  it('is blocked when a person has granted the same since the return, unless its payment is known here', async () => {
    const paidByHand = {
      id: globalId('TransactionEvent', 1),
      type: 'REFUND_SUCCESS',
      createdAt: '2026-11-28T00:00:00+00:00',
      pspReference: 'p',
      amount: eur(18),
    };
    const byHand = {
      id: 'grant_hand',
      reason: 'by phone',
      createdAt: '2026-11-28T00:00:00+00:00',
      updatedAt: '2026-11-28T00:00:00+00:00',
      status: 'SUCCESS',
      amount: eur(18),
      shippingCostsIncluded: false,
      lines: [],
      transactionEvents: [paidByHand],
    };
    put({ grantedRefunds: [byHand] });
    const outcome = await run(refundIntent());
    expect(outcome).toMatchObject({ kind: 'parked', reason: 'refund_exists', seen: { refundIds: ['grant_hand'] } });
    expect(JSON.stringify(outcome)).not.toContain('by phone');
    const others = { returns: [], refunds: [paidByHand.id] };
    expect(wordOf(await run({ ...refundIntent(), others }))).toBe('confirmed');
    const before = new Date(Date.parse(requestedAt) - 1_000).toISOString();
    put({ grantedRefunds: [{ ...byHand, createdAt: before, transactionEvents: [] }] });
    expect(wordOf(await run(refundIntent()))).toBe('confirmed');
  });

  it.each<readonly [AppFault, string]>([
    ['failed', 'refund_failed'],
    ['missing', 'shop_rejected:MISSING_TRANSACTION_ACTION_REQUEST_WEBHOOK'],
  ])('that the payment app leaves %s is parked as %s', async (fault, word) => {
    const intent = refundIntent();
    shop.failApp(fault);
    expect(wordOf(await run(intent))).toBe(word);
    expect(paidFor(intent)).toEqual([]);
  });

  it('waits for a token that may not grant refunds', async () => {
    secret.put({ main: { accessToken: 'another', apiUrl: `${server.url}/graphql/`, keyOrigin: server.url } });
    startContainer();
    const effect = platformEffects['saleor']?.refund;
    const sight = await effect?.see('main', refundIntent(), Date.now() + 9_000);
    expect(sight).toEqual({ ok: false, failure: { kind: 'retryable', reason: 'shop_denied_access' } });
  });
});

const places = [0, 1].flatMap((place) => wireFaults.map((fault) => [place, fault] as const));

describe('Saleor refund with a fault', () => {
  it.each(places)('of request %d, %j, is paid once', async (place, fault) => {
    const intent = refundIntent();
    server.faults.push(...Array<undefined>(place).fill(undefined), fault);
    expect(wordOf(await run(intent))).toBe('confirmed');
    server.carryOutLate();
    shop.runApp();
    expect(paidFor(intent)).toHaveLength(1);
  });
});

const command = fc.record({
  wire: fc.array(fc.option(fc.constantFrom(...wireFaults), { nil: undefined }), { maxLength: 6 }),
  app: fc.option(fc.constantFrom<AppFault>('failed', 'missing'), { nil: undefined, freq: 5 }),
});
/** What Saleor says for certain: nothing is paid. */
const unpaid = ['refund_failed', 'shop_rejected:MISSING_TRANSACTION_ACTION_REQUEST_WEBHOOK'];
const impossible = [
  'shop_rejected:QUANTITY_GREATER_THAN_AVAILABLE',
  'shop_rejected:AMOUNT_GREATER_THAN_AVAILABLE',
  'exceeds_payment',
];

describe('Saleor with random refunds and faults', () => {
  it('pays each refund once, or parks it unpaid', async () => {
    const before = shop.paid.length;
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 4 }), async (commands) => {
        put();
        for (const { wire, app } of commands) {
          const intent = refundIntent([{ orderLineId: mug, quantity: 1, gross: 333 }]);
          server.faults.push(...wire);
          shop.failApp(app);
          const outcome = await run(intent);
          server.faults.clear();
          server.carryOutLate();
          shop.failApp(undefined);
          vi.setSystemTime(Date.now() + 60_000);
          shop.runApp();
          const payments = paidFor(intent).length;
          expect(payments).toBe(outcome.kind === 'confirmed' ? 1 : 0);
          expect(['confirmed', ...impossible, ...(app === undefined ? [] : unpaid)]).toContain(wordOf(outcome));
        }
      }),
      { numRuns: runs(60, 4) },
    );
    expect(shop.paid.length - before).toBeGreaterThan(0);
  });
});
