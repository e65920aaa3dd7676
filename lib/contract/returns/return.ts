import Type from 'typebox';
import {
  about,
  ActorUser,
  closed,
  erasable,
  id,
  Instant,
  Metadata,
  MoneySum,
  oneOf,
  PlatformId,
  ReasonCode,
  ReturnActor,
  text,
} from '../scalars.ts';
import { OrderOrigin } from '../orders/order.ts';
import { Rejection } from './commands.ts';
import { Evidence } from './evidence.ts';
import { Exchange, ShopExchanges } from './exchange.ts';
import { Parcel, Unexpected } from './goods.ts';
import { Fee, Obligation, Recovery } from './money.ts';
import { Discrepancy, Refund } from './refund.ts';
import { basisText, Basis } from './new-return.ts';
import { NextStep, refundStatus, returnHead, returnTimes, tags } from './return-head.ts';
import { Line } from './return-line.ts';

const { Optional: optional, Array: list } = Type;

export const AllowedAction = closed(
  {
    action: about(text(50), 'The operation, such as `approve`.'),
    scope: about(oneOf('returns:write', 'returns:admin'), 'The least scope with which a request succeeds.'),
    allowed: about(Type.Boolean(), 'Whether a request can succeed now.'),
    blockedBy: optional(about(text(100), 'The code of the obstacle. Absent if the action is allowed.')),
    overrides: optional(
      about(list(text(100)), 'The codes of the rules that a request must override. Absent if there are none.'),
    ),
  },
  { $id: 'AllowedAction', description: 'Whether a command on a return can succeed now.' },
);

const Message = closed(
  {
    id: about(id('note'), 'The id of the message.'),
    direction: about(oneOf('asked', 'answered'), '`asked`: a question to the customer. `answered`: the answer.'),
    at: about(Instant, 'When the service recorded the message.'),
    text: optional(about(text(4000), 'The words of the message. Answers to commands leave them out.')),
    ...erasable,
    evidence: optional(
      about(list(id('att')), 'The ids of the attachments of an answer. Answers to commands leave them out.'),
    ),
  },
  { $id: 'Message', description: 'A question to the customer, or the answer.' },
);

const Note = closed(
  {
    id: about(id('note'), 'The id of the note.'),
    at: about(Instant, 'When the note was added.'),
    actor: about(ReturnActor, 'The client that added the note.'),
    visibility: about(oneOf('internal'), '`internal`: the customer does not see the note.'),
    note: optional(about(text(4000), 'The text of the note. Answers to commands leave it out.')),
    ...erasable,
  },
  { $id: 'Note', description: 'A note of a person who works on the return.' },
);

const Why = closed({
  reason: optional(about(text(4000), 'The reason in words. Answers to commands leave it out.')),
  ...erasable,
});

const Decision = closed(
  {
    decisionId: optional(about(id('dec'), 'The id of the policy decision. Absent if no policy decided.')),
    policyVersion: optional(about(text(100), 'The policy version that decided. Absent if no policy decided.')),
    verdict: optional(
      about(
        oneOf('approved', 'rejected', 'needs_review'),
        'The verdict of the policy. `needs_review`: a person decides. Absent if no policy decided.',
      ),
    ),
    changedSinceQuote: optional(
      about(
        list(oneOf('order', 'customer', 'return', 'lines')),
        'The parts of the facts that changed after the quote of the `eligibilityToken`. Absent if none changed.',
      ),
    ),
    overridden: about(Type.Boolean(), 'Whether the approval overrides the policy for a line.'),
    overrides: about(
      list(closed({ lineId: about(id('rln'), 'The line that did not qualify.'), ...Why.properties })),
      'The lines that were approved although they did not qualify.',
    ),
  },
  { $id: 'ReturnDecision', description: 'The decision of a policy on the return, and its approval.' },
);

const Deadlines = closed(
  {
    shipBy: optional(about(Instant, 'When the customer must have sent the goods. Set with the approval.')),
    answerBy: optional(about(Instant, 'When the customer must have answered the last question.')),
    inspectBy: optional(about(Instant, 'When the shop must have inspected the goods. Set with the first receipt.')),
    refundDueBy: optional(
      about(
        Instant,
        'When the shop must have paid. Counted from the request or the first receipt, by the terms. For a withdrawal, its law counts, and may wait for the goods or proof of sending. Absent if no line has money to come, as with the resolutions `none` and `repair`.',
      ),
    ),
  },
  {
    $id: 'Deadlines',
    description:
      'The deadlines of a return. A deadline is absent if the terms set none, or before the event that it counts from.',
  },
);

const personName = {
  email: optional(about(text(320), 'The e-mail address of the customer.')),
  name: optional(about(text(200), 'The name of the customer.')),
};
export const PersonName = closed({ ...personName, ...erasable });

const Customer = closed({
  id: optional(about(PlatformId, 'The id of the customer at the shop.')),
  ...personName,
  segment: optional(about(text(100), 'The customer segment, as the shop names it.')),
  ...erasable,
});

export const Return = closed(
  {
    ...returnHead,
    basis: optional(about(Basis, basisText)),
    withdrawalId: optional(about(id('wdr'), 'The declaration of withdrawal that the return carries out.')),
    origin: optional(
      about(
        OrderOrigin,
        'The order that the order of this return replaces, by an exchange. Only `getReturn` returns it.',
      ),
    ),
    isGift: about(Type.Boolean(), 'Whether the units were a gift.'),
    customer: optional(
      about(Customer, 'The customer of the order. Absent for a gift. Answers to commands leave it out.'),
    ),
    lines: about(list(Line), 'The lines of the return.'),
    parcels: about(list(Parcel), 'The parcels, the oldest first.'),
    unexpected: about(list(Unexpected), 'Received items that belong to no line.'),
    refunds: about(list(Refund), 'The refunds, the oldest first.'),
    exchanges: about(list(Exchange), 'The exchanges, the oldest first.'),
    shopExchanges: optional(
      about(
        ShopExchanges,
        'What the shop gives in exchange by itself. Its price pays for the goods. While a price is unknown, no money is due. Absent if there is nothing.',
      ),
    ),
    fees: about(list(Fee), 'The fees that reduce refunds.'),
    recoveries: about(list(Recovery), 'The recoveries, the oldest first.'),
    obligations: optional(
      about(
        list(Obligation),
        'Who owes whom, and why. The open parts of the shop and of the customer are what each still owes. Only an answer of getReturn has them.',
      ),
    ),
    paymentsLeft: optional(
      about(
        MoneySum,
        'What the payments of the order have left for refunds, of all its returns. Absent unless the order states `paymentsComplete`.',
      ),
    ),
    recoveryDue: about(
      MoneySum,
      'The amount that the customer owes: refunds of goods that are not due, and the unpaid `balance` of exchanges. Zero if there is none.',
    ),
    refundStatus,
    evidence: optional(
      about(list(Evidence), 'The files attached to the whole return. Answers to commands leave them out.'),
    ),
    discrepancies: about(list(Discrepancy), 'The discrepancies of recorded facts, the oldest first.'),
    assignee: optional(
      about(ActorUser, 'The user who is responsible for the work. Absent for none. `listUsers` has the name.'),
    ),
    tags,
    metadata: about(Metadata, "Names and values for the shop's own use."),
    allowedActions: optional(
      about(list(AllowedAction), 'The commands and whether each can succeed now. Absent with `asOf`.'),
    ),
    nextStep: optional(about(NextStep, 'The next step. Absent if nothing is left to do, and with `asOf`.')),
    requestedAt: returnTimes.requestedAt,
    rejection: optional(
      about(closed({ ...Rejection.properties, ...erasable }), 'Why the return was rejected. Absent if it never was.'),
    ),
    cancellation: optional(
      about(
        closed({
          code: optional(about(ReasonCode, 'The code of the reason.')),
          note: optional(about(text(4000), 'The reason in words. Answers to commands leave it out.')),
          ...erasable,
        }),
        'Why units were cancelled, the last time. Absent if none were.',
      ),
    ),
    messages: about(list(Message), 'The questions to the customer and the answers, the oldest first.'),
    notes: about(list(Note), 'The internal notes, the oldest first.'),
    decision: optional(
      about(
        Decision,
        'The decision of a policy and the approval. Absent if no policy decided and nothing was approved.',
      ),
    ),
    waiver: optional(about(Why, 'Why the return was completed although money was owed.')),
    reopening: optional(about(Why, 'Why the return was reopened, the last time.')),
    correction: optional(about(Why, 'Why recorded units were corrected, the last time.')),
    deadlines: about(Deadlines, 'The deadlines of the return.'),
    refundReminders: optional(
      about(
        closed({
          dueSoon: optional(about(Instant, 'The due date that was reported three days before, as `refund.due_soon`.')),
          overdue: optional(about(Instant, 'The due date that was reported after it passed, as `refund.overdue`.')),
        }),
        'The due dates of the refund that reminders reported.',
      ),
    ),
    infoRequestedAt: optional(about(Instant, 'When the customer was last asked a question.')),
    approvedAt: optional(about(Instant, 'When the return last became `approved`.')),
    inTransitAt: optional(about(Instant, 'When the return last became `in_transit`.')),
    partiallyReceivedAt: optional(about(Instant, 'When the return last became `partially_received`.')),
    receivedAt: optional(about(Instant, 'When the return last became `received`.')),
    inspectedAt: optional(about(Instant, 'When the return last became `inspected`.')),
    completedAt: optional(about(Instant, 'When the return last became `completed`.')),
    rejectedAt: optional(about(Instant, 'When the return last became `rejected`.')),
    cancelledAt: optional(about(Instant, 'When the return last became `cancelled`.')),
    expiredAt: optional(about(Instant, 'When the return last became `expired`.')),
    createdAt: returnTimes.createdAt,
    updatedAt: returnTimes.updatedAt,
  },
  {
    $id: 'Return',
    description:
      'A return of units of an order. Answers to commands leave out the customer, free texts and evidence. A field `erased` marks an erased text, or the erased name and address of the customer.',
  },
);

export const ReturnPath = closed({ returnId: id('ret') });

/** A time in the past. The return as it was recorded then has neither an ETag nor `allowedActions`. */
export const AsOfQuery = closed({ asOf: optional(Instant) });
