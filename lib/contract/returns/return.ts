import Type from 'typebox';
import {
  closed,
  Count,
  erasable,
  ExternalRef,
  ExternalRefs,
  id,
  Instant,
  matching,
  Metadata,
  Money,
  MoneySum,
  Observation,
  oneOf,
  OrderRef,
  PlatformId,
  Quantity,
  ReasonCode,
  ReturnActor,
  RmaNumber,
  Tags,
  text,
} from '../scalars.ts';
import { Rejection } from './commands.ts';
import { Evidence } from './evidence.ts';
import { Exchange } from './exchange.ts';
import { Inspection, MissingUnits, Parcel, Unexpected } from './goods.ts';
import { Fee, Recovery } from './money.ts';
import { Discrepancy, Refund } from './refund.ts';

const { Optional: optional, Array: list } = Type;

export const Status = oneOf(
  'requested',
  'info_requested',
  'approved',
  'in_transit',
  'partially_received',
  'received',
  'inspected',
  'completed',
  'rejected',
  'cancelled',
  'expired',
);

export const ManagedBy = oneOf('service', 'platform');
export const InitiatedBy = oneOf('customer', 'agent', 'system', 'marketplace');
export const Basis = oneOf('withdrawal', 'defect', 'warranty', 'wrong_item', 'transit_damage', 'goodwill', 'recall');
export const Resolution = oneOf('refund', 'exchange', 'store_credit', 'repair', 'none');
export const RefundStatus = oneOf(
  'none',
  'due',
  'pending',
  'partially_refunded',
  'refunded',
  'failed',
  'unknown',
  'recovery_due',
);

/** Our word for why a line comes back. */
export const LineReasonCode = Type.String({
  ...matching('^[a-z_]+(\\.[a-z_]+)?$', 'a reason such as fit.too_small'),
  maxLength: 100,
  examples: ['fit.too_small'],
});

const reasonSource = { system: text(100), code: text(200), label: optional(text(500)) };

/** Why a line comes back: our code, the customer's words, and the platform's own word for it. */
export const Reason = closed(
  {
    code: LineReasonCode,
    note: optional(text(4000)),
    source: optional(closed(reasonSource)),
  },
  { $id: 'Reason' },
);

/** The reason of a line of a return, with marks where its note and the platform's text are erased; for readers. */
const ReturnReason = closed(
  { ...Reason.properties, source: optional(closed({ ...reasonSource, ...erasable })), ...erasable },
  { $id: 'ReturnReason' },
);

const NewLine = closed({
  orderLineId: PlatformId,
  quantity: Quantity,
  reason: Reason,
  condition: optional(text(100)),
  resolution: optional(Resolution),
});

/** What a policy decides on: units of an order that was registered before, and who asks to return them. */
const request = {
  order: closed(OrderRef),
  lines: list(NewLine, { minItems: 1, maxItems: 200 }),
  channel: optional(text(100)),
  initiatedBy: optional(InitiatedBy),
  basis: optional(Basis),
  isGift: optional(Type.Boolean()),
};

/** A return that might be asked for. */
export const ProspectiveReturn = closed(request, { $id: 'ProspectiveReturn' });

/** A request to return units of an order that was registered before. */
export const NewReturn = closed(
  {
    ...request,
    managedBy: optional(ManagedBy),
    externalRefs: optional(ExternalRefs),
    tags: optional(Tags),
    metadata: optional(Metadata),
    /** Of a quote of this very request: what it said counts. */
    eligibilityToken: optional(text(4000)),
    /** A return that the platform has made already, with what it has decided. */
    observed: optional(
      closed(
        { ...Observation.properties, status: optional(oneOf('requested', 'approved', 'rejected')) },
        { $id: 'ObservedReturn' },
      ),
    ),
  },
  { $id: 'NewReturn' },
);

/**
 * Units of a line. `cancelled` counts those that were cancelled before the decision too: of the approved ones, requested -
 * rejected - cancelled are left.
 */
const Quantities = closed(
  {
    requested: Count,
    approved: Count,
    rejected: Count,
    cancelled: Count,
    returnless: Count,
    received: Count,
    missing: Count,
    accepted: Count,
    refused: Count,
    granted: Count,
    refunded: Count,
    exchanged: Count,
  },
  { $id: 'Quantities' },
);

/**
 * What the line is worth: `gross` of the units still asked for or approved, as paid, tax included. Until units are
 * granted it is an estimate by what the order's returns were granted so far: rounding is settled by the grants.
 */
export const Amounts = closed(
  { gross: Money, tax: Money, net: Money, maxRefundable: Money, refunded: MoneySum },
  { $id: 'Amounts' },
);

/** What a policy says of a line that it does not simply allow. */
export const Eligibility = closed(
  { verdict: oneOf('ineligible', 'needs_review'), code: text(100) },
  { $id: 'Eligibility' },
);

const Line = closed(
  {
    lineId: id('rln'),
    orderLineId: PlatformId,
    sku: optional(text(200)),
    quantities: Quantities,
    reason: ReturnReason,
    condition: optional(text(100)),
    /** Its reason demands evidence before it is approved. */
    evidenceRequired: optional(Type.Boolean()),
    evidence: optional(list(Evidence)),
    resolution: Resolution,
    eligibility: optional(Eligibility),
    inspections: list(Inspection),
    missing: list(MissingUnits),
    amounts: Amounts,
  },
  { $id: 'ReturnLine' },
);

/**
 * What may be done now: `scope` is the least with which some request succeeds, and `overrides` what that request has to
 * override. For the rest `blockedBy` is the code of what blocks it.
 */
export const AllowedAction = closed(
  {
    action: text(50),
    scope: oneOf('returns:write', 'returns:admin'),
    allowed: Type.Boolean(),
    blockedBy: optional(text(100)),
    overrides: optional(list(text(100))),
  },
  { $id: 'AllowedAction' },
);

/** What a return and its summary in a list both begin with. */
export const returnHead = {
  returnId: id('ret'),
  rmaNumber: RmaNumber,
  status: Status,
  version: Type.Integer({ minimum: 1 }),
  order: closed({ ...OrderRef, number: optional(text(100)) }),
  managedBy: ManagedBy,
  externalRefs: list(ExternalRef),
  channel: optional(text(100)),
  initiatedBy: InitiatedBy,
};

/** A question to the customer, or what came back for an answer; for readers with its words and the ids of attachments. */
const Message = closed(
  {
    id: id('note'),
    direction: oneOf('asked', 'answered'),
    at: Instant,
    text: optional(text(4000)),
    ...erasable,
    evidence: optional(list(id('att'))),
  },
  { $id: 'Message' },
);

/** What somebody who works on the return wrote down. */
const Note = closed(
  {
    id: id('note'),
    at: Instant,
    actor: ReturnActor,
    visibility: oneOf('internal'),
    note: optional(text(4000)),
    ...erasable,
  },
  { $id: 'Note' },
);

const Why = closed({ reason: optional(text(4000)), ...erasable });

/** What a policy decided, and how it was approved: whether lines were that do not qualify, which, and why. */
const Decision = closed(
  {
    decisionId: optional(id('dec')),
    policyVersion: optional(text(100)),
    verdict: optional(oneOf('approved', 'rejected', 'needs_review')),
    /** The facts that are others than the quote was given for. */
    changedSinceQuote: optional(list(oneOf('order', 'customer', 'return', 'lines'))),
    overridden: Type.Boolean(),
    overrides: list(closed({ lineId: id('rln'), ...Why.properties })),
  },
  { $id: 'ReturnDecision' },
);

/** By when the customer sends the goods or answers, and the shop looks at what came and pays. */
const Deadlines = closed(
  {
    shipBy: optional(Instant),
    answerBy: optional(Instant),
    inspectBy: optional(Instant),
    refundDueBy: optional(Instant),
  },
  { $id: 'Deadlines' },
);

/**
 * A return. `customer`, notes and evidence are left out of answers to commands; `allowedActions` of a return as it was. `erased`
 * stands where a text, or the name and the address of the customer, was erased.
 */
export const Return = closed(
  {
    ...returnHead,
    basis: optional(Basis),
    isGift: Type.Boolean(),
    customer: optional(
      closed({
        id: optional(PlatformId),
        email: optional(text(320)),
        name: optional(text(200)),
        segment: optional(text(100)),
        ...erasable,
      }),
    ),
    lines: list(Line),
    parcels: list(Parcel),
    unexpected: list(Unexpected),
    refunds: list(Refund),
    exchanges: list(Exchange),
    fees: list(Fee),
    recoveries: list(Recovery),
    /** What the customer has to give back of what was refunded. */
    recoveryDue: MoneySum,
    refundStatus: RefundStatus,
    evidence: optional(list(Evidence)),
    discrepancies: list(Discrepancy),
    tags: list(text(100)),
    metadata: Metadata,
    allowedActions: optional(list(AllowedAction)),
    requestedAt: Instant,
    rejection: optional(closed({ ...Rejection.properties, ...erasable })),
    /** Why units were cancelled, the last time. */
    cancellation: optional(closed({ code: optional(ReasonCode), note: optional(text(4000)), ...erasable })),
    messages: list(Message),
    notes: list(Note),
    decision: optional(Decision),
    waiver: optional(Why),
    reopening: optional(Why),
    correction: optional(Why),
    deadlines: Deadlines,
    /** The due dates of the refund that were told of: three days before, and once they had passed. */
    refundReminders: optional(closed({ dueSoon: optional(Instant), overdue: optional(Instant) })),
    infoRequestedAt: optional(Instant),
    approvedAt: optional(Instant),
    inTransitAt: optional(Instant),
    partiallyReceivedAt: optional(Instant),
    receivedAt: optional(Instant),
    inspectedAt: optional(Instant),
    completedAt: optional(Instant),
    rejectedAt: optional(Instant),
    cancelledAt: optional(Instant),
    expiredAt: optional(Instant),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { $id: 'Return' },
);

export const ReturnPath = closed({ returnId: id('ret') });

/** The return as it was recorded at that time: without ETag and `allowedActions`. */
export const AsOfQuery = closed({ asOf: optional(Instant) });
