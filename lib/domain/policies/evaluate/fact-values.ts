import { customerCounts, type Facts, type LineFacts } from '../facts.ts';
import type { Value } from '../policy.ts';

/** The value of a known fact. */
export type FactValue = Value | readonly string[];

/** Facts by index; undefined for a missing one. */
export type FactValues = readonly (FactValue | undefined)[];

/*
 * All facts are read, whatever a policy uses. The engine optimizes one function that names each fact sooner than one
 * function per fact. This takes less time than the selection of the used facts.
 */

/** Facts of the whole request, by index. */
const requestFactNames: readonly string[] = [
  'requestedAt',
  'order.platform',
  'order.country',
  'order.region',
  'order.channel',
  'order.market',
  'order.seller',
  'order.saleType',
  'order.currency',
  'order.placedAt',
  'order.lastDeliveredAt',
  'order.completeness',
  'order.isGift',
  'order.buyerIsConsumer',
  'order.isReplacement',
  'order.value',
  'order.quantityKept',
  'order.valueKept',
  'customer.segment',
  'customer.lists',
  'customer.historyComplete',
  'customer.externalScore',
  'customer.externalScoreSource',
  'return.basis',
  'return.initiatedBy',
  'return.channel',
  'return.isGift',
  'return.quantity',
  'return.value',
  'return.reasons',
  'return.skus',
  'return.categories',
  'return.bundlesWhole',
  ...customerCounts.map((name) => `customer.${name}`),
];

/** Facts of one line, with the indexes after those. */
const lineFactNames: readonly string[] = [
  'line.orderLineId',
  'line.quantity',
  'line.unitPrice',
  'line.value',
  'line.sku',
  'line.productId',
  'line.brand',
  'line.categories',
  'line.tags',
  'line.finalSale',
  'line.withdrawalExemption',
  'line.bundleId',
  'line.reason',
  'line.reasonGroup',
  'line.fault',
  'line.condition',
  'line.resolution',
  'line.hasNote',
  'line.hasEvidence',
  'line.delivered',
  'line.deliveredAt',
  'line.shippedAt',
];

const factNames: readonly string[] = [...requestFactNames, ...lineFactNames];

/** The first index. */
export const requestedAtIndex = 0;

/** Returns the index of a fact. An unknown name gets the index after all others, which has no value. */
export const factIndex = (fact: string): number => {
  const index = factNames.indexOf(fact);
  return index === -1 ? factNames.length : index;
};

/** Reads the facts of the whole request. */
export const readRequestFacts = (facts: Facts): FactValues => {
  const { order, customer, return: request } = facts;
  return [
    facts.requestedAt,
    order.platform,
    order.country,
    order.region,
    order.channel,
    order.market,
    order.seller,
    order.saleType,
    order.currency,
    order.placedAt,
    order.lastDeliveredAt,
    order.completeness,
    order.isGift,
    order.buyerIsConsumer,
    order.isReplacement,
    order.value,
    order.quantityKept,
    order.valueKept,
    customer.segment,
    customer.lists,
    customer.historyComplete,
    customer.externalScore,
    customer.externalScoreSource,
    request.basis,
    request.initiatedBy,
    request.channel,
    request.isGift,
    request.quantity,
    request.value,
    request.reasons,
    request.skus,
    request.categories,
    request.bundlesWhole,
    ...customerCounts.map((name) => customer[name]),
  ];
};

/** Reads the facts of one line, and appends them to those of the request. */
export const readLineFacts = (whole: FactValues, line: LineFacts): FactValues =>
  whole.concat([
    line.orderLineId,
    line.quantity,
    line.unitPrice,
    line.value,
    line.sku,
    line.productId,
    line.brand,
    line.categories,
    line.tags,
    line.finalSale,
    line.withdrawalExemption,
    line.bundleId,
    line.reason,
    line.reasonGroup,
    line.fault,
    line.condition,
    line.resolution,
    line.hasNote,
    line.hasEvidence,
    line.delivered,
    line.deliveredAt,
    line.shippedAt,
  ]);
