import type { Node, Shelf } from '../../../lib/tools/local/shops/medusa/order-changes.ts';
import { openMedusaShop } from '../../../lib/tools/local/shops/medusa/shop.ts';
import { startServer } from '../../support/http-server.ts';

export type { Node } from '../../../lib/tools/local/shops/medusa/order-changes.ts';

export const orderId = 'order_01JC0000000000000000000001';
export const itemId = 'ordli_01JC0000000000000000000001';
export const returnId = 'return_01JC000000000000000000001';
export const paymentId = 'pay_01JC00000000000000000000001';
const at = '2026-11-02T09:00:00.000Z';

export const orderNode = (changes: Node = {}): Node => ({
  id: orderId,
  display_id: 1042,
  custom_display_id: null,
  status: 'completed',
  version: 3,
  currency_code: 'eur',
  email: 'ada@example.com',
  customer_id: 'cus_01JC',
  created_at: at,
  updated_at: at,
  // The rest of the order after the return of a unit.
  summary: { pending_difference: 0, current_order_total: 50 },
  customer: { id: 'cus_01JC', first_name: 'Ada', last_name: 'Byron', email: 'ada@example.com' },
  shipping_address: { country_code: 'de', province: 'de-by', city: 'München' },
  items: [
    {
      id: itemId,
      title: 'M / Black',
      product_title: 'Shirt',
      product_id: 'prod_01JC',
      product_type: 'apparel',
      variant_sku: 'SHIRT-M-BLACK',
      unit_price: 19.9,
      quantity: 3,
      is_tax_inclusive: true,
      tax_total: 3.177310924369748,
      discount_total: 0,
      tax_lines: [{ id: 'ordlitxl_1', rate: 19, code: 'vat' }],
      adjustments: [],
      detail: { fulfilled_quantity: 2, shipped_quantity: 2, return_received_quantity: 2 },
    },
  ],
  shipping_methods: [
    {
      id: 'ordsm_1',
      name: 'Standard',
      amount: 10,
      is_tax_inclusive: false,
      tax_lines: [{ id: 'ordsmtxl_1', rate: 19, code: 'vat' }],
      adjustments: [{ id: 'ordsmadj_1', amount: 5, code: 'HALF' }],
      detail: { id: 'ordspmv_1', return_id: null, claim_id: null, exchange_id: null },
    },
    {
      id: 'ordsm_2',
      name: 'Return',
      amount: 4,
      is_tax_inclusive: false,
      tax_lines: [],
      adjustments: [],
      detail: { id: 'ordspmv_2', return_id: returnId },
    },
  ],
  fulfillments: [
    {
      id: 'ful_1',
      shipped_at: '2026-11-02T12:00:00.000Z',
      delivered_at: '2026-11-04T12:00:00.000Z',
      canceled_at: null,
      items: [{ id: 'fulit_1', line_item_id: itemId, quantity: 2 }],
    },
    { id: 'ful_2', shipped_at: at, canceled_at: at, items: [{ line_item_id: itemId, quantity: 1 }] },
  ],
  payment_collections: [{ id: 'paycol_1', payments: [paymentNode()] }],
  ...changes,
});

export const paymentNode = (changes: Node = {}): Node => ({
  id: paymentId,
  amount: 65.65,
  currency_code: 'eur',
  provider_id: 'pp_stripe_stripe',
  updated_at: at,
  captures: [
    { id: 'capt_1', amount: 60 },
    { id: 'capt_2', amount: 5.65 },
  ],
  refunds: [],
  payment_collection: { id: 'paycol_1', order: { id: orderId } },
  ...changes,
});

export const refundNode = (changes: Node = {}): Node => ({
  id: 'ref_01JC0000000000000000000001',
  amount: 19.9,
  payment_id: paymentId,
  note: null,
  created_at: '2026-11-12T09:00:00.000Z',
  ...changes,
});

/** The new items of an exchange, as the query of a return has them. */
export const exchangeNode = (...items: readonly (readonly [itemId: string, quantity: number])[]): Node => ({
  additional_items: items.map(([itemId, quantity], index) => ({
    id: `oexcitem_${index + 1}`,
    note: null,
    metadata: {},
    exchange_id: 'oexc_1',
    item_id: itemId,
    item: { id: itemId },
    quantity,
    raw_quantity: { value: String(quantity), precision: 20 },
  })),
});

export const returnNode = (changes: Node = {}): Node => ({
  id: returnId,
  order_id: orderId,
  exchange_id: null,
  claim_id: null,
  display_id: 7,
  location_id: 'sloc_1',
  order_version: 2,
  status: 'requested',
  refund_amount: null,
  created_by: null,
  created_at: '2026-11-10T09:00:00.000Z',
  updated_at: '2026-11-10T09:00:00.000Z',
  requested_at: '2026-11-10T09:00:01.000Z',
  received_at: null,
  canceled_at: null,
  items: [itemNode()],
  fulfillments: [],
  ...changes,
});

export const itemNode = (changes: Node = {}): Node => ({
  id: 'retitem_1',
  item_id: itemId,
  return_id: returnId,
  quantity: 2,
  received_quantity: 0,
  damaged_quantity: 0,
  reason_id: 'rr_1',
  reason: { id: 'rr_1', value: 'wrong_size', label: 'Wrong size' },
  note: 'the sleeves',
  ...changes,
});

/** Starts the used part of a shop's Admin API; `apiKey` is the accepted key. */
export const startMedusa = async () => {
  const state = { apiKey: 'sk_0123456789abcdef', failures: [] as number[] };
  const shop = openMedusaShop({ clock: () => Date.now(), apiKey: () => state.apiKey });
  const server = await startServer((request) => {
    const status = state.failures.shift();
    return status === undefined ? shop.answer(request) : { status, body: '{"type":"error"}' };
  });
  return {
    url: server.origin,
    requests: server.requests,
    /** Replaces the content of the shop. */
    hold: (held: Partial<Shelf>) => shop.hold(held),
    /** Replaces the next answers. */
    fail: (...statuses: number[]) => void state.failures.push(...statuses),
    rotate: (apiKey: string) => void (state.apiKey = apiKey),
    close: () => server[Symbol.asyncDispose](),
  };
};
