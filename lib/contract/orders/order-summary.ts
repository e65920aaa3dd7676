import Type from 'typebox';
import { PersonName } from '../returns/return.ts';
import { about, closed, Instant, OrderRef, PlatformId, text } from '../scalars.ts';

const { Optional: optional } = Type;

export const OrderSummary = closed(
  {
    ...OrderRef,
    number: optional(about(text(100), 'The order number that the customer sees.')),
    placedAt: optional(about(Instant, 'When the customer placed the order.')),
    quantity: about(Type.Integer({ minimum: 1 }), 'Units of the order, over all lines.'),
    customerId: optional(about(PlatformId, 'The id of the customer at the shop. Absent if it is unknown.')),
    customer: optional(
      about(PersonName, 'The name and address of the customer. Present only with `include=customer`.'),
    ),
  },
  { $id: 'OrderSummary', description: 'An order in the result of a search.' },
);
