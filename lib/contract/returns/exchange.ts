import Type from 'typebox';
import { closed, Currency, id, Money, observable, oneOf, Quantity, Reference, text } from '../scalars.ts';

const { Optional: optional } = Type;

/** What the customer has instead; `price` is of one. */
const NewItem = closed(
  { sku: text(200), title: optional(text(500)), quantity: Quantity, price: optional(Money) },
  { $id: 'NewItem' },
);

/** Above zero the customer owes it, below zero the shop. */
const Balance = closed(
  { amount: Type.Integer({ minimum: -1_000_000_000_000, maximum: 1_000_000_000_000 }), currency: Currency },
  { $id: 'Balance', examples: [{ amount: -200, currency: 'EUR' }] },
);

/**
 * Units of a line for a new item. `gross` is what they are worth, tax inside, and no longer refundable; `credit` is what
 * of it goes towards the new item, `balance` what that costs beyond it.
 */
export const Exchange = closed(
  {
    exchangeId: id('exc'),
    lineId: id('rln'),
    quantity: Quantity,
    newItem: NewItem,
    gross: Money,
    tax: Money,
    credit: Money,
    balance: optional(Balance),
    externalRef: optional(Reference),
    status: oneOf('requested', 'ordered', 'fulfilled', 'cancelled'),
  },
  { $id: 'Exchange' },
);

/** Units to exchange; without `credit` all that they are worth goes towards the new item. */
export const NewExchange = closed(
  { lineId: id('rln'), quantity: Quantity, newItem: NewItem, credit: optional(Money), ...observable },
  { $id: 'NewExchange' },
);

export const ExchangePath = closed({ returnId: id('ret'), exchangeId: id('exc') });

/** What became of an exchange; `externalRef` is the order of the new item as the shop knows it. */
export const ExchangeResult = closed(
  { status: oneOf('ordered', 'fulfilled', 'cancelled'), externalRef: optional(Reference), ...observable },
  { $id: 'ExchangeResult' },
);
