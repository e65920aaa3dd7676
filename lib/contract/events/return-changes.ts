import Type from 'typebox';
import { ShopExchanges } from '../returns/exchange.ts';
import { Discrepancy } from '../returns/refund.ts';
import { Basis, InitiatedBy, ManagedBy } from '../returns/new-return.ts';
import { Amounts, Eligibility, Reason, Resolution } from '../returns/return-line.ts';
import {
  about,
  ActorUser,
  closed,
  Count,
  ExternalRef,
  id,
  Instant,
  Metadata,
  oneOf,
  OrderRef,
  orNull,
  PlatformId,
  Quantity,
  ReasonCode,
  RmaNumber,
  text,
} from '../scalars.ts';
import {
  Adjustment,
  change,
  changedFacts,
  DecisionSummary,
  lineId,
  marker,
  Renewed,
  unitsOf,
} from './change-fields.ts';

const { Optional: optional, Array: list } = Type;

const SettledLine = closed({
  lineId,
  approved: about(Count, 'Approved units of the line.'),
  rejected: about(Count, 'Rejected units of the line.'),
  returnless: optional(about(Count, 'Approved units that stay with the customer. Absent means none.')),
});

const settledLines = about(list(SettledLine), 'The lines with their decided units.');

const adjustedLines = about(list(Adjustment), 'The lines whose quantities changed, with the differences.');

const RequestedLine = closed({
  lineId,
  orderLineId: about(PlatformId, 'The id of the order line at its platform.'),
  sku: optional(about(text(200), 'The SKU of the order line.')),
  quantity: about(Quantity, 'Units of the line to return.'),
  reason: about(Reason, 'The reason for the return of the line, without personal texts.'),
  condition: optional(about(text(100), 'The condition of the units, as the customer stated it.')),
  evidenceRequired: optional(about(Type.Boolean(), 'True when the line needs evidence before its approval.')),
  resolution: about(Resolution, 'The result that the customer asks for.'),
  eligibility: optional(about(Eligibility, 'Set when a policy does not simply allow the line.')),
  amounts: about(Amounts, 'The amounts of the line.'),
});

const requested = change('Emitted when a return is created.', {
  returnId: about(id('ret'), 'The id of the return.'),
  rmaNumber: about(RmaNumber, 'The RMA number of the return.'),
  order: about(
    closed({ ...OrderRef, number: optional(about(text(100), 'The number of the order that the shop shows.')) }),
    'The order whose units are returned.',
  ),
  managedBy: about(ManagedBy, 'The system that decides on the return.'),
  externalRefs: about(list(ExternalRef), 'The ids of the return at platforms.'),
  channel: optional(about(text(100), 'The sales channel of the return, as the shop names it.')),
  initiatedBy: about(InitiatedBy, 'Who asks for the return.'),
  basis: optional(about(Basis, 'The legal or commercial basis of the return.')),
  isGift: about(Type.Boolean(), 'Whether the units were a gift.'),
  tags: about(list(text(100)), 'The tags of the return.'),
  metadata: about(Metadata, 'The metadata of the return, by name.'),
  lines: about(list(RequestedLine), 'The lines of the return.'),
  judgement: optional(about(DecisionSummary, 'The policy decision on the request. Absent when no policy applies.')),
});

/** The changes of a return between its request and its end, by event type. */
export const returnChanges = {
  'return.requested': requested,
  'return.approved': change('Emitted when a return is approved.', {
    lines: settledLines,
    overrides: optional(
      about(list(closed({ lineId })), 'The approved lines that do not qualify. Absent when all lines qualify.'),
    ),
  }),
  'return.amended': change('Emitted when units are added to a return after its request.', {
    lines: about(
      list(
        closed({
          ...RequestedLine.properties,
          approved: optional(
            about(Count, 'Approved units of the line. Absent when the return waits for its decision.'),
          ),
          returnless: optional(about(Count, 'Approved units that stay with the customer. Absent means none.')),
        }),
      ),
      'The added lines.',
    ),
    raised: about(
      list(
        closed({
          ...unitsOf('Units that the line has in addition.'),
          eligibility: optional(about(Eligibility, 'Set when a policy does not simply allow the line.')),
        }),
      ),
      'The undecided lines that have more units now.',
    ),
    unexpected: about(
      list(
        closed({
          id: about(id('unx'), 'The id of the unexpected item.'),
          ...unitsOf('Units of the item that are units of the line now.'),
        }),
      ),
      'The unexpected items that are units of lines now.',
    ),
    judgement: optional(
      about(DecisionSummary, 'The policy decision on the added units. Absent when no policy applies.'),
    ),
    overrides: optional(
      about(list(closed({ lineId })), 'The added lines that do not qualify. Absent when all lines qualify.'),
    ),
  }),
  'return.rejected': change('Emitted when a return is rejected.', {
    rejection: about(
      closed({ code: about(ReasonCode, 'The code of the reason.') }),
      'The reason for the rejection, without its note.',
    ),
    lines: settledLines,
  }),
  'return.info_requested': change(
    'Emitted when the customer is asked for information. The event does not contain the question.',
    {},
  ),
  'return.info_provided': change(
    'Emitted when the customer has answered a question. The event does not contain the answer.',
    {},
  ),
  'return.completed': change('Emitted when a return is completed.', {
    waiver: optional(marker('Present when the return is completed although money is owed.')),
  }),
  'return.cancelled': change('Emitted when units of a return are cancelled. The return itself may continue.', {
    cancellation: about(
      closed({ code: optional(about(ReasonCode, 'The code of the reason. Absent when none was given.')) }),
      'The reason for the cancellation, without its note.',
    ),
    lines: about(
      list(closed(unitsOf('Units of the line that this cancellation took.'))),
      'The lines with their units.',
    ),
  }),
  'return.expired': change(
    'Emitted when a return expires. Outstanding units become missing, and undecided units become rejected.',
    { lines: adjustedLines },
  ),
  'return.reopened': change('Emitted when a closed return is reopened.', {
    reopening: marker('The reason for the reopening.'),
    status: about(
      oneOf('requested', 'approved'),
      'The status in which the return continues. `requested` means that it needs a decision.',
    ),
    lines: adjustedLines,
    renewed: optional(about(Renewed, 'The new policy decision. Absent when no policy decided again.')),
  }),
  'return.corrected': change('Emitted when recorded quantities of goods are corrected.', {
    correction: marker('The reason for the correction.'),
    lines: adjustedLines,
    status: optional(
      about(oneOf('approved'), 'Set when the correction reopened a return that had ended. It continues as approved.'),
    ),
  }),
  'return.updated': change('Emitted when tags, metadata, external references or exchanges at the shop change.', {
    tags: optional(about(list(text(100)), 'All tags after the change. Absent when they are unchanged.')),
    metadata: optional(about(Metadata, 'All metadata after the change. Absent when it is unchanged.')),
    externalRefs: optional(
      about(list(ExternalRef), 'All external references after the change. Absent when they are unchanged.'),
    ),
    shopExchanges: optional(
      about(ShopExchanges, 'All exchanges at the shop after the change. Absent when they are unchanged.'),
    ),
  }),
  'return.refreshed': change(
    'Emitted when new facts of the order change a return: the goods of a withdrawal arrived after its declaration, or the payments of the order changed.',
    {
      sendBy: optional(
        about(Instant, 'The customer must send the goods before this time. Absent when the time is unchanged.'),
      ),
    },
  ),
  'decision.renewed': change('Emitted when a policy decides a return again because facts changed.', {
    ...Renewed.properties,
    changed: changedFacts,
  }),
};

/** The changes that add something to a return and leave its status as it is, by event type. */
export const annotationChanges = {
  'return.assigned': change('Emitted when a return gets another assignee, or loses it.', {
    assignee: about(orNull(ActorUser), 'The user who is responsible now, without the name. `null` means no user.'),
  }),
  'note.added': change('Emitted when a note is added to a return. The event does not contain the note.', {}),
  'attachment.added': change(
    'Emitted when an attachment is added to a return. The event does not contain the attachment.',
    {},
  ),
  'discrepancy.found': change('Emitted when a recorded fact or an override conflicts with a rule.', {
    discrepancies: about(list(Discrepancy), 'The new discrepancies.'),
  }),
};
