import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { topics, translate } from '../../../lib/shops/platforms/shopify/headers.ts';

/** Shopify's documented samples, with ids beyond 2^53 as JSON.parse returns them. */
const documented: Readonly<Record<string, string>> = {
  'returns/request': `{ "id": 123456, "admin_graphql_api_id": "gid://shopify/Return/123456", "status": "requested",
    "order": { "id": 820982911946154508, "admin_graphql_api_id": "gid://shopify/Order/820982911946154508" },
    "total_return_line_items": 2, "name": null, "return_line_items": [], "return_shipping_fees": [],
    "exchange_line_items": [], "total_exchange_line_items": 0 }`,
  'returns/approve': `{ "id": 123456, "admin_graphql_api_id": "gid://shopify/Return/123456", "status": "open",
    "order": { "id": 820982911946154508, "admin_graphql_api_id": "gid://shopify/Order/820982911946154508" },
    "return_shipping_fees": [{ "price": { "shop_money": { "amount": "10.0", "currency_code": "USD" } } }] }`,
  'returns/decline': `{ "id": 123456, "admin_graphql_api_id": "gid://shopify/Return/123456", "status": "declined",
    "decline": { "reason": "return_period_ended", "note": "too late" } }`,
  'returns/cancel': `{ "id": 123456, "admin_graphql_api_id": "gid://shopify/Return/123456",
    "order_id": 820982911946154508, "status": "canceled" }`,
  'returns/close': `{ "id": 123456, "admin_graphql_api_id": "gid://shopify/Return/123456",
    "order_id": 820982911946154508, "status": "closed" }`,
  'returns/reopen': `{ "id": 123456, "admin_graphql_api_id": "gid://shopify/Return/123456",
    "order_id": 820982911946154508, "status": "open" }`,
  'returns/update': `{ "admin_graphql_api_id": "gid://shopify/Return/123456", "return_line_items": { "removals":
    [{ "admin_graphql_api_id": "gid://shopify/ReturnLineItem/1", "delta": 1 }] },
    "restocking_fees": { "updates": [], "removals": [] }, "return_shipping_fees": { "updates": [], "removals": [] } }`,
  'reverse_deliveries/attach_deliverable': `{ "id": 77, "admin_graphql_api_id": "gid://shopify/ReverseDelivery/77",
    "return": { "id": 123456, "admin_graphql_api_id": "gid://shopify/Return/123456" }, "shipping_deliverable":
    { "tracking": { "carrier_name": "DHL", "tracking_number": "1", "tracking_url": null }, "label": {} } }`,
  'reverse_fulfillment_orders/dispose': `{ "id": 123456,
    "admin_graphql_api_id": "gid://shopify/ReverseFulfillmentOrder/123456", "dispositions": [], "total_dispositions": 0 }`,
  'refunds/create': `{ "id": 890088186047892319, "order_id": 820982911946154508,
    "created_at": "2021-12-31T19:00:00-05:00", "return": null, "restock": false,
    "admin_graphql_api_id": "gid://shopify/Refund/890088186047892319", "transactions": [] }`,
  // Their documented bodies were not found: they have the ids of the other topics.
  'requested_order_edit/created': `{ "id": 7, "admin_graphql_api_id": "gid://shopify/RequestedOrderEdit/7",
    "order": { "id": 820982911946154508, "admin_graphql_api_id": "gid://shopify/Order/123456" } }`,
  'requested_order_edit/resolved': `{ "admin_graphql_api_id": "gid://shopify/RequestedOrderEdit/7",
    "order": { "id": 123456 } }`,
  'requested_order_edit/declined': `{ "admin_graphql_api_id": "gid://shopify/RequestedOrderEdit/7",
    "order_id": 123456 }`,
};

const returnOf = { kind: 'Return', gid: 'gid://shopify/Return/123456' };
const others: Readonly<Record<string, object>> = {
  'reverse_fulfillment_orders/dispose': {
    kind: 'ReverseFulfillmentOrder',
    gid: 'gid://shopify/ReverseFulfillmentOrder/123456',
  },
  'refunds/create': { kind: 'Refund', gid: 'gid://shopify/Refund/890088186047892319' },
  ...Object.fromEntries(
    ['created', 'resolved', 'declined'].map((end) => [
      `requested_order_edit/${end}`,
      { kind: 'Order', gid: 'gid://shopify/Order/123456' },
    ]),
  ),
};

describe('Shopify translate', () => {
  test.each(Object.entries(documented))('reads the resource of %s', (topic, body) => {
    expect(translate(topic, JSON.parse(body))).toEqual(others[topic] ?? returnOf);
  });

  test.each(Object.keys(topics))('BuilderIO/nextjs-shopify#20: ignores a body of %s that names nothing', (topic) => {
    expect(translate(topic, {})).toEqual({ kind: 'ignored', reason: 'nothing_named' });
    expect(translate(topic, { admin_graphql_api_id: null, id: null, return: null })).toEqual({
      kind: 'ignored',
      reason: 'nothing_named',
    });
  });

  test('is tested with a documented body of every topic', () => {
    expect(Object.keys(topics).toSorted()).toEqual([...Object.keys(documented), 'returns/process'].toSorted());
  });

  test.each([
    ['returns/close', null, ''],
    ['returns/close', 'text', ''],
    ['returns/close', [], ''],
    ['returns/close', { admin_graphql_api_id: 'gid://shopify/Order/1' }, '/admin_graphql_api_id'],
    ['returns/close', { admin_graphql_api_id: 7 }, '/admin_graphql_api_id'],
    ['refunds/create', { admin_graphql_api_id: 'gid://shopify/Return/1' }, '/admin_graphql_api_id'],
    ['reverse_deliveries/attach_deliverable', { return: 7 }, '/return'],
    ['reverse_deliveries/attach_deliverable', { return: { id: 'x' } }, '/return/id'],
    ['returns/close', { id: 890088186047892400 }, '/id'],
    ['returns/close', { id: -1 }, '/id'],
  ])('parks an invalid body of %s: %j at %j', (topic, payload, path) => {
    expect(translate(topic, payload)).toEqual({ kind: 'parked', reason: 'payload_unexpected', path });
  });

  test('accepts a numeric id when no digit is lost', () => {
    expect(translate('returns/close', { id: 123456 })).toEqual(returnOf);
  });

  test.each(['orders/create', 'Return', '', 'constructor'])('ignores the topic %j', (topic) => {
    expect(translate(topic, {})).toEqual({ kind: 'ignored', reason: 'topic_not_handled' });
  });

  test('never throws', () => {
    const gid = fc.constantFrom('gid://shopify/Return/1', 'gid://shopify/Refund/2', 'gid://shopify/LineItem/3');
    const body = fc.dictionary(
      fc.constantFrom('admin_graphql_api_id', 'id', 'return', 'order'),
      fc.oneof(fc.jsonValue(), gid, fc.record({ admin_graphql_api_id: gid })),
    );
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(topics)), fc.oneof(body, fc.jsonValue()), (topic, payload) => {
        expect(['Return', 'ReverseFulfillmentOrder', 'Refund', 'parked', 'ignored']).toContain(
          translate(topic, payload).kind,
        );
      }),
    );
  });
});
