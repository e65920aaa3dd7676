import Type from 'typebox';
import { LineUnits } from './goods.ts';
import { FeeType, RefundMethod } from './refund.ts';
import {
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

/** What is kept of the money for the goods: `amount` in all, of which refunds `applied` and somebody `waived` a part. */
export const Fee = closed(
  { type: FeeType, amount: MoneySum, applied: MoneySum, waived: MoneySum, reason: optional(ReasonCode) },
  { $id: 'Fee' },
);

const RecoveredLine = closed({
  lineId: id('rln'),
  orderLineId: PlatformId,
  quantity: Quantity,
  gross: MoneySum,
  tax: MoneySum,
});

/**
 * Money that the customer gave back, or that nobody asks for any more. Units of its `lines` are refunded no more: when they
 * come after all, they are to be paid. `fees` are taken with it or, below zero, given up with goods that did not come.
 */
export const Recovery = closed(
  {
    id: id('rcv'),
    type: oneOf('recovered', 'written_off'),
    amount: MoneySum,
    lines: list(RecoveredLine),
    fees: list(closed({ type: FeeType, amount: SignedMoney })),
    reference: optional(Reference),
    reason: optional(ReasonCode),
    at: Instant,
  },
  { $id: 'Recovery' },
);

/** A refund to book. None given: all units that may be refunded now, the shipping by the terms, the usual method. */
export const RefundOrder = closed(
  {
    lines: optional(Lines),
    shipping: optional(Money),
    charges: optional(Money),
    method: optional(RefundMethod),
    quoteHash: optional(QuoteHash),
  },
  { $id: 'RefundOrder' },
);

export const RefundOfReturnPath = closed({ returnId: id('ret'), refundId: id('rfd') });

/** What became of a refund: `code` is the provider's word for a failure. */
export const RefundResult = closed(
  {
    status: oneOf('submitted', 'succeeded', 'failed', 'unknown', 'reversed', 'cancelled'),
    providerRef: optional(Reference),
    code: optional(ProviderCode),
    occurredAt: optional(Instant),
    ...observable,
  },
  { $id: 'RefundResult' },
);

export const FeePath = closed({ returnId: id('ret'), type: FeeType });

/** Why a fee is given up. */
export const FeeWaiver = closed({ reason: ReasonCode }, { $id: 'FeeWaiver' });

/** Money that the customer gave back, and what it is known by where it was paid. */
export const RecoveryFacts = closed(
  { amount: PositiveMoney, reference: optional(Reference) },
  { $id: 'RecoveryFacts' },
);

/** Why nobody asks for the money any more. */
export const WriteOff = closed({ reason: ReasonCode }, { $id: 'WriteOff' });
