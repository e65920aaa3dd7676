import Type from 'typebox';
import {
  about,
  closed,
  Count,
  id,
  Instant,
  Money,
  oneOf,
  OrderRef,
  Platform,
  PlatformId,
  PositiveMoney,
  ProviderCode,
  Quantity,
  ReasonCode,
  Reference,
  SignedMoney,
  text,
} from '../scalars.ts';
import { lineId } from './goods.ts';
import { VatParts } from './vat-parts.ts';

const { Optional: optional, Array: list } = Type;

export const Discrepancy = closed(
  {
    code: about(text(100), 'The code of the discrepancy, such as `refund_exceeds_paid`.'),
    at: about(Instant, 'When the service recorded the discrepancy.'),
    detail: about(text(1000), 'What is wrong, in words.'),
  },
  {
    $id: 'Discrepancy',
    description: 'A recorded fact that is inconsistent, breaks a rule or exceeds what was agreed.',
  },
);

/** The fees that the shop may subtract from the money for the goods. */
export const FeeType = oneOf('inspection', 'restocking', 'return_shipping', 'promotion');
const Deduction = oneOf('inspection', 'restocking', 'return_shipping', 'promotion', 'paid_before');

/** The payments on top of what was paid for the order. */
const ExtraType = oneOf('return_postage', 'compensation', 'bonus');
export const extraType = about(
  ExtraType,
  '`return_postage`: the postage of goods that the shop is liable for. `compensation`: for damage or trouble. `bonus`: for taking credit in place of money.',
);

export const orderLineId = about(PlatformId, 'The id of the order line at the platform.');
const gross = about(Money, 'The amount for the units, tax included.');

const Breakdown = closed(
  {
    lines: about(
      list(
        closed({
          orderLineId,
          quantity: about(Quantity, 'Units of the order line that the refund pays for.'),
          gross,
          tax: about(Money, 'The tax included in `gross`.'),
          worth: optional(
            about(
              closed({
                gross: about(Count, 'The worth of the units in minor units, tax included.'),
                tax: about(Count, 'The tax in it.'),
              }),
              'What the units are worth, when a platform paid less for them. Other units of the line keep their own worth.',
            ),
          ),
        }),
      ),
      'The amounts for goods by order line, before deductions.',
    ),
    deductions: about(
      list(
        closed({
          type: about(
            Deduction,
            'The fee, or `paid_before`: money that the customer has already. It was recorded without lines, or paid for goods that did not arrive. The price of a new item that the shop gave counts, too.',
          ),
          amount: about(
            SignedMoney,
            'The amount that the refund subtracts. Below zero, the refund pays back a fee that was too high.',
          ),
        }),
      ),
      'The amounts that the refund subtracts from the money for the goods.',
    ),
    shipping: about(Money, 'The amount for the shipping of the order.'),
    charges: optional(about(Money, 'The amount for other charges of the order, such as duty. Absent if it is zero.')),
    exchange: optional(
      about(
        SignedMoney,
        'The differences of exchanges. Above zero, the refund pays them. Below zero, it subtracts what the customer owes for dearer new items. Absent if it is zero.',
      ),
    ),
    other: about(Money, 'The amount that belongs to no goods, shipping or charges.'),
    reductions: optional(
      about(
        list(
          closed({
            orderLineId,
            lineId: optional(about(id('rln'), 'The line of the return with the units. Absent if no return has them.')),
            quantity: about(Quantity, 'Units whose price is reduced.'),
            gross: about(Money, 'The part of the price of all these units, tax included.'),
            tax: about(Money, 'The tax included in `gross`.'),
            reason: optional(about(ReasonCode, 'Why the shop reduced the price. Absent for a fact of a platform.')),
          }),
        ),
        'The parts of the price of units that the customer keeps. If the units come back after all, the shop owes only the rest. Absent if there are none.',
      ),
    ),
    extras: optional(
      about(
        list(
          closed({
            type: extraType,
            amount: about(Money, 'The amount on top.'),
            reason: optional(about(ReasonCode, 'Why the shop pays it. Absent for a fact of a platform.')),
          }),
        ),
        'The payments on top of what was paid for the order. The customer never owes them back. Absent if there are none.',
      ),
    ),
    assigned: optional(
      about(
        Money,
        'The part of `paid_before` that was paid for the order and for none of its returns. Absent if it is zero.',
      ),
    ),
  },
  { $id: 'RefundBreakdown', description: 'The parts of a refund.' },
);

export const RefundMethod = oneOf('original_payment', 'store_credit', 'gift_card', 'bank_transfer', 'manual');

export const providerRef = optional(about(Reference, "The payment provider's reference for the payment."));

const RefundAttempt = closed(
  {
    status: about(oneOf('submitted', 'succeeded', 'failed', 'unknown'), 'The result of the attempt.'),
    submittedAt: about(Instant, 'When the refund was submitted to the payment provider.'),
    settledAt: optional(about(Instant, 'When the result was known. Absent while the attempt is `submitted`.')),
    providerRef,
    code: optional(about(ProviderCode, "The payment provider's code for a failure.")),
  },
  { $id: 'RefundAttempt', description: 'An attempt to pay a refund through a payment provider.' },
);

const vat = optional(
  about(
    VatParts,
    'The parts of the refund with their net amount and tax, for a credit note. The refunds of a whole order add up to its tax. Payments on top, differences of exchanges and money of no goods have no tax of the order, and are no part. Absent for an order without tax.',
  ),
);

/** A refund at its platform. */
export const ExternalRefund = closed({
  platform: about(Platform, 'The platform that paid the refund.'),
  externalId: about(PlatformId, 'The id of the refund at the platform.'),
});

export const Refund = closed(
  {
    refundId: about(id('rfd'), 'The id of the refund.'),
    order: about(closed(OrderRef), 'The order that the refund belongs to.'),
    external: optional(
      about(
        ExternalRefund,
        'The refund at the platform. Present only if the platform paid it: it was recorded as a fact, or it settled a refund of this service.',
      ),
    ),
    returnId: optional(
      about(id('ret'), 'The return that the refund belongs to. Absent if it belongs to the order alone.'),
    ),
    method: about(RefundMethod, 'How the customer gets the money.'),
    amount: about(PositiveMoney, 'The amount that the customer gets, after deductions.'),
    tenders: optional(
      about(
        list(
          closed({
            paymentId: about(PlatformId, 'The id of the payment of the order.'),
            method: about(text(100), 'The method of the payment, as the platform names it.'),
            amount: about(Money, 'The part of the refund that goes back by this payment.'),
          }),
        ),
        'The payments of the order that the refund goes back by, in proportion to what each has left. Present for `original_payment` if the order states `paymentsComplete`.',
      ),
    ),
    vat,
    returnLines: about(
      list(
        closed({
          lineId,
          quantity: about(Count, 'Units of the line that the refund pays for.'),
          gross,
        }),
      ),
      'The amounts for lines of the return, before deductions.',
    ),
    breakdown: about(Breakdown, 'The parts of the refund.'),
    status: about(
      oneOf('pending', 'submitted', 'succeeded', 'failed', 'unknown', 'reversed', 'cancelled'),
      'The status of the payment. A refund that was paid outside the service has `succeeded`.',
    ),
    providerRef,
    attempts: about(
      list(RefundAttempt),
      'The attempts to pay the refund, the oldest first. Empty if it was paid outside the service.',
    ),
    occurredAt: optional(about(Instant, 'When the money moved. Absent until the refund succeeds.')),
    recordedAt: about(Instant, 'When the service booked or recorded the refund.'),
    discrepancies: about(
      list(Discrepancy),
      'How a refund that was paid outside the service exceeds the order, the return or the amount paid.',
    ),
  },
  { $id: 'Refund', description: 'Money that goes back to the customer.' },
);
