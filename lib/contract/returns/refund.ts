import Type from 'typebox';
import {
  closed,
  Count,
  id,
  Instant,
  Money,
  oneOf,
  OrderRef,
  PathId,
  Platform,
  PlatformId,
  PositiveMoney,
  ProviderCode,
  Quantity,
  Reference,
  SignedMoney,
  text,
} from '../scalars.ts';

const { Optional: optional, Array: list } = Type;

/** Something about the shop's own facts that cannot be right, or goes beyond what was agreed. */
export const Discrepancy = closed({ code: text(100), at: Instant, detail: text(1000) }, { $id: 'Discrepancy' });

/** What may be kept of the money for the goods. */
export const FeeType = oneOf('inspection', 'restocking', 'return_shipping');
const Deduction = oneOf('inspection', 'restocking', 'return_shipping', 'paid_before');

/**
 * What a refund was for, less `deductions`: fees, and under `paid_before` money that the customer has
 * already: recorded without its lines, or paid for goods that did not come. `assigned` is what of `paid_before` was given for
 * the order and for none of its returns. `charges` is what was paid with the order beside
 * goods and shipping, such as duty. `other` is what belongs to none of these.
 */
const Breakdown = closed(
  {
    lines: list(closed({ orderLineId: PlatformId, quantity: Quantity, gross: Money, tax: Money })),
    deductions: list(closed({ type: Deduction, amount: SignedMoney })),
    shipping: Money,
    charges: optional(Money),
    other: Money,
    assigned: optional(Money),
  },
  { $id: 'RefundBreakdown' },
);

export const RefundMethod = oneOf('original_payment', 'store_credit', 'gift_card', 'bank_transfer', 'manual');

/** One time that a refund was handed to whoever pays it, and what came of it. */
const RefundAttempt = closed(
  {
    status: oneOf('submitted', 'succeeded', 'failed', 'unknown'),
    submittedAt: Instant,
    settledAt: optional(Instant),
    providerRef: optional(Reference),
    code: optional(ProviderCode),
  },
  { $id: 'RefundAttempt' },
);

/**
 * Money that goes back to the customer; `returnLines` is what of it is for lines of its return, before deductions. One
 * that was recorded as a fact has an `external` id; one that was booked here is tried in `attempts`.
 */
export const Refund = closed(
  {
    refundId: id('rfd'),
    order: closed(OrderRef),
    external: optional(closed({ platform: Platform, externalId: PlatformId })),
    returnId: optional(id('ret')),
    method: RefundMethod,
    amount: PositiveMoney,
    returnLines: list(closed({ lineId: id('rln'), quantity: Count, gross: Money })),
    breakdown: Breakdown,
    status: oneOf('pending', 'submitted', 'succeeded', 'failed', 'unknown', 'reversed', 'cancelled'),
    providerRef: optional(Reference),
    attempts: list(RefundAttempt),
    occurredAt: optional(Instant),
    recordedAt: Instant,
    discrepancies: list(Discrepancy),
  },
  { $id: 'Refund' },
);

export const RefundPath = closed({ platform: Platform, orderId: PathId, externalId: PathId });

/**
 * A refund that was paid outside: a fact, never refused for its amount. What goes beyond the order, the return or what
 * was paid is recorded as a discrepancy. A line without `amount` gets its share of what was paid for it, tax inside.
 */
export const RefundFacts = closed(
  {
    amount: PositiveMoney,
    method: optional(RefundMethod),
    occurredAt: Instant,
    returnId: optional(id('ret')),
    lines: optional(
      list(closed({ orderLineId: PlatformId, quantity: Quantity, amount: optional(Money), tax: optional(Money) }), {
        minItems: 1,
        maxItems: 500,
      }),
    ),
    shipping: optional(Money),
    charges: optional(Money),
    providerRef: optional(Reference),
  },
  { $id: 'RefundFacts' },
);
