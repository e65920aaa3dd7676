import Type from 'typebox';
import {
  closed,
  Count,
  Country,
  Currency,
  erasable,
  id,
  Instant,
  matching,
  Money,
  oneOf,
  PathId,
  Platform,
  PlatformId,
  Quantity,
  text,
} from '../scalars.ts';

const { Optional: optional, Array: list } = Type;

const Delivery = closed({ quantity: Quantity, at: Instant });

/** A line of an order as the shop sold it. `taxTotal` is inside `unitPrice` when `taxIncluded`. */
const OrderLine = closed(
  {
    lineId: PlatformId,
    sku: optional(text(200)),
    productId: optional(PlatformId),
    title: optional(text(500)),
    quantity: Quantity,
    fulfilledQuantity: optional(Count),
    unitPrice: Money,
    discountTotal: optional(Money),
    taxTotal: optional(Money),
    taxIncluded: optional(Type.Boolean()),
    categories: optional(list(text(200), { maxItems: 50 })),
    tags: optional(list(text(200), { maxItems: 250 })),
    brand: optional(text(200)),
    finalSale: optional(Type.Boolean()),
    withdrawalExemption: optional(text(100)),
    bundleId: optional(PlatformId),
    deliveries: optional(list(Delivery, { maxItems: 50 })),
    shippedAt: optional(Instant),
  },
  { $id: 'OrderLine' },
);

const Customer = closed({
  id: optional(PlatformId),
  email: optional(text(320)),
  name: optional(text(200)),
  segment: optional(text(100)),
});

/** What of an order its source could not read or does not tell, such as a line, or a total that the lines miss. */
const OrderDiscrepancy = closed(
  { code: text(100, matching('^[a-z][a-z0-9_]*$', 'a code such as order_total_differs')), detail: optional(text(500)) },
  { $id: 'OrderDiscrepancy' },
);

const facts = {
  number: optional(text(100)),
  placedAt: optional(Instant),
  currency: Currency,
  country: optional(Country),
  destination: optional(closed({ country: Country, region: optional(text(100)) })),
  timeZone: optional(text(100, matching('^[A-Za-z0-9_+/-]+$', 'a time zone such as Europe/Berlin'))),
  channel: optional(text(100)),
  market: optional(text(100)),
  seller: optional(text(100)),
  saleType: optional(oneOf('distance', 'off_premises', 'in_store')),
  buyerIsConsumer: optional(Type.Boolean()),
  customer: optional(Customer),
  isGift: optional(Type.Boolean()),
  payments: optional(list(closed({ id: PlatformId, method: text(100), paid: Money }), { maxItems: 50 })),
  charges: optional(
    list(closed({ type: oneOf('duty', 'gift_wrap', 'handling', 'tip'), paid: Money, tax: optional(Money) }), {
      maxItems: 50,
    }),
  ),
  shipping: optional(
    closed({ paid: Money, tax: optional(Money), standardCost: optional(Money), refunded: optional(Money) }),
  ),
  lines: list(OrderLine, { minItems: 1, maxItems: 500 }),
  completeness: optional(oneOf('full', 'partial')),
  discrepancies: optional(list(OrderDiscrepancy, { maxItems: 50 })),
  source: optional(text(100)),
  observedAt: Instant,
};

export const OrderPath = closed({ platform: Platform, orderId: PathId });

/** What a caller tells of an order. Registering again merges fact by fact: the newer `observedAt` wins. */
export const OrderFacts = closed(facts, { $id: 'OrderFacts' });

/** An order as it is known now. `customer` is left out of answers to commands; `erased` stands there for a name and an address that were erased. */
export const Order = closed(
  {
    id: id('ord'),
    platform: Platform,
    orderId: PathId,
    ...facts,
    customer: optional(closed({ ...Customer.properties, ...erasable })),
    completeness: oneOf('full', 'partial'),
    version: Type.Integer({ minimum: 1 }),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { $id: 'Order' },
);

/** What of each line of an order may still be returned: what reached the customer, less the units in returns and those refunded without one. */
export const Returnable = closed(
  {
    platform: Platform,
    orderId: PathId,
    lines: list(
      closed({
        lineId: PlatformId,
        sku: optional(text(200)),
        quantity: Quantity,
        fulfilled: Count,
        held: Count,
        refunded: Count,
        returnable: Count,
      }),
    ),
  },
  { $id: 'Returnable' },
);
