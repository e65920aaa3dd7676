import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { minorUnits } from '../../../../lib/domain/money/decimal.ts';
import type { Wanted, WantedLine, WantedReturn } from '../../../../lib/shops/platforms/effect.ts';
import type { WriteFault } from '../../../../lib/tools/local/shop/write-faults.ts';
import { runs } from '../../../support/samples.ts';
import type { Outcome } from './drive-intent.ts';
import { lineWith, openShopifyCase, ownReturn, refundOf, worth } from './shopify-case.ts';
import { acceptedLine } from './wanted.ts';

const { shop, orderOf, wantedOf, ask, sellLike, lineIdOf, requested } = await openShopifyCase();

const faults: readonly WriteFault[] = [
  'cut_before',
  'cut_after',
  'late',
  'failed_after',
  'rejected_after',
  'throttled',
];

describe.each(faults)('Shopify with the fault %s', (fault) => {
  const pause = async () => (fault === 'late' ? shop.runLate() : undefined);

  test('approves, processes and refunds once', async () => {
    const { orderId, own } = requested();
    shop.failWrite(fault);
    expect(await ask(wantedOf('approve', orderId, own), pause)).toMatchObject({ kind: 'confirmed' });
    const order = orderOf(orderId);
    const refund = refundOf(order, [{ orderLineId: lineIdOf(orderId), quantity: 1, gross: worth(order, 0, 1) }]);
    shop.failWrite(fault);
    const outcome = await ask(wantedOf('refund', orderId, own, { refund, paysRefunds: true }), pause);
    const { refunds } = shop.ledger(orderId);
    expect(outcome).toEqual({ kind: 'confirmed', externalId: refunds[0]?.id });
    expect(refunds).toHaveLength(1);
  });

  test('refunds once without a return', async () => {
    const order = sellLike(1);
    const refund = refundOf(order, [{ orderLineId: lineIdOf(order.id), quantity: 1, gross: worth(order, 0, 1) }]);
    shop.failWrite(fault);
    const wanted = wantedOf('refund', order.id, ownReturn([acceptedLine(lineIdOf(order.id), 1)]), { refund });
    expect(await ask(wanted, pause)).toMatchObject({ kind: 'confirmed' });
    expect(shop.ledger(order.id).refunds).toHaveLength(1);
  });
});

describe('Shopify with a request that a repeat could double', () => {
  const half = () => {
    const order = sellLike(3);
    return { order, own: ownReturn([acceptedLine(lineIdOf(order.id, lineWith(order, 3)), 1)]) };
  };

  test('is left to people when no answer and no effect come', async () => {
    const { order, own } = half();
    shop.failWrite('cut_before');
    expect(await ask(wantedOf('approve', order.id, own))).toMatchObject({ reason: 'effect_unknown' });
    expect(shop.ledger(order.id).returns).toHaveLength(0);
  });

  test('is found when it comes late', async () => {
    const { order, own } = half();
    shop.failWrite('late');
    expect(await ask(wantedOf('approve', order.id, own), shop.runLate)).toMatchObject({ kind: 'confirmed' });
    expect(shop.ledger(order.id).returns).toHaveLength(1);
  });
});

/** A random life of an order: one or two returns, each inspected, and refunded in one or two parts. */
const lives = fc.record({
  returns: fc.array(
    fc.record({
      units: fc.integer({ min: 1, max: 3 }),
      refused: fc.integer({ min: 0, max: 1 }),
      inParts: fc.boolean(),
      isShipped: fc.boolean(),
      isClosed: fc.boolean(),
    }),
    { minLength: 1, maxLength: 2 },
  ),
  paysRefunds: fc.boolean(),
  /** The faults of the mutations, in their order. */
  faults: fc.array(fc.option(fc.constantFrom(...faults.filter((fault) => fault !== 'throttled'))), { maxLength: 10 }),
  /** Whether late mutations run in the pauses, in their order. */
  runsLate: fc.array(fc.boolean(), { maxLength: 30 }),
});
type Life = typeof lives extends fc.Arbitrary<infer Value> ? Value : never;

/** A refund of a life. `isLast`: it takes the last units of its return, so that it is safe to repeat. */
type Refunded = { readonly amount: number; readonly outcome: Outcome; readonly isLast: boolean };
/** The goods of a return: the accepted units, and whether the shop must have processed them. */
type Goods = { readonly externalId: string; readonly accepted: number; readonly isProcessed: boolean };

/** Lives a life until people must look for an effect, which holds the later intents of its order. */
const live = async ({ returns, paysRefunds, faults: planned, runsLate }: Life) => {
  const order = sellLike(3);
  const at = lineWith(order, 3);
  const orderLineId = lineIdOf(order.id, at);
  const others = { returns: [] as string[], refunds: [] as string[] };
  const [refunds, goods]: [Refunded[], Goods[]] = [[], []];
  const end = { order, refunds, goods };
  let [step, pauses, paid, free] = [0, 0, 0, 3];
  const pause = async () => {
    if (runsLate[(pauses += 1)] ?? true) await shop.runLate();
  };
  const act = async (action: Wanted['action'], own: WantedReturn, changes: Partial<Wanted> = {}) => {
    const fault = planned[(step += 1)] ?? null;
    if (fault !== null) shop.failWrite(fault);
    const outcome = await ask(wantedOf(action, order.id, own, { paysRefunds, others, ...changes }), pause);
    shop.forgetFaults();
    await shop.runLate();
    return outcome;
  };
  for (const { units, refused, inParts, isShipped, isClosed } of returns) {
    const quantity = Math.min(units, free);
    if (quantity === 0) break;
    free -= quantity;
    const asked: WantedLine = acceptedLine(orderLineId, quantity, { found: [], received: 0 });
    const approved = await act('approve', ownReturn([asked]));
    if (approved.kind !== 'confirmed') return end;
    const { externalId = '' } = approved;
    const parcel = { parcelId: 'par', trackingNumber: externalId, contents: [{ orderLineId, quantity }] };
    if (isShipped) await act('ship', ownReturn([asked], externalId), { parcel });
    const accepted = quantity - Math.min(refused, quantity - 1);
    const found = [
      { outcome: 'accept' as const, disposition: 'restock' as const, quantity: accepted },
      { outcome: 'refuse' as const, disposition: 'return_to_customer' as const, quantity: quantity - accepted },
    ];
    const own = ownReturn([acceptedLine(orderLineId, quantity, { found })], externalId);
    await act('receive', own);
    const inspected = await act('inspect', own);
    let isProcessed = inspected.kind === 'confirmed';
    let refunded = 0;
    const parts = inParts && accepted > 1 ? [1, accepted - 1] : [accepted];
    for (const count of paysRefunds ? parts : []) {
      const refund = refundOf(order, [{ orderLineId, quantity: count, gross: worth(order, at, count, paid) }]);
      const outcome = await act('refund', own, { refund });
      refunded += count;
      isProcessed = outcome.kind === 'confirmed' && refunded === accepted;
      refunds.push({ amount: refund.amount.amount, outcome, isLast: refunded === quantity });
      if (outcome.kind !== 'confirmed') break;
      paid += count;
      others.refunds.push(outcome.externalId ?? '');
    }
    goods.push({ externalId, accepted, isProcessed });
    if (!isProcessed) return end;
    if (isClosed) await act('close', own);
    others.returns.push(externalId);
  }
  return end;
};

/** Returns an amount of the shop in minor units. */
const minorOf = (amount: string | null, currency: string) =>
  minorUnits({ amount: amount ?? '', currencyCode: currency })?.amount;

describe('Shopify', () => {
  test('has each effect at most once, and no money is left to people unless its repeat could double it', async () => {
    await fc.assert(
      fc.asyncProperty(lives, async (life) => {
        const { order, refunds, goods } = await live(life);
        const ledger = shop.ledger(order.id);
        const amounts = ledger.refunds.map(({ id, amount }) => [id, minorOf(amount, order.currency)] as const);
        const paid = refunds.flatMap(({ outcome, amount }) =>
          outcome.kind === 'confirmed' ? [[outcome.externalId, amount] as const] : [],
        );
        const left = refunds.filter(({ outcome }) => outcome.kind !== 'confirmed');
        expect(left.filter(({ isLast }) => isLast)).toEqual([]);
        for (const { outcome } of left) expect(outcome).toMatchObject({ reason: 'effect_unknown' });
        expect(life.faults.every((fault) => fault === null) && left.length > 0).toBe(false);
        // What people must look for has happened, or not: at most once.
        expect(amounts.slice(0, paid.length)).toEqual(paid);
        expect(amounts.length).toBeLessThanOrEqual(paid.length + left.length);
        const notes = ledger.returns.flatMap(({ lines }) => lines.flatMap(({ note }) => note ?? []));
        expect(new Set(notes).size).toBe(ledger.returns.length);
        for (const { id, lines, deliveries } of ledger.returns) {
          const own = goods.find(({ externalId }) => externalId.endsWith(`/${id}`));
          const processed = lines.reduce((units, item) => units + item.processed, 0);
          expect(processed).toBeLessThanOrEqual(own?.accepted ?? 0);
          expect(own?.isProcessed === true && processed < own.accepted).toBe(false);
          expect(deliveries.length).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: runs(100) },
    );
  });
});
