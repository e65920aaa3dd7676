import Type from 'typebox';
import {
  about,
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
  OrderRef,
  PathId,
  Platform,
  PlatformId,
  text,
} from '../scalars.ts';
import { OrderLine, orderLineId, Promotion, sku, soldQuantity, taxesOf } from './order-line.ts';

const { Optional: optional, Array: list } = Type;

const Customer = closed({
  id: optional(about(PlatformId, 'The id of the customer at the platform.')),
  email: optional(about(text(320), 'The email address of the customer.')),
  name: optional(about(text(200), 'The name of the customer.')),
  segment: optional(about(text(100), 'The segment that the shop puts the customer in. Policies can use this fact.')),
});

const OrderDiscrepancy = closed(
  {
    code: about(
      text(100, matching('^[a-z][a-z0-9_]*$', 'a code such as order_total_differs')),
      'The kind of the discrepancy, as a code.',
    ),
    detail: optional(about(text(500), 'The discrepancy in a sentence.')),
  },
  {
    $id: 'OrderDiscrepancy',
    description:
      'A part of an order that its source could not read or does not report. An example is a line, or a total that the lines do not add up to.',
  },
);

const Destination = closed({
  country: about(Country, 'The country of the destination (ISO 3166-1).'),
  region: optional(
    about(
      text(100),
      'The state or region of the destination. Its public holidays count, if it is a code of ISO 3166-2.',
    ),
  ),
});

const Payment = closed({
  id: about(PlatformId, 'The id of the payment at the platform.'),
  method: about(text(100), 'The method of the payment, as the platform names it.'),
  paid: about(Money, 'The amount that was paid.'),
});

const Charge = closed({
  type: about(
    oneOf('duty', 'gift_wrap', 'handling', 'tip', 'deposit', 'donation', 'insurance', 'other'),
    'The kind of the charge.',
  ),
  name: optional(about(text(200), 'The name of the charge, as the customer knows it. Required with `other`.')),
  paid: about(Money, 'The amount that was paid, tax included.'),
  tax: optional(about(Money, 'The tax inside `paid`.')),
  taxes: taxesOf('tax'),
});

const Shipping = closed({
  paid: about(Money, 'The amount that was paid for shipping, tax included.'),
  tax: optional(about(Money, 'The tax inside `paid`.')),
  taxes: taxesOf('tax'),
  standardCost: optional(
    about(
      Money,
      'The price of the standard delivery. A statutory refund of shipping is at most this amount. When absent, `paid`.',
    ),
  ),
  refunded: optional(about(Money, 'The shipping that the platform has already refunded.')),
});

const WithdrawalInformation = closed({
  given: about(
    Type.Boolean(),
    'Whether the shop informed the consumer of the conditions, the time limit and the procedure of the right to withdraw.',
  ),
  at: optional(
    about(
      Instant,
      'When the consumer got the information. It is late after `placedAt`. When absent, it was in time. It counts only if `given` is true.',
    ),
  ),
});

export const OrderOrigin = closed(
  {
    ...OrderRef,
    returnId: optional(about(id('ret'), 'The return whose exchange made the new order.')),
  },
  { $id: 'OrderOrigin', description: 'The order whose goods were exchanged for the goods of another order.' },
);

const completeness = oneOf('full', 'partial');

const facts = {
  number: optional(about(text(100), 'The order number that the customer sees.')),
  placedAt: optional(about(Instant, 'When the customer placed the order.')),
  currency: about(Currency, 'The currency of all amounts of the order (ISO 4217).'),
  country: optional(
    about(Country, 'The country whose consumer law applies (ISO 3166-1). When absent, the country of `destination`.'),
  ),
  destination: optional(about(Destination, 'The place that the goods are shipped to.')),
  timeZone: optional(
    about(
      text(100, matching('^[A-Za-z0-9_+/-]+$', 'a time zone such as Europe/Berlin')),
      'The time zone in which days are counted (IANA). When absent or unknown, the time zone of the country.',
    ),
  ),
  channel: optional(about(text(100), 'The sales channel of the order. It can select the policy.')),
  market: optional(about(text(100), 'The market that the order was sold in. It can select the policy.')),
  seller: optional(about(text(100), 'The seller of the goods, for a marketplace. It can select the policy.')),
  saleType: optional(
    about(
      oneOf('distance', 'off_premises', 'in_store'),
      'The type of the sale in consumer law. When absent, laws treat it as `distance`.',
    ),
  ),
  buyerIsConsumer: optional(
    about(Type.Boolean(), 'Whether the buyer is a consumer. When absent, laws treat the buyer as a consumer.'),
  ),
  withdrawalInformation: optional(
    about(
      WithdrawalInformation,
      'The information about the right to withdraw. Without it, some laws extend the right by 12 months. When absent, laws treat the consumer as informed in time.',
    ),
  ),
  customer: optional(about(Customer, 'The customer of the order.')),
  isGift: optional(about(Type.Boolean(), 'Whether the order is a gift. It is the default of `isGift` of a return.')),
  payments: optional(about(list(Payment, { maxItems: 50 }), 'The payments of the order.')),
  paymentsComplete: optional(
    about(
      Type.Boolean(),
      'Whether `payments` holds all payments of the order. It may be empty. When absent, false: a refund is not limited by them.',
    ),
  ),
  charges: optional(
    about(
      list(Charge, { maxItems: 50 }),
      'The amounts that were paid for neither goods nor shipping, such as duty or a deposit. A statutory refund of the whole order pays all of them.',
    ),
  ),
  shipping: optional(about(Shipping, 'The shipping of the order.')),
  lines: about(list(OrderLine, { minItems: 1, maxItems: 500 }), 'The lines of the order.'),
  promotions: optional(
    about(
      list(Promotion, { maxItems: 20 }),
      'The promotions of the order that a partial return may end. A policy decides whether a return then pays a fee.',
    ),
  ),
  completeness: optional(
    about(
      completeness,
      'Whether all facts of the order are known. When absent, `full`. A refund of a `partial` order needs returns:admin.',
    ),
  ),
  discrepancies: optional(about(list(OrderDiscrepancy, { maxItems: 50 }), 'Why the order is `partial`.')),
  source: optional(about(text(100), 'The system that the facts were read from.')),
  origin: optional(
    about(
      OrderOrigin,
      'The order that this one replaces. The service knows it too when `exchangeResult` names this order.',
    ),
  ),
  observedAt: about(Instant, 'When the facts were read at their source. For each fact, the newer observation wins.'),
};

export const OrderPath = closed({ platform: Platform, orderId: PathId });

export const OrderFacts = closed(facts, {
  $id: 'OrderFacts',
  description: 'The facts of an order, as a caller knows them.',
});

export const Order = closed(
  {
    id: about(id('ord'), 'The id of the order in this service.'),
    ...OrderRef,
    ...facts,
    customer: optional(
      about(
        closed({ ...Customer.properties, ...erasable }),
        'The customer of the order. Answers to commands leave it out.',
      ),
    ),
    completeness: about(
      completeness,
      'Whether all facts of the order are known. A refund of a `partial` order needs returns:admin.',
    ),
    observedAt: about(Instant, 'When the newest facts of the order were read at their source.'),
    version: about(Type.Integer({ minimum: 1 }), 'The version of the order. Each change of its facts adds 1.'),
    createdAt: about(Instant, 'When the order was first registered.'),
    updatedAt: about(Instant, 'When the facts of the order last changed.'),
  },
  { $id: 'Order', description: 'An order with the facts of all its registrations.' },
);

export const Returnable = closed(
  {
    ...OrderRef,
    lines: about(
      list(
        closed({
          lineId: orderLineId,
          sku,
          quantity: soldQuantity,
          fulfilled: about(Count, 'Units that reached the customer.'),
          held: about(
            Count,
            'Units in returns. Units that are rejected, cancelled, sent back, or missing without a grant do not count.',
          ),
          refunded: about(Count, 'Units that were refunded without a return.'),
          withdrawn: about(Count, 'Units that withdrawals hold before their shipment. The shop cancels them.'),
          returnable: about(
            Count,
            'Units that can still be returned: `fulfilled` without withdrawn units, less `held` and `refunded`, at least 0. A refund covers withdrawn units first. A withdrawal can take shipped units too.',
          ),
        }),
      ),
      'All lines of the order.',
    ),
  },
  { $id: 'Returnable', description: 'The units of each line of an order that can still be returned.' },
);
