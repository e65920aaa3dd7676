/*
 * The facts of conditions by type, with the few values that facts and conditions share. So conditions are true about as
 * often as false.
 */

/** Instants around clock changes, leap days, weekends and holidays, to the second. Facts have them in UTC. */
export const instants = [
  '2024-02-28T23:59:59.999Z',
  '2024-02-29T12:00:00Z',
  '2025-12-25T01:30:00Z',
  '2026-03-28T23:00:00Z',
  '2026-03-29T00:59:59.000Z',
  '2026-04-02T08:00:00.000Z',
  '2026-04-23T21:59:59.999Z',
  '2026-04-23T22:30:00Z',
  '2026-09-06T03:30:00.5Z',
  '2026-10-25T00:30:00Z',
  '2026-10-25T00:30:00.000Z',
  '2026-12-18T23:59:59.999Z',
] as const;

/** The instants of policies, in any offset. */
export const instantsOfPolicies = [
  ...instants,
  '2025-12-24T22:30:00-03:00',
  '2026-03-29T01:59:59+01:00',
  '2026-04-24T00:30:00+02:00',
  '2026-09-05T23:30:00.500-04:00',
  '2026-10-25T02:30:00+02:00',
] as const;

export const texts: Readonly<Record<string, readonly string[]>> = {
  'order.platform': ['shopify', 'web'],
  'order.country': ['DE', 'BR', 'GB', 'US'],
  'order.region': ['BY', 'SP'],
  'order.channel': ['web', 'app', 'pos'],
  'order.market': ['eu', 'latam'],
  'order.seller': ['own', 'partner'],
  'order.saleType': ['distance', 'off_premises', 'in_store'],
  'order.currency': ['EUR', 'BRL'],
  'order.completeness': ['full', 'partial'],
  'customer.segment': ['vip', 'new'],
  'return.basis': ['withdrawal', 'defect'],
  'return.initiatedBy': ['customer', 'agent', 'system', 'marketplace'],
  'return.channel': ['portal', 'store'],
};

export const lineTexts: Readonly<Record<string, readonly string[]>> = {
  'line.bundleId': ['set-1', 'set-2'],
  'line.orderLineId': ['1', '2', '3'],
  'line.sku': ['SHIRT-M', 'MUG', 'CARD'],
  'line.productId': ['p1', 'p2'],
  'line.brand': ['acme', 'zenit'],
  'line.withdrawalExemption': ['sealed_goods', 'custom_made'],
  'line.reason': ['fit.too_small', 'fit.too_large', 'condition.damaged'],
  'line.reasonGroup': ['fit', 'condition'],
  'line.fault': ['customer', 'merchant', 'carrier', 'none'],
  'line.condition': ['new', 'opened', 'used'],
  'line.resolution': ['refund', 'exchange', 'store_credit', 'repair', 'none'],
};

export const numbers: Readonly<Record<string, readonly number[]>> = {
  'order.value': [0, 4_999, 5_000, 1_000_000_000_000],
  'order.quantityKept': [0, 2, 7],
  'order.valueKept': [0, 4_999, 5_000],
  'customer.returnsLast30Days': [0, 1, 5],
  'customer.returnsLast90Days': [0, 3, 5],
  'customer.returnsLast365Days': [0, 5, 40],
  'return.quantity': [1, 2, 7],
  'return.value': [0, 1_999, 5_000],
};

/** Facts about conduct, which only rules that ask for a person may read. */
export const conductNumbers: Readonly<Record<string, readonly number[]>> = {
  'customer.bracketedReturnsLast90Days': [0, 1, 3],
  'customer.lateUsedReturnsLast365Days': [0, 2],
  'customer.emptyBoxReturnsLast365Days': [0, 1],
  'customer.externalScore': [0, 500, 1_000],
  'customer.valueReturnedLast365Days': [0, 5_000],
  'customer.returnedShareLast30Days': [0, 8_000, 10_000],
};

export const lineNumbers: Readonly<Record<string, readonly number[]>> = {
  'line.quantity': [1, 2, 7],
  'line.unitPrice': [0, 1_999, 5_000],
  'line.value': [0, 1_999, 5_000],
};

export const flags = [
  'order.isGift',
  'order.buyerIsConsumer',
  'order.isReplacement',
  'return.isGift',
  'return.bundlesWhole',
];
export const lineFlags = ['line.finalSale', 'line.hasNote', 'line.hasEvidence', 'line.delivered'];

export const times = ['order.placedAt', 'order.lastDeliveredAt', 'requestedAt'];
export const lineTimes = ['line.deliveredAt', 'line.shippedAt'];

export const textLists: Readonly<Record<string, readonly string[]>> = {
  'customer.lists': ['blocked', 'trusted'],
  'return.reasons': ['fit.too_small', 'condition.damaged'],
  'return.skus': ['SHIRT-M', 'MUG', 'CARD'],
  'return.categories': ['shoes', 'underwear', 'gift_cards'],
};

export const lineTextLists: Readonly<Record<string, readonly string[]>> = {
  'line.categories': ['shoes', 'underwear', 'gift_cards'],
  'line.tags': ['clearance', 'hygiene'],
};
