import type { Result } from '../../../lib/runtime/result.ts';
import { orderFacts as adobeOrder } from '../../../lib/shops/platforms/adobe/facts.ts';
import { refundOf as adobeRefund } from '../../../lib/shops/platforms/adobe/fetch-snapshot.ts';
import { orderFacts as bigcommerceOrder } from '../../../lib/shops/platforms/bigcommerce/facts.ts';
import { refundOf as bigcommerceRefund } from '../../../lib/shops/platforms/bigcommerce/refund.ts';
import { orderFacts as commercetoolsOrder } from '../../../lib/shops/platforms/commercetools/facts.ts';
import type { OrderNode as CommercetoolsOrder } from '../../../lib/shops/platforms/commercetools/nodes.ts';
import { refundsOf as commercetoolsRefunds } from '../../../lib/shops/platforms/commercetools/fetch-snapshot.ts';
import { orderFacts as medusaOrder } from '../../../lib/shops/platforms/medusa/facts.ts';
import { refundsOf as medusaRefunds } from '../../../lib/shops/platforms/medusa/fetch-snapshot.ts';
import type { OrderFacts, ShopFailure } from '../../../lib/shops/platforms/platform.ts';
import { orderFacts as saleorOrder } from '../../../lib/shops/platforms/saleor/facts.ts';
import { readRefundRecords } from '../../../lib/shops/platforms/saleor/refund-records.ts';
import type { OrderNode as SaleorOrder } from '../../../lib/shops/platforms/saleor/queries.ts';
import { parseExactJson } from '../../../lib/runtime/exact-json.ts';
import type { RemoteRefund } from '../../../lib/shops/platforms/shared/sync/remote-return.ts';
import { orderFacts as shopifyOrder } from '../../../lib/shops/platforms/shopify/facts.ts';
import type { OrderReading as ShopifyReading } from '../../../lib/shops/platforms/shopify/lines.ts';
import { refundOf as shopifyRefund } from '../../../lib/shops/platforms/shopify/refund.ts';
import type { RefundNode } from '../../../lib/shops/platforms/shopify/return-queries.ts';
import { orderFacts as vtexOrder } from '../../../lib/shops/platforms/vtex/facts.ts';
import { returnInvoices } from '../../../lib/shops/platforms/vtex/invoices.ts';
import { readOrder } from '../../../lib/shops/platforms/vtex/order.ts';
import { orderFacts as woocommerceOrder } from '../../../lib/shops/platforms/woocommerce/facts.ts';
import { refundOf as woocommerceRefund } from '../../../lib/shops/platforms/woocommerce/refund.ts';
import { isObject, type JsonObject } from '../../../lib/runtime/json.ts';
import * as adobe from './adobe-shop.ts';
import * as bigcommerce from './bigcommerce-store.ts';
import * as commercetools from './commercetools-project.ts';
import * as medusa from './medusa-shop.ts';
import * as saleor from './saleor-shop.ts';
import * as vtex from './vtex-account.ts';
import * as woocommerce from './woocommerce-site.ts';

/*
 * The answers of each platform and their readers.
 * The platform `standard` has no reader, because its answers are inputs of the contract.
 */

/** The input of one reader: a document whose parts may be null, absent or wrong. */
export type OrderCase = {
  readonly document: JsonObject;
  readonly read: (document: JsonObject) => Result<OrderFacts, ShopFailure>;
};

/** The amounts of the read refunds in minor units, or the reason why one is unreadable. */
export type MoneyRead = { readonly amounts: readonly number[]; readonly unread?: string | undefined };
export type RefundCase = {
  readonly document: JsonObject;
  readonly read: (document: JsonObject) => MoneyRead;
  /** The fields that show whether money has moved. An unknown word in them counts as no refund. */
  readonly statusFields: readonly string[];
};

const observedAt = '2026-11-20T00:00:00.000Z';
const exactly = (document: unknown): JsonObject => {
  const read = parseExactJson(JSON.stringify(document));
  return isObject(read) ? read : {};
};

const ofOne = (refund: Result<RemoteRefund | undefined, ShopFailure>): MoneyRead =>
  refund.ok
    ? { amounts: refund.value === undefined ? [] : [refund.value.amount.amount] }
    : { amounts: [], unread: refund.failure.reason };

type Each = { readonly read: readonly Pick<RemoteRefund, 'amount'>[]; readonly unread?: ShopFailure };
const ofEach = (refunds: Result<Each, ShopFailure>): MoneyRead =>
  refunds.ok
    ? { amounts: refunds.value.read.map(({ amount }) => amount.amount), unread: refunds.value.unread?.reason }
    : { amounts: [], unread: refunds.failure.reason };

const money = (amount: string) => ({ presentmentMoney: { amount, currencyCode: 'EUR' } });
const shopifyLine = (id: number, price: string, quantity: number, discount: string) => ({
  id: `gid://shopify/LineItem/${id}`,
  sku: `SKU-${id}`,
  title: 'Shirt',
  vendor: 'Northfold',
  quantity,
  originalUnitPriceSet: money(price),
  discountAllocations: [{ allocatedAmountSet: money(discount) }],
  taxLines: [
    { ratePercentage: 19, priceSet: money('2.04') },
    { ratePercentage: 8.875, priceSet: money('1.00') },
  ],
  product: { id: 'gid://shopify/Product/7', productType: 'Shirts', tags: ['linen'] },
});
const pageInfo = { hasNextPage: false, endCursor: null };
const shopifyDocument = {
  order: {
    id: 'gid://shopify/Order/450789469',
    name: '#1001',
    processedAt: '2026-11-01T08:00:00Z',
    email: 'ann@example.com',
    presentmentCurrencyCode: 'EUR',
    taxesIncluded: true,
    sourceName: 'web',
    customer: { id: 'gid://shopify/Customer/7', displayName: 'Ann Lee' },
    shippingAddress: { countryCodeV2: 'DE', provinceCode: null },
    totalPriceSet: money('62.90'),
    totalTipReceivedSet: money('0.0'),
    totalRefundedShippingSet: money('0.0'),
    originalTotalDutiesSet: money('3.50'),
    shippingLines: {
      nodes: [
        {
          originalPriceSet: money('5.90'),
          discountedPriceSet: money('4.90'),
          taxLines: [{ ratePercentage: 19, priceSet: money('0.78') }],
        },
      ],
    },
    lineItems: { nodes: [], pageInfo },
    fulfillments: [],
  },
  lines: [shopifyLine(11, '20.00', 2, '4.50'), shopifyLine(12, '20.00', 1, '1.00')],
  fulfillments: [
    {
      id: 'gid://shopify/Fulfillment/5',
      status: 'SUCCESS',
      createdAt: '2026-11-02T08:00:00Z',
      deliveredAt: '2026-11-04T08:00:00Z',
      units: [{ quantity: 2, lineItem: { id: 'gid://shopify/LineItem/11' } }],
    },
  ],
};
const shopifyRefundDocument = {
  createdAt: '2026-11-10T08:00:00Z',
  order: { id: 'gid://shopify/Order/450789469', taxesIncluded: true },
  return: null,
  transactions: {
    nodes: [
      {
        kind: 'REFUND',
        status: 'SUCCESS',
        gateway: 'shopify_payments',
        processedAt: '2026-11-10T08:00:00Z',
        amountSet: money('12.50'),
      },
    ],
    pageInfo,
  },
  refundShippingLines: { nodes: [{ subtotalAmountSet: money('2.50'), taxAmountSet: money('0.40') }], pageInfo },
  refundLineItems: { nodes: [], pageInfo },
};

const saleorLines = [saleor.line(saleor.shirt, 2, 19.99, 36, 30.25), saleor.line(saleor.mug, 3, 3.33, 10, 8.4)];
const saleorDocument = saleor.order(1, {
  lines: saleorLines,
  total: saleor.taxed(50.9, 42.77),
  shippingPrice: saleor.taxed(4.9, 4.12),
  shippingTaxRate: 0.19,
  transactions: [saleor.transaction(saleor.event(1, 'REFUND_SUCCESS', 18))],
}) as unknown as JsonObject;

// Without restitutions, the refund is the value of the invoice.
const vtexDocument = vtex.order({
  packageAttachment: { packages: [vtex.output(), vtex.input({ invoiceValue: 4000 })] },
});
const vtexRead = (document: JsonObject) => readOrder(document, 'vtex', observedAt);

export const orders: Readonly<Record<string, OrderCase>> = {
  adobe: {
    document: adobe.order({
      extension_attributes: {
        shipping_assignments: [{ shipping: { address: { country_id: 'DE', region_code: 'BER' } } }],
        gift_cards_amount: 5,
        item_applied_taxes: [
          { type: 'product', item_id: 32, applied_taxes: [adobe.applied(14, 3.2421), adobe.applied(5, 1.1579)] },
          { type: 'shipping', applied_taxes: [adobe.applied(19, 0.8)] },
        ],
        gw_price_incl_tax: 1.5,
      },
      grand_total: 88.26,
      items: [
        adobe.orderItem(),
        adobe.orderItem({
          item_id: 32,
          price_incl_tax: 29.85,
          qty_ordered: 1,
          row_total: 22.36,
          row_total_incl_tax: 26.76,
          tax_amount: 4.4,
          discount_amount: 2.6,
        }),
      ],
    }),
    read: (order) => adobeOrder({ platform: 'adobe', order, shipments: [], whole: true, observedAt }),
  },
  bigcommerce: {
    document: {
      order: bigcommerce.documentedOrder({
        total_inc_tax: '83.6400',
        handling_cost_inc_tax: '3.0000',
        handling_cost_tax: '0.5000',
        store_credit_amount: '5.0000',
        fees: [{ id: 1, cost_inc_tax: 5, cost_tax: 0.5 }],
      }),
      products: [bigcommerce.documentedProduct()],
    },
    read: (document) => {
      const { order, products } = exactly(document);
      const list = Array.isArray(products) ? products.filter(isObject) : [];
      return bigcommerceOrder({
        order: isObject(order) ? order : {},
        products: list,
        platform: 'bigcommerce',
        observedAt,
      });
    },
  },
  commercetools: {
    document: commercetools.orderNode({
      customLineItems: [
        {
          id: 'custom-1',
          name: { en: 'Engraving' },
          money: commercetools.money(800),
          quantity: 1,
          totalPrice: commercetools.money(800),
          taxRate: { amount: 0.19, includedInPrice: true },
          taxedPrice: {
            totalNet: commercetools.money(672),
            totalGross: commercetools.money(800),
            taxPortions: [
              { name: 'state', rate: 0.14, amount: commercetools.money(94) },
              { name: 'city', rate: 0.05, amount: commercetools.money(34) },
            ],
          },
        },
      ],
    }),
    read: (document) => commercetoolsOrder(document as unknown as CommercetoolsOrder, observedAt),
  },
  medusa: {
    document: medusa.orderNode({ summary: { pending_difference: 0, original_order_total: 65.65 } }),
    read: (document) => medusaOrder({ order: exactly(document), currency: 'EUR', observedAt }),
  },
  saleor: {
    document: saleorDocument,
    read: (document) => saleorOrder(document as unknown as SaleorOrder, { whole: true, observedAt }),
  },
  shopify: {
    document: shopifyDocument,
    read: (document) => shopifyOrder({ ...document, found: [], observedAt } as unknown as ShopifyReading),
  },
  vtex: {
    document: vtexDocument,
    read: (document) => {
      const order = vtexRead(document);
      return order.ok ? vtexOrder(order.value) : order;
    },
  },
  woocommerce: {
    document: woocommerce.documentedOrder({
      total: '44.95',
      line_items: [
        {
          id: 311,
          name: 'Woo Album #2',
          product_id: 87,
          quantity: 3,
          subtotal: '28.00',
          subtotal_tax: '1.00',
          total: '28.00',
          total_tax: '1.00',
          taxes: [
            { id: 75, total: '0.6', subtotal: '0.6' },
            { id: 76, total: '0.4', subtotal: '0.4' },
          ],
        },
      ],
      tax_lines: [
        { id: 318, rate_code: 'DE-VAT', rate_id: 75, label: 'VAT', tax_total: '1.55', rate_percent: 19 },
        { id: 319, rate_code: 'DE-CITY', rate_id: 76, label: 'City', tax_total: '0.40', rate_percent: 8.875 },
      ],
      fee_lines: [
        {
          id: 9,
          name: 'Wrapping',
          total: '5.00',
          total_tax: '0.95',
          taxes: [
            { id: 75, total: '0.95', subtotal: '' },
            { id: 76, total: '', subtotal: '' },
          ],
        },
      ],
    }),
    read: (document) =>
      woocommerceOrder(exactly(document), { platform: 'woocommerce', shippingRefunded: 0, observedAt }),
  },
};

export const refunds: Readonly<Record<string, RefundCase>> = {
  adobe: {
    document: adobe.memo({ extension_attributes: { customer_balance_amount: 3.5 } }),
    read: (document) => ofOne(adobeRefund({ platform: 'adobe', orderId: '1' }, document)),
    // The answer has no other field for store credit.
    statusFields: ['state', 'extension_attributes'],
  },
  bigcommerce: {
    document: bigcommerce.documentedRefund(),
    read: (document) =>
      ofOne(bigcommerceRefund(exactly(document), { platform: 'bigcommerce', orderId: '250', currency: 'USD' })),
    // A pending or declined payment.
    statusFields: ['payments', 'is_declined'],
  },
  commercetools: {
    document: commercetools.orderNode(
      commercetools.paidBy(
        commercetools.payment([commercetools.refund('r-1', 5_000), commercetools.refund('r-2', 30)]),
      ),
    ),
    read: (document) => ofEach(commercetoolsRefunds(document as unknown as CommercetoolsOrder)),
    statusFields: ['paymentInfo', 'payments', 'obj', 'transactions', 'type', 'state'],
  },
  medusa: {
    document: medusa.orderNode({
      payment_collections: [{ payments: [medusa.paymentNode({ refunds: [medusa.refundNode()] })] }],
    }),
    read: (document) => ofEach(medusaRefunds(exactly(document))),
    statusFields: ['payment_collections', 'payments', 'refunds'],
  },
  saleor: {
    document: saleorDocument,
    read: (document) => ofEach(readRefundRecords(document as unknown as SaleorOrder)),
    statusFields: ['transactions', 'events', 'type'],
  },
  shopify: {
    document: shopifyRefundDocument,
    read: (document) => ofOne(shopifyRefund('gid://shopify/Refund/1', document as unknown as RefundNode, [])),
    statusFields: ['transactions', 'nodes', 'kind', 'status'],
  },
  vtex: {
    document: vtexDocument,
    read: (document) => {
      const order = vtexRead(document);
      if (!order.ok) return { amounts: [], unread: order.failure.reason };
      const invoices = returnInvoices(order.value);
      if (!invoices.ok) return { amounts: [], unread: invoices.failure.reason };
      const amounts = invoices.value.read.flatMap(({ refund }) => (refund === undefined ? [] : [refund.amount.amount]));
      return { amounts, unread: invoices.value.unread?.reason };
    },
    statusFields: ['packageAttachment', 'packages', 'type', 'group'],
  },
  woocommerce: {
    document: woocommerce.documentedRefund(),
    read: (document) =>
      ofOne(
        woocommerceRefund(exactly(document), {
          platform: 'woocommerce',
          orderId: '723',
          currency: 'USD',
          lines: [{ lineId: '313', quantity: 3 }],
        }),
      ),
    statusFields: [],
  },
};
