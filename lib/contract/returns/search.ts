import Type from 'typebox';
import { OrderSummary } from '../orders/order-summary.ts';
import { ReturnSummary } from './return-list.ts';
import { about, closed, matching, oneOf, orNull, PageQuery, text } from '../scalars.ts';

const { Optional: optional, Array: list } = Type;

/** The number of returns, and of orders, that one answer has. */
const maxFound = 50;

const include = optional(
  about(oneOf('customer'), '`customer` adds the name and address of the customer to each return and order.'),
);
const foundOrders = about(
  Type.Array(OrderSummary, { maxItems: maxFound }),
  'Registered orders, also without a return, the newest first.',
);

export const Reference = closed(
  {
    reference: about(
      text(250, matching('\\S', 'a number or an id such as 7ZK3Q9WX2M4')),
      'The id or RMA number of a return, the number or id of an order, a tracking number, an external reference, or a SKU.',
    ),
    include,
  },
  { $id: 'Reference', description: 'A text by which people know a return.' },
);

export const FoundReturns = closed(
  {
    items: about(
      Type.Array(
        closed({
          matchedBy: about(
            oneOf('return', 'rma', 'order', 'tracking', 'external', 'sku'),
            'What is equal to the text. The first in this order, when several are.',
          ),
          return: about(ReturnSummary, 'The return, as in a list.'),
        }),
        { maxItems: maxFound },
      ),
      'The returns, each once.',
    ),
    orders: foundOrders,
    more: about(Type.Boolean(), 'Whether there may be more returns or orders than the answer has.'),
    compared: optional(
      about(
        Type.Integer({ minimum: 0 }),
        'The open returns whose SKUs were compared, the newest first. Absent if a number is equal.',
      ),
    ),
  },
  { $id: 'FoundReturns', description: 'Returns and orders that a text leads to.' },
);

const { cursor } = PageQuery.properties;

export const CustomerSearch = closed(
  {
    email: optional(
      about(
        text(320, matching('\\S', 'an e-mail address such as ada@example.com')),
        'The e-mail address. Send either `email` or `name`.',
      ),
    ),
    name: optional(
      about(
        text(200, matching('\\S', 'a whole name such as Ada Lovelace')),
        'The whole name. Send either `name` or `email`.',
      ),
    ),
    include,
    limit: optional(
      about(Type.Integer({ minimum: 1, maximum: 50 }), 'The maximum number of items on a page. Default: 20.'),
    ),
    cursor: optional(about(cursor, 'The `nextCursor` of the previous page.')),
  },
  { $id: 'CustomerSearch', minProperties: 1, description: 'The customer to search for.' },
);

export const CustomerReturns = closed(
  {
    items: about(list(ReturnSummary), 'The returns of the page, the newest first.'),
    orders: foundOrders,
    moreOrders: about(Type.Boolean(), 'Whether there may be more orders than the answer has.'),
    nextCursor: about(orNull(Type.String()), 'The cursor of the next page. Null on the last page.'),
  },
  { $id: 'CustomerReturns', description: 'A page of the returns of a customer, with the orders.' },
);
