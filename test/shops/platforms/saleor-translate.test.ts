import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { translate } from '../../../lib/shops/platforms/saleor/platform.ts';
import { globalId, uuid } from './saleor-shop.ts';

const orderId = globalId('Order', uuid(1));
const other = globalId('Order', uuid(2));
const fulfillmentId = globalId('Fulfillment', 5);
const order = { id: orderId };

describe('Saleor translate', () => {
  test.each([
    [
      'an order without a subscription',
      [{ type: 'Order', id: orderId, original: other, fulfillments: [{ id: fulfillmentId }] }],
    ],
    [
      'a fulfillment without a subscription',
      [{ type: 'Fulfillment', id: fulfillmentId, order: { type: 'Order', ...order } }],
    ],
    ['a subscription of events', { order }],
    ['a complete subscription of events', { event: { __typename: 'OrderUpdated', order } }],
    ['a subscription of one event', { data: { orderUpdated: { order } } }],
    ['a subscription of fulfillments', { fulfillment: { id: fulfillmentId, order } }],
    ['both field names', { fulfillment: { id: fulfillmentId }, order }],
    ['a replacement order', { order: { ...order, replaces: { order: { id: other } } } }],
    ['only the id', { orderId }],
  ])('finds the order in a body of %s', (_, body) => {
    expect(translate('order_updated', body)).toEqual({ kind: 'order', orderId });
  });

  test.each(['order_refunded', 'order_fully_refunded', 'fulfillment_canceled', 'fulfillment_tracking_number_updated'])(
    'accepts the topic %s',
    (topic) => expect(translate(topic, { order })).toEqual({ kind: 'order', orderId }),
  );

  test.each(['draft_order_created', 'product_updated', 'constructor', ''])('ignores the topic %s', (topic) =>
    expect(translate(topic, { order })).toEqual({ kind: 'ignored', reason: 'topic_not_handled' }),
  );

  test.each([
    ['of another type', { order: { id: globalId('OrderLine', uuid(1)) } }],
    ['without a valid encoding', { order: { id: uuid(1) } }],
    ['that is a number', { order: { id: Number(2n ** 53n) } }],
    ['in other characters', { order: { id: orderId.replace(/=*$/, '') + '====' } }],
    ['of an order before unique ids', { order: { id: globalId('Order', '9007199254740993') } }],
    ['in too deep nesting', { a: { b: { c: { d: { e: { f: order } } } } } }],
  ])('parks a body with an id %s', (_, body) => {
    expect(translate('order_updated', body)).toEqual({ kind: 'parked', reason: 'payload_without_order', path: '' });
  });

  test('parks a body with two orders', () => {
    expect(translate('order_updated', [order, { id: other }])).toMatchObject({ reason: 'payload_ambiguous' });
  });

  test('never throws, and finds nothing in a body without an order', () => {
    fc.assert(
      fc.property(fc.anything(), (body) => {
        expect(translate('order_updated', body).kind).toBe('parked');
      }),
    );
  });
});
