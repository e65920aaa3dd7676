import { randomUUID } from 'node:crypto';
import { sign } from '../platforms/shopify/verify.ts';
import type { ShopReturn } from './shop-graph.ts';

export type WebhookOptions = {
  /** As Shopify's documented sample: the number of lines, and no lines. */
  readonly thin?: boolean;
  readonly topic?: string;
};

/** Writes what JSON.stringify cannot: the digits of an id beyond 2^53, and Shopify's escapes. */
const encode = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? `#${item}#` : item))
    .replaceAll(/"#(\d+)#"/g, '$1')
    .replaceAll('&', '\\u0026');

const reference = (kind: string, id: string) => ({
  id: BigInt(id),
  admin_graphql_api_id: `gid://shopify/${kind}/${id}`,
});

/** The body of a `returns/request` delivery, version 2026-07. https://shopify.dev/docs/api/webhooks/2026-07 */
const bodyOf = (found: ShopReturn, thin: boolean): Buffer =>
  Buffer.from(
    encode({
      ...reference('Return', found.id),
      status: 'requested',
      order: reference('Order', found.orderId),
      total_return_line_items: found.lines.length,
      name: found.name,
      return_line_items: (thin ? [] : found.lines).map((line) => ({
        ...reference('ReturnLineItem', line.id),
        fulfillment_line_item: {
          ...reference('FulfillmentLineItem', line.unitId),
          line_item: reference('LineItem', line.lineId),
        },
        quantity: line.quantity,
        return_reason: line.reason.toLowerCase(),
        return_reason_note: '',
        customer_note: line.customerNote,
      })),
      return_shipping_fees: [],
      exchange_line_items: [],
      total_exchange_line_items: 0,
    }),
  );

/** A delivery as Shopify would post it: headers and signed bytes. Each call is another delivery. */
export const deliveryOf = (
  found: ShopReturn,
  shop: { domain: string; secret: string; now: number },
  options: WebhookOptions,
) => {
  const body = bodyOf(found, options.thin ?? false);
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': 'Shopify-Captain-Hook',
    'x-shopify-topic': options.topic ?? 'returns/request',
    'x-shopify-shop-domain': shop.domain,
    'x-shopify-api-version': '2026-07',
    'x-shopify-hmac-sha256': sign(body, shop.secret),
    'x-shopify-webhook-id': randomUUID(),
    'x-shopify-event-id': randomUUID(),
    'x-shopify-triggered-at': new Date(shop.now).toISOString(),
  };
  return { headers, body };
};
