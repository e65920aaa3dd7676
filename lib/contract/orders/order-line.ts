import Type from 'typebox';
import { about, closed, Count, Instant, matching, Money, oneOf, PlatformId, Quantity, text } from '../scalars.ts';

const { Optional: optional, Array: list } = Type;

/* The lines of an order, and what it states by line: taxes and promotions. */

export const orderLineId = about(PlatformId, 'The id of the line at the platform.');
export const sku = optional(about(text(200), 'The SKU of the goods.'));
export const soldQuantity = about(Quantity, 'Units that were sold.');

const Delivery = closed({
  quantity: about(Quantity, 'Units that were delivered.'),
  at: about(Instant, 'When the units were delivered.'),
});

const TaxLine = closed(
  {
    rate: optional(
      about(
        text(
          10,
          matching(
            '^(0|[1-9][0-9]{0,2})(\\.[0-9]{1,6})?$',
            'a rate in percent such as 19 or 8.875, with at most 3 digits before the point and 6 after it',
          ),
        ),
        'The rate in percent, as the source states it. 19 % is 19.',
      ),
    ),
    category: optional(
      about(
        oneOf('S', 'Z', 'E', 'AE', 'K', 'G', 'O', 'L', 'M'),
        'The category of the tax, by its code in EN 16931 (BT-151). S is the standard rate, Z is zero, E is exempt.',
      ),
    ),
    amount: about(Money, 'The tax at this rate.'),
  },
  { $id: 'TaxLine', description: 'The tax of one rate.' },
);

export const taxesOf = (total: string) =>
  optional(
    about(
      list(TaxLine, { maxItems: 10 }),
      `The parts of \`${total}\` by rate. Their amounts add up to it exactly. When absent, the rates are unknown.`,
    ),
  );

export const OrderLine = closed(
  {
    lineId: orderLineId,
    sku,
    productId: optional(about(PlatformId, 'The id of the product at the platform.')),
    title: optional(about(text(500), 'The name of the goods.')),
    quantity: soldQuantity,
    fulfilledQuantity: optional(
      about(Count, 'Units that reached the customer and can be returned. When absent, all sold units.'),
    ),
    unitPrice: about(Money, 'The price of one unit before discounts. It includes tax when `taxIncluded` is true.'),
    discountTotal: optional(about(Money, 'The discount of all units together. When absent, none.')),
    taxTotal: optional(about(Money, 'The tax of all units together, after discounts. When absent, none.')),
    taxes: taxesOf('taxTotal'),
    taxIncluded: optional(
      about(
        Type.Boolean(),
        'Whether `unitPrice` includes the tax. When absent or false, `taxTotal` is added to the price.',
      ),
    ),
    categories: optional(about(list(text(200), { maxItems: 50 }), 'The categories of the product.')),
    tags: optional(about(list(text(200), { maxItems: 250 }), 'The tags of the product.')),
    brand: optional(about(text(200), 'The brand of the product.')),
    finalSale: optional(
      about(Type.Boolean(), 'Whether the goods were sold as a final sale. Policies can use this fact.'),
    ),
    withdrawalExemption: optional(
      about(
        text(100),
        'The exemption from the right to withdraw, such as custom_made, perishable or digital. When absent, the goods are not exempt.',
      ),
    ),
    bundleId: optional(about(PlatformId, 'The id of the bundle that the line is part of, at the platform.')),
    deliveries: optional(
      about(
        list(Delivery, { maxItems: 50 }),
        'The deliveries of the line. A statutory period starts when the last unit of the order is delivered. An empty list states that no unit is delivered.',
      ),
    ),
    shippedAt: optional(
      about(
        Instant,
        'When the goods were shipped. With a `fulfilledQuantity` of 0 all units are on their way to the customer.',
      ),
    ),
  },
  { $id: 'OrderLine', description: 'A line of an order as the shop sold it.' },
);

export const Promotion = closed(
  {
    id: about(PlatformId, 'The id of the promotion at the platform.'),
    name: optional(about(text(200), 'The name of the promotion, as the customer knows it.')),
    lines: about(
      list(
        closed({
          orderLineId,
          discount: about(Money, 'What the promotion took off the line, tax included. It is part of `discountTotal`.'),
        }),
        { minItems: 1, maxItems: 500 },
      ),
      'The lines that count for the condition, also those with a discount of 0.',
    ),
    condition: about(
      Type.Union([
        closed({ units: about(Quantity, 'The fewest units of the lines.') }),
        closed({ value: about(Money, 'The lowest value of the lines, before the discount of the promotion.') }),
        closed({ allLines: about(Type.Literal(true), 'All units of all lines.') }),
      ]),
      'What must stay with the customer for the discount to stay.',
    ),
  },
  { $id: 'Promotion', description: 'A discount that depends on what the customer keeps.' },
);
