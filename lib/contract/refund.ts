import Type from 'typebox';
import {
  closed,
  Count,
  ExternalRef,
  id,
  Instant,
  Money,
  oneOf,
  OrderRef,
  PathId,
  Platform,
  PlatformId,
  PositiveMoney,
  Quantity,
  text,
} from './scalars.ts';

const { Optional: optional, Array: list } = Type;

/** Something about the shop's own facts that cannot be right, or goes beyond what was agreed. */
export const Discrepancy = closed({ code: text(100), at: Instant, detail: text(1000) }, { $id: 'Discrepancy' });

/** What a refund was for. `other` is what belongs to no line and not to shipping. */
const Breakdown = closed(
  {
    lines: list(closed({ orderLineId: PlatformId, quantity: Quantity, gross: Money, tax: Money })),
    shipping: Money,
    other: Money,
  },
  { $id: 'RefundBreakdown' },
);

const RefundMethod = oneOf('original_payment', 'store_credit', 'gift_card', 'bank_transfer', 'manual');

/** Money that went back to the customer; `returnLines` is what of it was for lines of its return. */
export const Refund = closed(
  {
    id: id('rfd'),
    order: closed(OrderRef),
    external: ExternalRef,
    returnId: optional(id('ret')),
    method: RefundMethod,
    amount: PositiveMoney,
    returnLines: list(closed({ lineId: id('rln'), quantity: Count, gross: Money })),
    breakdown: Breakdown,
    status: oneOf('pending', 'submitted', 'succeeded', 'failed', 'unknown', 'reversed', 'cancelled'),
    providerRef: optional(text(200)),
    occurredAt: Instant,
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
    providerRef: optional(text(200)),
  },
  { $id: 'RefundFacts' },
);
