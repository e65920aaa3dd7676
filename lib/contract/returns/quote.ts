import Type from 'typebox';
import { ProspectiveDecision } from '../decisions/decision.ts';
import { Lines, QuoteHash } from './money.ts';
import { ProspectiveReturn } from './return.ts';
import { closed, id, Instant, Money, MoneySum, oneOf, SignedMoney, text } from '../scalars.ts';

const { Optional: optional, Array: list } = Type;

/**
 * What to work out a refund of: units of a return, all that may be refunded now and the shipping that goes with them where
 * none are named; or of a return that might be asked for.
 */
export const QuoteRequest = closed(
  {
    returnId: optional(id('ret')),
    lines: optional(Lines),
    shipping: optional(Money),
    charges: optional(Money),
    request: optional(ProspectiveReturn),
  },
  { $id: 'QuoteRequest', minProperties: 1 },
);

const QuoteStep = closed(
  {
    rule: oneOf(
      'goods',
      'inspection',
      'restocking',
      'return_shipping',
      'paid_before',
      'recovered',
      'shipping',
      'charges',
    ),
    lineId: optional(id('rln')),
    orderLineId: optional(text(200)),
    amount: SignedMoney,
    /** What the step is, in a sentence for the customer. */
    detail: text(500),
  },
  { $id: 'QuoteStep' },
);

/**
 * What a refund would come to: the steps add up to `total`. Of a return, `hash` is of all that they rest on, and `blockedBy`
 * names what the money waits for: `inspection_pending`, `units_outstanding` or `refund_timing`. Of a return that might be
 * asked for, they are what would be paid once all that may come back has, and `eligibilityToken` lets it be asked for by the
 * same `decision` until `expiresAt`.
 */
export const Quote = closed(
  {
    returnId: optional(id('ret')),
    steps: list(QuoteStep),
    total: MoneySum,
    hash: optional(QuoteHash),
    blockedBy: optional(text(100)),
    decision: optional(ProspectiveDecision),
    eligibilityToken: optional(text(4000)),
    expiresAt: optional(Instant),
  },
  { $id: 'Quote' },
);
