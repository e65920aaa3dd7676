import Type from 'typebox';
import { ProspectiveDecision } from '../decisions/decision.ts';
import { computing, creating, patching, reading } from '../entry.ts';
import { at, customer, entry, eur, line, lineId, note, ref, requested, returnId, summary } from '../example-story.ts';
import { closed, id, Instant, Money, MoneySum, oneOf, PageQuery, SignedMoney, text } from '../scalars.ts';
import { ReturnPatch } from './commands.ts';
import { History, HistoryVerification } from './history.ts';
import { Lines, QuoteHash } from './money.ts';
import { ReturnList, ReturnQuery } from './return-list.ts';
import { AsOfQuery, NewReturn, ProspectiveReturn, Return, ReturnPath } from './return.ts';

const { Optional: optional, Array: list } = Type;

/**
 * What to work out a refund of: units of a return, all that may be refunded now and the shipping that goes with them where
 * none are named; or of a return that might be asked for.
 */
const QuoteRequest = closed(
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
const Quote = closed(
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

/* The operations that create, list, read and change returns. */

export const createReturn = creating({
  path: '/returns',
  scope: 'returns:write',
  summary: 'Request the return of units of a registered order',
  description:
    'Every line must be of the order, and of every line there must be as many units left to return. Of two requests for the last unit one gets it. A reason may demand a note, and allow some resolutions only; what a platform observed is taken however it is, and was requested when the platform says. A withdrawal that a law certainly gives is approved at once where no policy is for the order.',
  body: NewReturn,
  answers: Return,
  refuses: [
    'order_not_found',
    'order_line_not_found',
    'duplicate_return',
    'quantity_exceeds_returnable',
    'reason_unknown',
    'quote_stale',
    'resolution_not_allowed',
  ],
  example: {
    body: { order: ref, lines: [{ orderLineId: '1', quantity: 1, reason: { code: 'fit.too_small', note } }] },
    output: requested,
  },
});

export const listReturns = reading({
  path: '/returns',
  scope: 'returns:read',
  summary: 'List returns, the newest, the last changed or the last fallen due first',
  description:
    'Filters narrow together, and `orderId` needs `platform`. Eventually consistent: a page may be short, or empty, and still have a next one. Whatever changes meanwhile, a walk by `createdAt` shows each return once that has the same `status` throughout, and all that were there when it began. A walk by `updatedAt` shows no return twice, and each that does not change meanwhile; one that changes before the walk comes to it moves ahead of it, and is found by `updatedFrom` with the time at which the walk began. A walk by `dueAt` shows each return once whose deadline stays.',
  query: ReturnQuery,
  answers: ReturnList,
  refuses: ['invalid_cursor'],
  example: { output: { items: [summary], nextCursor: null } },
});

export const getReturn = reading({
  path: '/returns/{returnId}',
  scope: 'returns:read',
  summary: 'Read a return',
  description:
    'The return as it is now, with the customer and all notes. `"erased": true` stands where a text, or the name and the address of the customer, was erased.',
  params: ReturnPath,
  query: AsOfQuery,
  answers: Return,
  refuses: ['return_not_found'],
  example: { output: { ...requested, customer, lines: [{ ...line, reason: { ...line.reason, note } }] } },
});

export const updateReturn = patching({
  path: '/returns/{returnId}',
  scope: 'returns:write',
  summary: 'Change tags, metadata and external references of a return (RFC 7396)',
  description:
    'A merge patch (RFC 7396): what is left out stays, `null` empties, a list is replaced as a whole. If-Match must be the ETag last seen.',
  params: ReturnPath,
  body: ReturnPatch,
  answers: Return,
  refuses: ['return_not_found', 'duplicate_return', 'version_mismatch', 'precondition_required'],
  example: {
    body: { tags: ['vip'], metadata: { ticket: '7' } },
    output: { ...requested, version: 2, tags: ['vip'], metadata: { ticket: '7' }, updatedAt: at.decided },
  },
});

export const getHistory = reading({
  path: '/returns/{returnId}/history',
  scope: 'returns:read',
  summary: 'Read the history of a return, oldest entry first',
  description:
    'Each entry is chained to the one before by its hash. `data` is as it was recorded, since the hash covers it: the own id of a return, a line or a parcel is `id` there. Free text stands in it as a salted digest. `actor.onBehalfOf` is whom the client acted for, until it is erased. A renewed decision stands in `renewed` of `return.reopened`, and in `decision.renewed` with the parts of the facts that have `changed`.',
  params: ReturnPath,
  query: PageQuery,
  answers: History,
  refuses: ['return_not_found', 'invalid_cursor'],
  example: { output: { items: [entry], nextCursor: null } },
});

export const verifyHistory = reading({
  path: '/returns/{returnId}/history/verification',
  scope: 'returns:read',
  summary: 'Verify the history of a return from its first entry to the return as it is',
  description:
    'Checks that no entry is missing, that each has its hash and the hash of the one before, and that all together make the return as it is stored. Answers 200 either way; what is broken first is `firstFault`.',
  params: ReturnPath,
  answers: HistoryVerification,
  refuses: ['return_not_found'],
  example: { output: { returnId, entries: 2, valid: true, head: entry.hash } },
});

export const quoteReturn = computing({
  path: '/quotes',
  scope: 'returns:read',
  summary: 'Work out what a refund would come to, of a return or of one that might be asked for',
  description:
    'Stores nothing. With `returnId`: `blockedBy` names what the money waits for, such as `inspection_pending`. A refund that is sent with the `hash` is refused once anything has changed that it rests on. With `request`: what the policy would decide and what would be paid if all that it allows came back; createReturn honours the `eligibilityToken` for 15 minutes. The `detail` of a step and the `explanation` are texts for the customer, in the language of Accept-Language.',
  body: QuoteRequest,
  answers: Quote,
  localized: true,
  refuses: [
    'order_not_found',
    'order_line_not_found',
    'reason_unknown',
    'quantity_exceeds_returnable',
    'return_not_found',
    'return_line_not_found',
    'inspection_pending',
    'refund_exceeds_ceiling',
    'shipping_refund_exceeds_paid',
    'currency_mismatch',
  ],
  example: {
    body: { returnId },
    output: {
      returnId,
      steps: [
        { rule: 'goods', lineId, amount: eur(1999), detail: '1 of 2 units as paid, discount and tax inside' },
        { rule: 'shipping', amount: eur(0), detail: 'the share by none' },
      ],
      total: eur(1999),
      hash: entry.hash,
    },
  },
});
