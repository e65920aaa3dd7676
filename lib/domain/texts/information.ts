import { type CustomerCount, customerCounts } from '../policies/facts.ts';
import type { FactName } from '../policies/fact-catalogue.ts';

/** Information that a customer can give, or that is missing. Several facts can be one piece of information. */
export type Information =
  | 'account'
  | 'basis'
  | 'category'
  | 'channel'
  | 'condition'
  | 'consumer'
  | 'country'
  | 'currency'
  | 'delivery_date'
  | 'earlier_returns'
  | 'evidence'
  | 'exemption'
  | 'final_sale'
  | 'gift'
  | 'note'
  | 'order_date'
  | 'order_details'
  | 'price'
  | 'product'
  | 'quantity'
  | 'reason'
  | 'request_channel'
  | 'request_date'
  | 'sale_type'
  | 'seller'
  | 'shipping_date'
  | 'solution';

/** The information that each fact is a part of. */
export const informationOf: Readonly<Record<FactName, Information>> = {
  requestedAt: 'request_date',
  'order.platform': 'channel',
  'order.country': 'country',
  'order.region': 'country',
  'order.channel': 'channel',
  'order.market': 'channel',
  'order.seller': 'seller',
  'order.saleType': 'sale_type',
  'order.currency': 'currency',
  'order.placedAt': 'order_date',
  'order.lastDeliveredAt': 'delivery_date',
  'order.completeness': 'order_details',
  'order.isGift': 'gift',
  'order.buyerIsConsumer': 'consumer',
  'order.isReplacement': 'order_details',
  'order.value': 'price',
  'order.quantityKept': 'quantity',
  'order.valueKept': 'price',
  'customer.segment': 'account',
  'customer.lists': 'account',
  'customer.historyComplete': 'earlier_returns',
  'customer.externalScore': 'account',
  'customer.externalScoreSource': 'account',
  ...(Object.fromEntries(customerCounts.map((name) => [`customer.${name}`, 'earlier_returns'])) as Record<
    `customer.${CustomerCount}`,
    'earlier_returns'
  >),
  'return.basis': 'basis',
  'return.initiatedBy': 'request_channel',
  'return.channel': 'request_channel',
  'return.isGift': 'gift',
  'return.quantity': 'quantity',
  'return.value': 'price',
  'return.reasons': 'reason',
  'return.skus': 'product',
  'return.bundlesWhole': 'quantity',
  'return.categories': 'category',
  'line.orderLineId': 'product',
  'line.quantity': 'quantity',
  'line.unitPrice': 'price',
  'line.value': 'price',
  'line.sku': 'product',
  'line.productId': 'product',
  'line.brand': 'category',
  'line.categories': 'category',
  'line.tags': 'category',
  'line.finalSale': 'final_sale',
  'line.withdrawalExemption': 'exemption',
  'line.bundleId': 'product',
  'line.reason': 'reason',
  'line.reasonGroup': 'reason',
  'line.fault': 'reason',
  'line.condition': 'condition',
  'line.resolution': 'solution',
  'line.hasNote': 'note',
  'line.hasEvidence': 'evidence',
  'line.delivered': 'delivery_date',
  'line.deliveredAt': 'delivery_date',
  'line.shippedAt': 'shipping_date',
};
