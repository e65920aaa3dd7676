import Type from 'typebox';
import { ProspectiveDecision } from '../decisions/decision.ts';
import { about, closed, id, Instant, Money, MoneySum, oneOf, PositiveMoney, SignedMoney, text } from '../scalars.ts';
import { Lines, QuoteHash } from './money.ts';
import { ProspectiveReturn } from './new-return.ts';

const { Optional: optional, Array: list } = Type;

export const QuoteRequest = closed(
  {
    returnId: optional(about(id('ret'), 'The return to quote a refund of. Send either `returnId` or `request`.')),
    lines: optional(
      about(Lines, 'The units to refund, with `returnId`. When absent, all units that can be refunded now.'),
    ),
    shipping: optional(
      about(Money, 'The shipping to refund, with `returnId`. When absent, the share that the terms of the return set.'),
    ),
    amount: optional(
      about(
        PositiveMoney,
        'A part of the money for the goods, with `returnId`. It excludes `lines`, `shipping` and `charges`.',
      ),
    ),
    charges: optional(
      about(
        Money,
        'The charges to refund, such as duty, with `returnId`. When absent, all charges with the last refund of an order that a law protects, otherwise none.',
      ),
    ),
    request: optional(
      about(ProspectiveReturn, 'A return that is not requested yet. Send either `request` or `returnId`.'),
    ),
  },
  {
    $id: 'QuoteRequest',
    minProperties: 1,
    description: 'The refund to quote: of a return, or of a return that is not requested yet.',
  },
);

const QuoteStep = closed(
  {
    rule: about(
      oneOf(
        'goods',
        'inspection',
        'restocking',
        'return_shipping',
        'promotion',
        'paid_before',
        'exchange',
        'recovered',
        'shipping',
        'charges',
        'partial',
        'unpaid',
      ),
      'What the step adds or subtracts: goods, a fee, money paid before, the difference of exchanges, recovered money that is owed again, shipping or charges. `partial` is a requested part of the money for the goods. `unpaid` is what the customer has not paid yet.',
    ),
    lineId: optional(about(id('rln'), 'The line of the return, for a step of goods.')),
    orderLineId: optional(
      about(text(200), 'The line of the order, for a step of goods of a return that is not requested yet.'),
    ),
    amount: about(
      SignedMoney,
      'The amount of the step. Fees and money paid before are below zero. It is 0 for a fee that the law removes.',
    ),
    removed: optional(
      about(
        closed({
          amount: about(PositiveMoney, 'What the law removes of the fee.'),
          law: about(text(500), 'The laws that protect the return, such as `EU 2011/83`, separated by commas.'),
        }),
        'The fee that the law removes. Absent for any other step.',
      ),
    ),
    detail: about(text(500), 'The step in a sentence for the customer, in the language of the answer.'),
  },
  { $id: 'QuoteStep', description: 'One step of the sum of a quote.' },
);

export const Quote = closed(
  {
    returnId: optional(about(id('ret'), 'The return that was quoted.')),
    steps: about(list(QuoteStep), 'The steps of the sum. They add up to `total`.'),
    total: about(
      MoneySum,
      'The amount of the refund. For a return that is not requested yet: after all returnable units have come back.',
    ),
    hash: optional(
      about(
        QuoteHash,
        'The hash of all facts that the quote depends on. Send it with the refund. Only set for a return.',
      ),
    ),
    blockedBy: optional(
      about(
        text(100),
        'What the money waits for: `inspection_pending`, `units_outstanding` or `refund_timing`. Or why nothing is due: `exchanged_at_shop`, or `invalid_transition` in a status without refunds. Absent when a refund can be booked now.',
      ),
    ),
    decision: optional(
      about(
        ProspectiveDecision,
        'The decision of the policy on a return that is not requested yet. Absent without a policy.',
      ),
    ),
    eligibilityToken: optional(
      about(text(4000), 'Lets createReturn use the same `decision` for the same request until `expiresAt`.'),
    ),
    expiresAt: optional(about(Instant, 'When the `eligibilityToken` expires.')),
  },
  { $id: 'Quote', description: 'The amount of a refund, with each step of the sum.' },
);
