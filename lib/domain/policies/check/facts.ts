import { type CustomerCount, customerCounts, type Facts, type LineFacts, type Right } from '../facts.ts';
import { type Check, listOf, named, typedFields } from './shape.ts';
import {
  amount,
  country,
  currency,
  flag,
  instant,
  maxValues,
  name,
  oneOf,
  orNull,
  resolution,
  timeZone,
} from './values.ts';

const names = listOf(name, maxValues);

const right = typedFields<Right>(
  { law: name, claim: oneOf('withdrawal', 'fault'), until: orNull(instant), certain: flag },
  { uninformed: oneOf(true) },
  'a right',
);

const line = typedFields<LineFacts>(
  {
    orderLineId: name,
    quantity: amount,
    value: amount,
    reason: name,
    reasonGroup: name,
    resolution,
    hasNote: flag,
    hasEvidence: flag,
    rights: listOf(right, 20),
  },
  {
    unitPrice: amount,
    sku: name,
    productId: name,
    brand: name,
    categories: names,
    tags: names,
    finalSale: flag,
    withdrawalExemption: name,
    bundleId: name,
    fault: oneOf('customer', 'merchant', 'carrier', 'none'),
    condition: name,
    delivered: flag,
    deliveredAt: instant,
    shippedAt: instant,
  },
  'the facts of a line',
);

const order = typedFields<Facts['order']>(
  { platform: name, currency, completeness: oneOf('full', 'partial'), timeZone, value: amount },
  {
    country,
    region: name,
    channel: name,
    market: name,
    seller: name,
    saleType: oneOf('distance', 'off_premises', 'in_store'),
    placedAt: instant,
    lastDeliveredAt: instant,
    isGift: flag,
    buyerIsConsumer: flag,
    isReplacement: flag,
    quantityKept: amount,
    valueKept: amount,
  },
  'the facts of an order',
);

const customer = typedFields<Facts['customer']>(
  {},
  {
    segment: name,
    lists: names,
    historyComplete: flag,
    externalScore: amount,
    externalScoreSource: name,
    ...(Object.fromEntries(customerCounts.map((count) => [count, amount])) as Record<CustomerCount, Check>),
  },
  'the facts of a customer',
);

const ofReturn = typedFields<Facts['return']>(
  {
    initiatedBy: oneOf('customer', 'agent', 'system', 'marketplace'),
    isGift: flag,
    quantity: amount,
    value: amount,
    reasons: names,
    skus: names,
  },
  { basis: name, channel: name, categories: names, bundlesWhole: flag },
  'the facts of a return',
);

/** Checks the facts of a decision. */
export const factsCheck: Check = named(
  'PolicyFacts',
  typedFields<Facts>(
    { requestedAt: instant, order, customer, return: ofReturn, lines: listOf(line, maxValues, 1) },
    {},
    'the facts of a decision',
  ),
);
