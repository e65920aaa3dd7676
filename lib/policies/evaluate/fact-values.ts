import type { Value } from '../condition.ts';
import type { Facts, LineFacts } from '../facts.ts';

/** What a fact is, where it is known. */
export type FactValue = Value | readonly string[];

/** Facts, each in its place; undefined for one that is missing. */
export type FactValues = readonly (FactValue | undefined)[];

/*
 * All facts are read, whatever a policy looks at: one piece of code that names each is sooner made fast by the engine
 * than one for every fact, and then takes less time than to find out which are wanted.
 */

/** Facts of a request as a whole, in their places. */
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
  'order.value',
  'customer.segment',
  'customer.lists',
  'customer.returnsLast30Days',
  'customer.returnsLast90Days',
  'customer.returnsLast365Days',
  'return.basis',
  'return.initiatedBy',
  'return.channel',
  'return.isGift',
  'return.quantity',
  'return.value',
  'return.reasons',
  'return.skus',
  'return.categories',
];

/** Facts of one line, in the places after those. */
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

/** In the first place. */
export const requestedAtIndex = 0;

/** Where a fact stands; one that there is not, behind all others, where nothing is known. */
export const factIndex = (fact: string): number => {
  const place = factNames.indexOf(fact);
  return place === -1 ? factNames.length : place;
};

/** Reads what is of a request as a whole. */
export const readRequestFacts = (facts: Facts): FactValues => {
  const { order, customer, return: asked } = facts;
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
    order.value,
    customer.segment,
    customer.lists,
    customer.returnsLast30Days,
    customer.returnsLast90Days,
    customer.returnsLast365Days,
    asked.basis,
    asked.initiatedBy,
    asked.channel,
    asked.isGift,
    asked.quantity,
    asked.value,
    asked.reasons,
    asked.skus,
    asked.categories,
  ];
};

/** Reads what is of one line, beside what is of the whole. */
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
