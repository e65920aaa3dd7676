import fc, { type Arbitrary } from 'fast-check';
import type { Facts, LineFacts, Right } from '../../../../lib/domain/policies/facts.ts';
import {
  conductNumbers,
  instants,
  lineNumbers,
  lineTextLists,
  lineTexts,
  numbers,
  textLists,
  texts,
} from './vocabulary.ts';

/** Zones that change clocks at midnight, by half an hour, in the southern summer, or never. */
const timeZones = [
  'Europe/Berlin',
  'America/Sao_Paulo',
  'America/Santiago',
  'America/New_York',
  'Africa/Cairo',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Kiritimati',
  'UTC',
];

const one = <Item>(items: readonly Item[] | undefined): Arbitrary<Item> => fc.constantFrom(...(items ?? []));
const some = <Item>(items: readonly Item[] | undefined): Arbitrary<Item[]> => fc.subarray([...(items ?? [])]);

/** Returns a value that is present in most cases. */
const maybe = <Item>(arbitrary: Arbitrary<Item>): Arbitrary<Item | undefined> =>
  fc.oneof({ weight: 5, arbitrary }, { weight: 1, arbitrary: fc.constant(undefined) });

/** Removes unknown facts. */
const known = <Item extends object>(item: Item): Item =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined)) as Item;

const right: Arbitrary<Right> = fc.record({
  law: fc.constantFrom('EU 2011/83', 'BR CDC art. 49', 'EU 2019/771'),
  claim: fc.constantFrom('withdrawal', 'withdrawal', 'fault'),
  until: fc.oneof(fc.constant(null), one(instants)),
  certain: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
});

const rights = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  { weight: 2, arbitrary: fc.uniqueArray(right, { minLength: 1, maxLength: 2, selector: ({ law }) => law }) },
);

const line = (orderLineId: string): Arbitrary<LineFacts> =>
  fc
    .record({
      orderLineId: fc.constant(orderLineId),
      quantity: one(lineNumbers['line.quantity']),
      unitPrice: maybe(one(lineNumbers['line.unitPrice'])),
      value: one(lineNumbers['line.value']),
      sku: maybe(one(lineTexts['line.sku'])),
      productId: maybe(one(lineTexts['line.productId'])),
      brand: maybe(one(lineTexts['line.brand'])),
      categories: maybe(some(lineTextLists['line.categories'])),
      tags: maybe(some(lineTextLists['line.tags'])),
      finalSale: maybe(fc.boolean()),
      bundleId: maybe(one(lineTexts['line.bundleId'])),
      withdrawalExemption: maybe(one(lineTexts['line.withdrawalExemption'])),
      reason: one(lineTexts['line.reason']),
      reasonGroup: one(lineTexts['line.reasonGroup']),
      fault: maybe(fc.constantFrom('customer', 'merchant', 'carrier', 'none')),
      condition: maybe(one(lineTexts['line.condition'])),
      resolution: fc.constantFrom('refund', 'refund', 'refund', 'exchange', 'store_credit', 'repair', 'none'),
      hasNote: fc.boolean(),
      hasEvidence: fc.boolean(),
      delivered: maybe(
        fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
      ),
      deliveredAt: maybe(one(instants)),
      shippedAt: maybe(one(instants)),
      rights,
    })
    .map((facts) => known(facts) as LineFacts);

const order = fc.record({
  platform: one(texts['order.platform']),
  country: maybe(one(texts['order.country'])),
  region: maybe(one(texts['order.region'])),
  channel: maybe(one(texts['order.channel'])),
  market: maybe(one(texts['order.market'])),
  seller: maybe(one(texts['order.seller'])),
  saleType: maybe(one(texts['order.saleType'])),
  currency: one(texts['order.currency']),
  placedAt: maybe(one(instants)),
  lastDeliveredAt: maybe(one(instants)),
  completeness: fc.constantFrom('full', 'full', 'full', 'full', 'full', 'full', 'full', 'partial'),
  isGift: maybe(fc.boolean()),
  buyerIsConsumer: maybe(fc.boolean()),
  isReplacement: maybe(fc.boolean()),
  timeZone: one(timeZones),
  value: one(numbers['order.value']),
  quantityKept: maybe(one(numbers['order.quantityKept'])),
  valueKept: maybe(one(numbers['order.valueKept'])),
});

const customer = fc.record({
  segment: maybe(one(texts['customer.segment'])),
  lists: maybe(some(textLists['customer.lists'])),
  returnsLast30Days: maybe(one(numbers['customer.returnsLast30Days'])),
  returnsLast90Days: maybe(one(numbers['customer.returnsLast90Days'])),
  returnsLast365Days: maybe(one(numbers['customer.returnsLast365Days'])),
  historyComplete: maybe(fc.boolean()),
  ...Object.fromEntries(
    Object.entries(conductNumbers).map(([name, values]) => [name.split('.')[1] ?? '', maybe(one(values))]),
  ),
});

const request = fc.record({
  basis: maybe(one(texts['return.basis'])),
  initiatedBy: fc.constantFrom('customer', 'agent', 'system', 'marketplace'),
  channel: maybe(one(texts['return.channel'])),
  isGift: fc.boolean(),
  quantity: one(numbers['return.quantity']),
  value: one(numbers['return.value']),
  reasons: some(textLists['return.reasons']),
  skus: some(textLists['return.skus']),
  categories: maybe(some(textLists['return.categories'])),
  bundlesWhole: maybe(fc.boolean()),
});

const lines = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(line('1')) },
  { weight: 2, arbitrary: fc.tuple(line('1'), line('2')) },
  { weight: 1, arbitrary: fc.tuple(line('1'), line('2'), line('3')) },
);

/** The facts of a request. Optional facts are sometimes absent. */
export const factsArbitrary: Arbitrary<Facts> = fc
  .record({ requestedAt: one(instants), order, customer, return: request, lines })
  .map(
    (facts) =>
      ({ ...facts, order: known(facts.order), customer: known(facts.customer), return: known(facts.return) }) as Facts,
  );
