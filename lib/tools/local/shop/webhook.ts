import { randomUUID } from 'node:crypto';
import { signDelivery } from '../../signing/sign-delivery.ts';
import type { ShopOrder } from './orders.ts';
import type { Move, ShopEdit, ShopRefund, ShopReturn, ShopReturnLine } from './returns.ts';

/*
 * The bodies of the shop's deliveries, version 2026-10, as documented. One topic has `order` where another has
 * `order_id`. Amounts are numbers in one and texts in another, and some bodies contain almost nothing.
 * https://shopify.dev/docs/api/webhooks/2026-10
 */

/** Writes values that JSON.stringify cannot: the digits of an id beyond 2^53, and Shopify's escapes. */
const encode = (value: unknown): Buffer =>
  Buffer.from(
    JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? `#${item}#` : item))
      .replaceAll(/"#(\d+)#"/g, '$1')
      .replaceAll('&', '\\u0026'),
  );

const reference = (kind: string, id: string) => ({
  id: BigInt(id),
  admin_graphql_api_id: `gid://shopify/${kind}/${id}`,
});

const lineBody = (line: ShopReturnLine) => ({
  ...reference('ReturnLineItem', line.id),
  fulfillment_line_item: {
    ...reference('FulfillmentLineItem', line.unitId),
    line_item: reference('LineItem', line.lineId),
  },
  quantity: line.quantity,
  return_reason: line.reason.toLowerCase(),
  return_reason_note: '',
  customer_note: line.customerNote,
});

/**
 * Returns the body of a requested or approved return; with `thin` like the documented sample: the number of lines, and
 * no lines.
 */
export const returnBody = (found: ShopReturn, thin: boolean) => ({
  ...reference('Return', found.id),
  status: found.status.toLowerCase(),
  order: reference('Order', found.orderId),
  total_return_line_items: found.lines.length,
  name: found.name,
  return_line_items: thin ? [] : found.lines.map(lineBody),
  return_shipping_fees: [],
  exchange_line_items: [],
  total_exchange_line_items: 0,
});

const endBody = (found: ShopReturn) => ({
  ...reference('Return', found.id),
  order_id: BigInt(found.orderId),
  status: found.status.toLowerCase(),
});

const declineBody = ({ decline, ...found }: ShopReturn) => ({
  ...reference('Return', found.id),
  status: 'declined',
  order: reference('Order', found.orderId),
  decline: { reason: decline?.reason.toLowerCase(), note: decline?.note ?? null },
});

const updateBody = ({ id, lines }: ShopReturn, quantity: number) => ({
  admin_graphql_api_id: `gid://shopify/Return/${id}`,
  return_line_items: {
    removals: lines.slice(0, 1).map((line) => ({
      admin_graphql_api_id: `gid://shopify/ReturnLineItem/${line.id}`,
      delta: quantity,
    })),
  },
  restocking_fees: { updates: [], removals: [] },
  return_shipping_fees: { updates: [], removals: [] },
});

const attachBody = (found: ShopReturn) => {
  const delivery = found.deliveries.at(-1);
  return {
    ...reference('ReverseDelivery', delivery?.id ?? '0'),
    return: reference('Return', found.id),
    shipping_deliverable: {
      tracking: {
        carrier_name: delivery?.tracking.carrierName,
        tracking_number: delivery?.tracking.number,
        tracking_url: delivery?.tracking.url,
      },
      label: { public_file_url: delivery?.labelUrl, created_at: null },
    },
  };
};

const disposeBody = ({ reverseOrderId, lines: [line] }: ShopReturn, type: string, quantity: number) => ({
  ...reference('ReverseFulfillmentOrder', reverseOrderId ?? '0'),
  dispositions: [
    {
      reverse_fulfillment_order_line_item: reference('ReverseFulfillmentOrderLineItem', line?.reverseId ?? '0'),
      reverse_delivery_line_item: null,
      type: type.toLowerCase(),
      location: reference('Location', '905684977'),
      quantity,
    },
  ],
  total_dispositions: 1,
});

/** Returns the topic and the body for a change of a return. The body of `returns/process` is documented as empty. */
export const moveMessage = (found: ShopReturn, move: Move): { readonly topic: string; readonly body: object } => {
  switch (move.do) {
    case 'approve':
      return { topic: 'returns/approve', body: returnBody(found, false) };
    case 'decline':
      return { topic: 'returns/decline', body: declineBody(found) };
    case 'attach':
      return { topic: 'reverse_deliveries/attach_deliverable', body: attachBody(found) };
    case 'dispose':
      return { topic: 'reverse_fulfillment_orders/dispose', body: disposeBody(found, move.type, move.quantity) };
    case 'remove':
      return { topic: 'returns/update', body: updateBody(found, move.quantity) };
    case 'exchange':
      return { topic: 'returns/update', body: updateBody(found, 0) };
    case 'process':
      return { topic: 'returns/process', body: {} };
    case 'cancel':
    case 'close':
    case 'reopen':
      return { topic: `returns/${move.do}`, body: endBody(found) };
  }
};

/** Returns the body of a request to edit an order. Its documented form was not found: it has the ids of the others. */
export const editBody = (edit: ShopEdit) => ({
  ...reference('RequestedOrderEdit', edit.id),
  status: edit.status.toLowerCase(),
  order: reference('Order', edit.orderId),
});

const set = (amount: string, currency: string) => ({
  shop_money: { amount: '1.00', currency_code: 'XXX' },
  presentment_money: { amount, currency_code: currency },
});

/** Returns the body of a refund, whose money may or may not have moved. */
export const refundBody = (refund: ShopRefund, { currency }: ShopOrder) => ({
  ...reference('Refund', refund.id),
  order_id: BigInt(refund.orderId),
  created_at: refund.createdAt.replace('Z', '+00:00'),
  note: null,
  user_id: null,
  processed_at: refund.createdAt,
  duties: [],
  total_duties_set: set('0.00', currency),
  return: refund.returnId === null ? null : reference('Return', refund.returnId),
  restock: false,
  refund_shipping_lines: [],
  order_adjustments: [],
  refund_line_items: refund.lines.map(({ lineId, quantity, subtotal, tax }) => ({
    id: null,
    quantity,
    line_item_id: BigInt(lineId),
    location_id: null,
    restock_type: 'no_restock',
    subtotal: Number(subtotal),
    total_tax: Number(tax),
    subtotal_set: set(subtotal, currency),
    total_tax_set: set(tax, currency),
    line_item: reference('LineItem', lineId),
  })),
  total_unsettled_set: { presentment_money: { amount: '0.00', currency }, shop_money: { amount: '0.00', currency } },
  transactions:
    refund.amount === null
      ? []
      : [{ kind: 'refund', status: refund.status.toLowerCase(), amount: refund.amount, currency: null }],
});

/** Returns a delivery as Shopify posts it: headers and signed bytes. Each call makes another delivery. */
export const deliveryOf = (topic: string, message: object, shop: { domain: string; secret: string; now: number }) => {
  const body = encode(message);
  const signing = { secret: shop.secret, topic, source: shop.domain, id: randomUUID(), at: shop.now };
  const headers: Record<string, string> = {
    'user-agent': 'Shopify-Captain-Hook',
    ...signDelivery('shopify', body, signing),
  };
  return { headers, body };
};
