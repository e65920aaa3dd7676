import Type from 'typebox';
import {
  about,
  closed,
  Currency,
  id,
  Money,
  observable,
  oneOf,
  OrderRef,
  PlatformId,
  Quantity,
  Reference,
  text,
} from '../scalars.ts';
import { lineId } from './goods.ts';

const { Optional: optional } = Type;

const NewItem = closed(
  {
    sku: about(text(200), 'The SKU of the new item.'),
    title: optional(about(text(500), 'The title of the new item.')),
    quantity: about(Quantity, 'Units of the new item.'),
    price: optional(about(Money, 'The price of one unit of the new item. Absent if it is unknown.')),
  },
  { $id: 'NewItem', description: 'The item that the customer gets in exchange.' },
);

const Balance = closed(
  {
    amount: about(
      Type.Integer({ minimum: -1_000_000_000_000, maximum: 1_000_000_000_000 }),
      'The amount in minor units of the currency. Above zero the customer owes it, below zero the shop owes it.',
    ),
    currency: about(Currency, 'The currency of the amount (ISO 4217).'),
  },
  {
    $id: 'Balance',
    description: 'What the customer or the shop has to pay in addition to an exchange.',
    examples: [{ amount: -200, currency: 'EUR' }],
  },
);

const newItem = about(NewItem, 'The item that the customer gets in exchange.');
const newOrder = optional(about(closed(OrderRef), 'The order of the new item. `getOrder` shows its origin.'));
const externalRef = optional(about(Reference, "The order of the new item, by the shop's own reference."));

export const Exchange = closed(
  {
    exchangeId: about(id('exc'), 'The id of the exchange.'),
    lineId,
    quantity: about(Quantity, 'Exchanged units of the line.'),
    newItem,
    gross: about(Money, 'The worth of the exchanged units, tax included.'),
    tax: about(Money, 'The tax included in `gross`.'),
    balance: optional(
      about(
        Balance,
        'The price of all new units less `gross`. It is owed once the new item is ordered: above zero by the customer, in `recoveryDue`; below zero by the shop, which refunds it. Absent if the price of the new item is unknown.',
      ),
    ),
    externalRef,
    newOrder,
    status: about(
      oneOf('requested', 'ordered', 'fulfilled', 'cancelled'),
      'The status of the exchange. A cancelled exchange releases its units.',
    ),
  },
  { $id: 'Exchange', description: 'Units of a line that are exchanged for a new item.' },
);

const ShopExchange = closed(
  {
    externalId: about(PlatformId, 'The id of the new item, or of the whole exchange, at the platform.'),
    quantity: optional(about(Quantity, 'Units of the new item. Absent if they are unknown.')),
    sku: optional(about(text(200), 'The SKU of the new item.')),
    title: optional(about(text(500), 'The title of the new item.')),
    price: optional(about(Money, 'The price of all units of the new item, tax included. Absent if it is unknown.')),
  },
  { $id: 'ShopExchange', description: 'A new item that the shop gives for units of a return by itself.' },
);

export const ShopExchanges = Type.Array(ShopExchange, { maxItems: 100, uniqueItems: true });

export const NewExchange = closed(
  {
    lineId,
    quantity: about(Quantity, 'Units of the line to exchange.'),
    newItem,
    ...observable,
  },
  { $id: 'NewExchange', description: 'Units of a line to exchange for a new item.' },
);

export const ExchangePath = closed({ returnId: id('ret'), exchangeId: id('exc') });

export const ExchangeResult = closed(
  {
    status: about(oneOf('ordered', 'fulfilled', 'cancelled'), 'The new status of the exchange.'),
    externalRef,
    newOrder,
    ...observable,
  },
  { $id: 'ExchangeResult', description: 'The result of an exchange.' },
);
