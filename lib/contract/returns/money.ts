import Type from 'typebox';
import { lineId, LineUnits } from './goods.ts';
import { FeeType, RefundMethod } from './refund.ts';
import { VatParts } from './vat-parts.ts';
import {
  about,
  closed,
  id,
  Instant,
  Money,
  MoneySum,
  observable,
  oneOf,
  PlatformId,
  PositiveMoney,
  ProviderCode,
  Quantity,
  ReasonCode,
  Reference,
  Sha256Hex,
  SignedMoney,
} from '../scalars.ts';

const { Optional: optional, Array: list } = Type;

export const QuoteHash = Sha256Hex;
export const Lines = list(LineUnits, { minItems: 1, maxItems: 200 });

export const Fee = closed(
  {
    type: about(FeeType, 'The type of the fee. A return has each type once.'),
    amount: about(
      SignedMoney,
      'The whole fee. Below zero, it pays back the discount of a promotion that earlier refunds took too much.',
    ),
    applied: about(SignedMoney, 'The part that refunds and recoveries have taken.'),
    waived: about(MoneySum, 'The part that the shop has waived.'),
    reason: optional(about(ReasonCode, 'Why the fee was waived. Absent if it was not waived.')),
  },
  { $id: 'Fee', description: 'A fee that refunds subtract from the money for the goods.' },
);

/** Who owes whom in a return, and why. */
export const Obligation = closed(
  {
    cause: about(
      oneOf('goods', 'exchange', 'overpayment', 'price_reduction', 'return_postage', 'compensation', 'bonus'),
      '`goods`: the goods, less fees. `exchange`: the difference of an exchange. `overpayment`: money for goods that are not due. The others are what the shop agreed to pay by compensate.',
    ),
    debtor: about(oneOf('shop', 'customer'), 'Who owes the amount.'),
    amount: about(MoneySum, 'The whole amount, with all units that may still come.'),
    booked: about(MoneySum, 'The part that refunds without a result cover.'),
    settled: about(MoneySum, 'The part that is paid, waived, written off or set off. The rest is open.'),
    due: about(MoneySum, 'The open part that must be paid now. The rest may fall due when goods come.'),
    dueBy: optional(about(Instant, 'When the shop must have paid what is due. Absent if no deadline is set.')),
    exchangeId: optional(about(id('exc'), 'The exchange, for its difference.')),
    refundId: optional(about(id('rfd'), 'The refund that pays what the shop agreed to.')),
  },
  { $id: 'Obligation', description: 'What the shop or the customer owes in a return.' },
);

const RecoveredLine = closed({
  lineId,
  orderLineId: about(PlatformId, 'The id of the order line at the platform.'),
  quantity: about(Quantity, 'Units of the line that no longer count as refunded.'),
  gross: about(MoneySum, 'The amount for the units, tax included.'),
  tax: about(MoneySum, 'The tax included in `gross`.'),
});

export const Recovery = closed(
  {
    id: about(id('rcv'), 'The id of the recovery.'),
    type: about(
      oneOf('recovered', 'written_off'),
      '`recovered`: the customer gave the money back. `written_off`: the shop no longer asks for it.',
    ),
    amount: about(MoneySum, 'The amount that was recovered or written off.'),
    lines: about(
      list(RecoveredLine),
      'The units whose refund the recovery undoes. If they arrive later, a refund pays for them again.',
    ),
    fees: about(
      list(
        closed({
          type: about(FeeType, 'The type of the fee.'),
          amount: about(
            SignedMoney,
            'The fee that the recovery takes. Below zero, it gives up a fee for goods that did not arrive.',
          ),
        }),
      ),
      'The fees that the recovery changes.',
    ),
    exchange: optional(
      about(
        SignedMoney,
        'The differences of exchanges in the recovery. Below zero, the customer paid them, or the shop wrote them off. Above zero, they reduce what the customer gives back. Absent if it is zero.',
      ),
    ),
    vat: optional(
      about(VatParts, 'The goods that the recovery takes back, with their tax. Absent for an order without tax.'),
    ),
    reference: optional(about(Reference, "The payment, by the shop's or the provider's reference.")),
    reason: optional(about(ReasonCode, 'Why the amount was written off. Present only with `written_off`.')),
    at: about(Instant, 'When the service recorded the recovery.'),
  },
  { $id: 'Recovery', description: 'Money that the customer paid or gave back, or that the shop wrote off.' },
);

const providerRef = about(Reference, "The payment provider's reference for the payment.");
const providerCode = about(ProviderCode, "The payment provider's code for a failure.");

/** The result of a payment that the caller made before it booked the refund. */
export const BookedResult = closed(
  {
    status: about(oneOf('succeeded', 'failed'), '`succeeded`: you have paid. `failed`: the payment failed.'),
    providerRef: optional(
      about(Reference, "The payment provider's reference for the payment. Required with `succeeded`."),
    ),
    code: optional(providerCode),
    occurredAt: optional(about(Instant, 'When the payment reached the status. The default is now.')),
  },
  { $id: 'BookedRefundResult', description: 'The result of a payment that you made before you booked the refund.' },
);

export const RefundOrder = closed(
  {
    lines: optional(about(Lines, 'The units to refund. The default is what the terms pay now.')),
    shipping: optional(about(Money, 'The amount to refund for shipping. By default the terms of the return decide.')),
    charges: optional(
      about(
        Money,
        'The amount to refund for other charges, such as duty. ' +
          'By default, charges go back only with the last units of the whole order, where a law protects it.',
      ),
    ),
    amount: optional(
      about(
        PositiveMoney,
        'A part of the money for the goods, without `lines`, `shipping` and `charges`, such as a deposit. The next refund subtracts it.',
      ),
    ),
    paymentOverride: optional(
      about(
        closed({ reason: about(ReasonCode, 'Why the shop refunds more than was paid.') }),
        'Lets the refund exceed the payments of the order, with a discrepancy. It needs returns:admin.',
      ),
    ),
    method: optional(
      about(
        RefundMethod,
        'How the customer gets the money. The default is `original_payment`. A gift allows only `store_credit`, its default, and `gift_card`.',
      ),
    ),
    quoteHash: optional(
      about(
        QuoteHash,
        'The `hash` of the quote that the refund must match. If a fact has changed since the quote, the error is `quote_stale`.',
      ),
    ),
    result: optional(
      about(
        BookedResult,
        'The result of the payment, if you have paid already. Without it the refund is `pending`, and you report the result later.',
      ),
    ),
  },
  { $id: 'RefundOrder', description: 'A refund to book. Every field has a default.' },
);

export const Compensation = closed(
  {
    type: about(
      oneOf('price_reduction', 'return_postage', 'compensation', 'bonus'),
      '`price_reduction` is a part of the price of units that the customer keeps. The others are on top of what was paid.',
    ),
    amount: about(PositiveMoney, 'The amount that the customer gets.'),
    lineId: optional(about(id('rln'), 'The line with the reduced units, for `price_reduction` alone.')),
    quantity: optional(about(Quantity, 'The reduced units. The default is all units of the line.')),
    reason: about(ReasonCode, 'Why the shop pays it.'),
    method: optional(
      about(
        RefundMethod,
        'How the customer gets the money. The default is `original_payment`, and credit for a bonus or the price of a gift.',
      ),
    ),
    result: optional(
      about(
        BookedResult,
        'The result of the payment, if you have paid already. Without it the refund is `pending`, and you report the result later.',
      ),
    ),
  },
  { $id: 'Compensation', description: 'A payment to the customer that is no refund of units.' },
);

export const RefundOfReturnPath = closed({ returnId: id('ret'), refundId: id('rfd') });

export const RefundResult = closed(
  {
    status: about(
      oneOf('submitted', 'succeeded', 'failed', 'unknown', 'reversed', 'cancelled'),
      'The new status of the refund.',
    ),
    providerRef: optional(providerRef),
    code: optional(providerCode),
    occurredAt: optional(
      about(Instant, 'When the payment reached the status. The default is the time of the observation, else now.'),
    ),
    ...observable,
  },
  { $id: 'RefundResult', description: 'The result of a payment, as the payer reports it.' },
);

export const FeePath = closed({ returnId: id('ret'), type: FeeType });

export const FeeWaiver = closed(
  { reason: about(ReasonCode, 'Why the shop waives the fee.') },
  { $id: 'FeeWaiver', description: 'The reason for waiving a fee.' },
);

export const RecoveryFacts = closed(
  {
    amount: about(PositiveMoney, 'The amount that the customer gave back.'),
    reference: optional(about(Reference, "The payment, by the shop's or the provider's reference.")),
  },
  { $id: 'RecoveryFacts', description: 'Money that the customer gave back.' },
);

export const WriteOff = closed(
  { reason: about(ReasonCode, 'Why the shop no longer asks for the money.') },
  { $id: 'WriteOff', description: 'The reason for writing off a recovery.' },
);
