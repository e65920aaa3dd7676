import Type from 'typebox';
import { about, closed, id, Instant, Money, PathId, Platform, PositiveMoney, Quantity } from '../scalars.ts';
import { extraType, orderLineId, providerRef, RefundMethod } from './refund.ts';

const { Optional: optional, Array: list } = Type;

export const RefundPath = closed({ platform: Platform, orderId: PathId, externalId: PathId });

export const RefundFacts = closed(
  {
    amount: about(
      PositiveMoney,
      'The amount that the customer got. It covers the amounts of lines, `shipping`, `charges` and `extras`.',
    ),
    method: optional(about(RefundMethod, 'How the customer got the money. The default is `original_payment`.')),
    occurredAt: about(Instant, 'When the money moved.'),
    returnId: optional(
      about(id('ret'), 'The return that the refund belongs to. Absent if it belongs to the order alone.'),
    ),
    lines: optional(
      about(
        list(
          closed({
            orderLineId,
            quantity: about(Quantity, 'Units of the order line that the refund paid for.'),
            amount: optional(
              about(
                Money,
                'The amount for the units, tax included. The default is their share of the amount paid for the line.',
              ),
            ),
            tax: optional(about(Money, 'The tax included in `amount`. The default is computed from the order.')),
            kept: optional(
              about(
                Type.Boolean(),
                'Whether the customer keeps the units. `amount` is then a part of their price, and the units can still be returned for the rest. Without a return it is the default for an amount below their worth.',
              ),
            ),
          }),
          { minItems: 1, maxItems: 500 },
        ),
        'The order lines that the refund paid for, each line once. Absent if the refund names no goods.',
      ),
    ),
    shipping: optional(about(Money, 'The part of `amount` for shipping. The default is zero.')),
    charges: optional(about(Money, 'The part of `amount` for other charges, such as duty. The default is zero.')),
    extras: optional(
      about(
        list(closed({ type: extraType, amount: about(PositiveMoney, 'The amount on top.') }), { maxItems: 20 }),
        'The parts of `amount` on top of what was paid for the order, such as return postage. They are no part of its price.',
      ),
    ),
    providerRef,
  },
  {
    $id: 'RefundFacts',
    description:
      'A refund that was paid outside the service. It is a fact: the service accepts it with any amount. An amount beyond the order, the return or the amount paid is a discrepancy.',
  },
);
