import type { Value } from '../condition.ts';
import type { Facts, LineFacts } from '../facts.ts';

/** What a fact is, where it is known. */
export type Found = Value | readonly string[];

/** Reads one fact; undefined for one that is missing. */
export type Reader<From> = (from: From) => Found | undefined;

/** Facts of a request as a whole: each is read by its own few bytes of code, which the engine makes fast. */
export const wholeReaders: Readonly<Record<string, Reader<Facts>>> = {
  requestedAt: ({ requestedAt }) => requestedAt,
  'order.platform': ({ order }) => order.platform,
  'order.country': ({ order }) => order.country,
  'order.region': ({ order }) => order.region,
  'order.channel': ({ order }) => order.channel,
  'order.market': ({ order }) => order.market,
  'order.seller': ({ order }) => order.seller,
  'order.saleType': ({ order }) => order.saleType,
  'order.currency': ({ order }) => order.currency,
  'order.placedAt': ({ order }) => order.placedAt,
  'order.lastDeliveredAt': ({ order }) => order.lastDeliveredAt,
  'order.completeness': ({ order }) => order.completeness,
  'order.isGift': ({ order }) => order.isGift,
  'order.buyerIsConsumer': ({ order }) => order.buyerIsConsumer,
  'order.value': ({ order }) => order.value,
  'customer.segment': ({ customer }) => customer.segment,
  'customer.lists': ({ customer }) => customer.lists,
  'customer.returnsLast30Days': ({ customer }) => customer.returnsLast30Days,
  'customer.returnsLast90Days': ({ customer }) => customer.returnsLast90Days,
  'customer.returnsLast365Days': ({ customer }) => customer.returnsLast365Days,
  'return.basis': (facts) => facts.return.basis,
  'return.initiatedBy': (facts) => facts.return.initiatedBy,
  'return.channel': (facts) => facts.return.channel,
  'return.isGift': (facts) => facts.return.isGift,
  'return.quantity': (facts) => facts.return.quantity,
  'return.value': (facts) => facts.return.value,
  'return.reasons': (facts) => facts.return.reasons,
  'return.skus': (facts) => facts.return.skus,
  'return.categories': (facts) => facts.return.categories,
};

/** Facts of one line. */
export const lineReaders: Readonly<Record<string, Reader<LineFacts>>> = {
  'line.orderLineId': ({ orderLineId }) => orderLineId,
  'line.quantity': ({ quantity }) => quantity,
  'line.unitPrice': ({ unitPrice }) => unitPrice,
  'line.value': ({ value }) => value,
  'line.sku': ({ sku }) => sku,
  'line.productId': ({ productId }) => productId,
  'line.brand': ({ brand }) => brand,
  'line.categories': ({ categories }) => categories,
  'line.tags': ({ tags }) => tags,
  'line.finalSale': ({ finalSale }) => finalSale,
  'line.withdrawalExemption': ({ withdrawalExemption }) => withdrawalExemption,
  'line.reason': ({ reason }) => reason,
  'line.reasonGroup': ({ reasonGroup }) => reasonGroup,
  'line.fault': ({ fault }) => fault,
  'line.condition': ({ condition }) => condition,
  'line.resolution': ({ resolution }) => resolution,
  'line.hasNote': ({ hasNote }) => hasNote,
  'line.hasEvidence': ({ hasEvidence }) => hasEvidence,
  'line.delivered': ({ delivered }) => delivered,
  'line.deliveredAt': ({ deliveredAt }) => deliveredAt,
  'line.shippedAt': ({ shippedAt }) => shippedAt,
};
