import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { fieldErrors } from '../field-errors.ts';
import { event, memo, order, startAdobe, topic } from '../adobe-shop.ts';
import { startPlatformSecret } from '../platform-secret.ts';
import { translator } from '../../../../lib/shops/platforms/adobe/platform.ts';

const adobe = await startAdobe();
const store = await startPlatformSecret();
store.put({ main: adobe.entry });

beforeEach(() => {
  adobe.rows.orders = [order()];
  adobe.rows.creditmemos = [memo()];
});
afterAll(async () => {
  await adobe.close();
  await store.close();
});

const prepare = async (name = 'sales_order_creditmemo_save_commit_after') =>
  translator.prepare(
    { source: 'main', topic: topic(name), body: event(name, { entity_id: '77', order_id: 12 }) },
    Date.now() + 20_000,
  );
const refundOf = async (over: Record<string, unknown> = {}) => {
  adobe.rows.creditmemos = [memo(over)];
  const outcome = await prepare();
  if (outcome.kind !== 'snapshot') throw new Error(outcome.reason);
  const [refund] = outcome.refunds;
  if (refund === undefined) throw new Error('no refund');
  return refund;
};
const eur = (amount: number) => ({ amount, currency: 'EUR' });

describe('Adobe Commerce credit memo', () => {
  test('is a refund without a return', async () => {
    const outcome = await prepare();
    expect(outcome).toMatchObject({ kind: 'snapshot', order: { orderId: '000000123' }, returns: [] });
    expect(outcome.kind === 'snapshot' && outcome.refunds).toEqual([
      {
        platform: 'adobe',
        orderId: '000000123',
        externalId: '77',
        amount: eur(2500),
        method: 'original_payment',
        providerRef: 'txn-1',
        occurredAt: '2026-11-10T10:00:00.000Z',
        shipping: eur(500),
      },
    ]);
  });

  test('passes the schema of the contract', async () => {
    const refund = await refundOf();
    expect(fieldErrors('recordRefund', refund)).toEqual([]);
  });

  test('names no lines, because a return may hold their units', async () => {
    expect(await refundOf()).not.toHaveProperty('lines');
  });

  test('has no shipping without shipping costs, or when they exceed the refund', async () => {
    expect(await refundOf({ grand_total: '5.0000', adjustment_negative: 20 })).toMatchObject({ shipping: eur(500) });
    expect(await refundOf({ grand_total: '4.9900' })).not.toHaveProperty('shipping');
    expect(await refundOf({ shipping_amount: 0, shipping_tax_amount: null })).not.toHaveProperty('shipping');
  });

  test.each([
    [{ transaction_id: null }, 2500, undefined],
    [{ transaction_id: 'paid in cash to Ada' }, 2500, 'original_payment'],
    [{ grand_total: 0, extension_attributes: { customer_balance_amount: 25 } }, 2500, 'store_credit'],
    [{ grand_total: 0, extension_attributes: { gift_cards_amount: '25.0000' } }, 2500, 'gift_card'],
    [{ grand_total: 5, extension_attributes: { gift_cards_amount: 20 } }, 2500, 'original_payment'],
  ])('with %j refunds %s by %s', async (over, amount, method) => {
    const refund = await refundOf(over);
    expect(refund.amount).toEqual(eur(amount));
    expect(refund.method).toBe(method);
  });

  test.each([
    ['25.0049', 2500],
    ['25.0050', 2501],
    ['0.0050', 1],
  ])('of %s rounds to cents as orders do', async (total, amount) => {
    expect((await refundOf({ grand_total: total })).amount).toEqual(eur(amount));
  });

  test.each([
    ['in the state open', { state: 1 }],
    ['in the state cancelled', { state: '3' }],
    ['without a state', { state: null }],
    ['with no amount', { grand_total: 0 }],
    ['with a fee that exceeds its goods', { grand_total: -25 }],
    [
      'with a fee that exceeds its goods and gift cards',
      { grand_total: -25, extension_attributes: { gift_cards_amount: 5 } },
    ],
    ['below half a cent', { grand_total: '0.0049' }],
  ])('%s is no refund', async (_, over) => {
    adobe.rows.creditmemos = [memo(over)];
    expect(await prepare()).toEqual({ kind: 'ignored', reason: 'nothing_refunded' });
  });

  test.each([
    [{ grand_total: 30, extension_attributes: { gift_cards_amount: -5 } }],
    [{ grand_total: null }],
    [{ order_currency_code: 'QQQ' }],
    [{ created_at: null }],
    [{ order_id: null }],
  ])('with %j is parked', async (over) => {
    adobe.rows.creditmemos = [memo(over)];
    expect(await prepare()).toEqual({ kind: 'parked', reason: 'refund_unreadable' });
  });

  test('mageos-common-async-events#10: is retried when its event arrives before the commit', async () => {
    adobe.rows.creditmemos = [];
    expect(await prepare('sales_order_creditmemo_save_after')).toEqual({ kind: 'retry', reason: 'not_committed_yet' });
    expect(await prepare()).toEqual({ kind: 'parked', reason: 'shop_status_404' });
  });
});

test('Adobe Commerce shipment track updates the shipping date of the order', async () => {
  const outcome = await prepare('sales_order_shipment_track_save_after');
  expect(outcome).toMatchObject({
    kind: 'snapshot',
    order: { orderId: '000000123', lines: [{ lineId: '31', shippedAt: '2026-10-23T08:00:00.000Z' }] },
    returns: [],
    refunds: [],
  });
});
