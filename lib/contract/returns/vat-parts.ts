import Type from 'typebox';
import { about, closed, oneOf, PlatformId, Quantity, SignedMoney, text } from '../scalars.ts';

const { Optional: optional, Array: list } = Type;

/** The parts of a refund or of a recovery with their tax. */
export const VatParts = list(
  closed(
    {
      part: about(
        oneOf('goods', 'fee', 'paid_before', 'reduction', 'shipping', 'charge'),
        'What the part is for. A `fee` lowers the price of the goods. `paid_before` is money that the customer has already.',
      ),
      orderLineId: optional(about(PlatformId, 'The order line of goods, or of a reduced price.')),
      quantity: optional(about(Quantity, 'Units of the order line.')),
      type: optional(about(text(50), 'The type of the fee or of the charge.')),
      name: optional(about(text(200), 'The name of the charge.')),
      net: about(SignedMoney, 'The amount without tax. A fee and `paid_before` are below zero.'),
      tax: about(SignedMoney, 'The tax of the part.'),
      taxes: optional(
        about(
          list(
            closed({
              rate: optional(about(text(20), 'The rate in percent, as the order has it.')),
              category: optional(about(text(2), 'The tax category of EN 16931 (BT-151), as the order has it.')),
              amount: about(SignedMoney, 'The tax of this rate.'),
            }),
          ),
          'The tax by rate. Absent if the order has no rates of the part.',
        ),
      ),
    },
    { $id: 'VatPart', description: 'A part of a refund with its tax, for a credit note.' },
  ),
);
