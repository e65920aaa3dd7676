import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../lib/runtime/json.ts';
import type { OrderFacts } from '../../../lib/shops/platforms/platform.ts';
import { order as adobeOrder, orderItem } from './adobe-shop.ts';
import { orderNode, paymentId, paymentNode } from './medusa-shop.ts';
import { orders } from './readers-cases.ts';
import { documentedOrder } from './woocommerce-site.ts';

/** Returns the payments of an order in the short form `id method: amount`, and whether they are all. */
const paymentsIn = (platform: string, document: JsonObject) => {
  const facts = orders[platform]?.read(document);
  if (facts?.ok !== true) throw new Error(`${platform}: ${facts?.failure.reason}`);
  const { payments, paymentsComplete }: OrderFacts = facts.value;
  return { all: paymentsComplete, payments: payments?.map((one) => `${one.id} ${one.method}: ${one.paid.amount}`) };
};

describe('payments of a Medusa order', () => {
  const summary = { pending_difference: 0, original_order_total: 65.65 };
  const read = (changes: JsonObject) => paymentsIn('medusa', orderNode({ summary, ...changes }));
  const paidBy = (...payments: readonly JsonObject[]) => ({ payment_collections: [{ id: 'paycol_1', payments }] });
  const captured = `${paymentId} pp_stripe_stripe: 6565`;

  it('are all captured ones', () => {
    expect(read({})).toEqual({ all: true, payments: [captured] });
    const second = paymentNode({ id: 'pay_2', provider_id: 'pp_system_default', captures: [{ amount: 4 }] });
    const collections = [{ payments: [paymentNode()] }, { payments: [second] }];
    expect(read({ payment_collections: collections })).toEqual({
      all: true,
      payments: [captured, 'pay_2 pp_system_default: 400'],
    });
  });

  it('are none while nothing was captured', () => {
    expect(read(paidBy(paymentNode({ captures: [] })))).toEqual({ all: true, payments: [] });
    expect(read({ payment_collections: [] })).toEqual({ all: true, payments: [] });
  });

  it('are not all when a credit line may be a payment', () => {
    const line = { id: 'ordcl_1', amount: 5, reference: 'gift_card', metadata: {} };
    expect(read({ credit_lines: [line] })).toEqual({ all: false, payments: [captured] });
    expect(read({ credit_lines: [{ ...line, reference: null }] }).all).toBe(false);
  });

  it('are all beside the credit line of a refund above what was owed', () => {
    const line = { id: 'ordcl_1', version: 4, amount: 3, reference: 'payment_collection', metadata: {} };
    expect(read({ credit_lines: [line] }).all).toBe(true);
  });

  it.each([
    ['without payment collections', { payment_collections: null }],
    ['with a payment without captures', paidBy(paymentNode({ captures: null }))],
    ['with an unreadable capture', paidBy(paymentNode({ captures: [{ amount: 'many' }] }))],
    ['in another currency', paidBy(paymentNode({ currency_code: 'usd' }))],
    ['without an id', paidBy(paymentNode({ id: null }))],
  ])('are not known to be all %s', (_, changes) => {
    expect(read(changes).all).toBe(false);
  });
});

describe('payments of an Adobe order', () => {
  const read = (changes: JsonObject) => paymentsIn('adobe', adobeOrder(changes));
  const unpaid = { total_paid: null, payment: { entity_id: 12, method: 'checkmo', amount_paid: null } };
  const credits = { gift_cards_amount: '20.0000', customer_balance_amount: 4.5, reward_currency_amount: 1 };

  it('are the payment, and credits that the grand total excludes', () => {
    expect(read({})).toEqual({ all: true, payments: ['12 checkmo: 6500'] });
    const payment = { entity_id: 12, method: 'checkmo', amount_paid: '39.5000' };
    expect(read({ grand_total: 39.5, total_paid: 39.5, payment, extension_attributes: credits })).toEqual({
      all: true,
      payments: [
        '12 checkmo: 3950',
        'gift_card gift_card: 2000',
        'store_credit store_credit: 450',
        'reward_points reward_points: 100',
      ],
    });
  });

  it('are a part, or none, of an order that is not paid in full', () => {
    const payment = { entity_id: 12, method: 'checkmo', amount_paid: 30 };
    expect(read({ total_paid: 30, payment })).toEqual({ all: true, payments: ['12 checkmo: 3000'] });
    expect(read(unpaid)).toEqual({ all: true, payments: [] });
  });

  it.each([
    ['an unreadable credit', { extension_attributes: { gift_cards_amount: 'some' } }],
    ['no payment', { payment: null }],
    ['a payment that differs from the paid total', { total_paid: 60 }],
    ['a total that its parts do not add up to', { grand_total: 60 }],
    [
      'credits that a cancellation gave back',
      { ...unpaid, state: 'canceled', grand_total: 39.5, extension_attributes: credits },
    ],
    ['an unreadable line', { items: [orderItem(), orderItem({ item_id: 32, qty_ordered: 0.5 })] }],
  ])('are not known to be all with %s', (_, changes) => {
    expect(read(changes).all).toBe(false);
  });
});

describe('payments of a WooCommerce order', () => {
  const read = (changes: JsonObject) => paymentsIn('woocommerce', documentedOrder(changes));
  const paid = { date_paid_gmt: '2017-03-21T19:16:10', payment_method: 'stripe', transaction_id: 'ch_3' };
  const cards = {
    gift_cards: [{ id: 3, code: 'SECRET', amount: 12.5 }],
    pw_gift_cards_redeemed: [{ number: 'X', amount: '1.50' }],
  };

  it('are the one of its gateway', () => {
    expect(read(paid)).toEqual({ all: true, payments: ['ch_3 stripe: 3900'] });
    expect(read({ ...paid, payment_method: 'cod', transaction_id: '' })).toEqual({
      all: true,
      payments: ['723 cod: 3900'],
    });
  });

  it('have gift cards that the total excludes, without their codes', () => {
    expect(read({ ...paid, ...cards, total: '25.00' })).toEqual({
      all: true,
      payments: ['ch_3 stripe: 2500', 'gift_card:1 gift_card: 1250', 'gift_card:2 gift_card: 150'],
    });
    const covered = { gift_cards: [{ amount: 39 }], total: '0.00', payment_method: '', transaction_id: '' };
    expect(read({ ...paid, ...covered })).toEqual({ all: true, payments: ['gift_card:1 gift_card: 3900'] });
  });

  it.each(['pending', 'on-hold', 'cancelled', 'failed'])(
    'are none of an order that is %s and was not paid',
    (status) => {
      expect(read({ status })).toEqual({ all: true, payments: [] });
    },
  );

  it.each([
    ['a plugin status', { ...paid, status: 'partially-paid' }],
    ['a status after the payment, and no time of payment', { status: 'processing' }],
    ['gift cards that the total includes', { ...paid, ...cards }],
    ['gift cards and no time of payment', { ...cards, total: '25.00', status: 'on-hold' }],
    ['an unreadable gift card', { ...paid, gift_cards: [{ amount: null }], total: '26.50' }],
    ['an unreadable total', { ...paid, total: 'free' }],
  ])('are not known to be all with %s', (_, changes) => {
    expect(read(changes).all).toBe(false);
  });
});

describe('payments of other shops', () => {
  it.each(['bigcommerce', 'commercetools', 'saleor', 'shopify', 'vtex'])(
    'of %s are not known to be all',
    (platform) => {
      expect(paymentsIn(platform, orders[platform]?.document ?? {}).all).toBeUndefined();
    },
  );
});
