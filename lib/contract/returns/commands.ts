import Type from 'typebox';
import type { ErrorCode } from '../errors.ts';
import {
  about,
  closed,
  Count,
  ExternalRefs,
  id,
  MetadataPatch,
  observable,
  oneOf,
  orNull,
  Quantity,
  ReasonCode,
  Tags,
  text,
  UserId,
} from '../scalars.ts';
import { ShopExchanges } from './exchange.ts';
import { NewLine } from './return-line.ts';

/** The error codes that every command on a return shares. */
export const commandErrorCodes = [
  'return_not_found',
  'invalid_transition',
  'version_mismatch',
] as const satisfies ErrorCode[];

const { Optional: optional, Array: list } = Type;

const returnLineId = about(id('rln'), 'The id of the line of the return.');

/** Lets an admin go below the statutory floor. The service records the override as a discrepancy. */
export const floorOverridable = {
  floorOverride: optional(
    about(
      closed({ reason: about(ReasonCode, 'Why the law is overridden, as a code.') }),
      'Allows less than the law gives the customer. It needs returns:admin, and is recorded as a discrepancy.',
    ),
  ),
};

/** A reason as free text for staff. */
const Reason = closed({ reason: about(text(4000), 'The reason in words, for staff.') });

export const Approval = closed(
  {
    lines: optional(
      about(
        list(
          closed({
            lineId: returnLineId,
            quantity: about(Count, 'Units of the line to approve. The other units of the line are rejected.'),
            override: optional(about(Reason, 'Approves a line that does not qualify, or that lacks evidence.')),
          }),
          { minItems: 1, maxItems: 200 },
        ),
        'The units to approve of each line. The list needs every line once. Without it, all units are approved.',
      ),
    ),
    ...floorOverridable,
    ...observable,
  },
  { $id: 'Approval', description: 'An approval of a return. Units that it does not approve are rejected.' },
);

const amendment = {
  override: optional(
    about(
      Reason,
      'Adds units that do not qualify, or that lack evidence, to an approved return. It needs returns:admin.',
    ),
  ),
};

export const Amendment = closed(
  {
    add: optional(
      about(
        list(closed({ ...NewLine.properties, ...amendment }), { minItems: 1, maxItems: 200 }),
        'Units of the order to add. Each entry becomes a line.',
      ),
    ),
    raise: optional(
      about(
        list(
          closed({
            lineId: returnLineId,
            quantity: about(Quantity, 'Units to add to those of the line.'),
            ...amendment,
          }),
          { minItems: 1, maxItems: 200 },
        ),
        'More units of lines. Units for a decided line become a new line.',
      ),
    ),
    unexpected: optional(
      about(
        list(
          closed({
            id: about(id('unx'), 'The id of an unexpected item without a disposition.'),
            ...NewLine.properties,
            ...amendment,
          }),
          { minItems: 1, maxItems: 200 },
        ),
        'Unexpected items of the order. Each entry becomes a line.',
      ),
    ),
    ...observable,
  },
  { $id: 'Amendment', minProperties: 1, description: 'Units that join a return after its request.' },
);

/** A rejection as a return shows it. */
export const Rejection = closed(
  {
    code: about(ReasonCode, 'Why the return is rejected, as a code.'),
    note: optional(about(text(4000), 'Why the return is rejected, in words for the customer.')),
  },
  { $id: 'Rejection', description: 'Why a return is rejected: a code, and words for the customer.' },
);

export const RejectionRequest = closed(
  { ...Rejection.properties, ...floorOverridable, ...observable },
  { $id: 'RejectionRequest', description: 'A rejection of a whole return.' },
);

export const Question = closed(
  { message: about(text(4000), 'The question to the customer.') },
  { $id: 'Question', description: 'A question to the customer.' },
);

export const InfoAnswer = closed(
  {
    message: optional(about(text(4000), 'The answer of the customer in words.')),
    evidence: optional(
      about(
        list(id('att'), { minItems: 1, maxItems: 100, uniqueItems: true }),
        'The ids of attachments of the return that belong to the answer.',
      ),
    ),
  },
  { $id: 'InfoAnswer', minProperties: 1, description: 'The answer of the customer: words, attachments, or both.' },
);

export const Completion = closed(
  {
    waive: optional(about(Reason, 'Waives money that the customer is still owed. The reason says why.')),
    ...floorOverridable,
    ...observable,
  },
  { $id: 'Completion', description: 'The end of a return.' },
);

export const Cancellation = closed(
  {
    code: optional(about(ReasonCode, 'Why the units are cancelled, as a code.')),
    note: optional(about(text(4000), 'Why the units are cancelled, in words.')),
    lines: optional(
      about(
        list(closed({ lineId: returnLineId, quantity: about(Quantity, 'Units of the line to cancel.') }), {
          minItems: 1,
          maxItems: 200,
        }),
        'The units to cancel. When absent, all units that have not come back.',
      ),
    ),
    ...observable,
  },
  {
    $id: 'Cancellation',
    description:
      'A cancellation of units that have not come back. Units cancelled before the decision count only as `cancelled`.',
  },
);

export const Reopening = closed(
  { reason: about(text(4000), 'Why the return is reopened, in words.') },
  { $id: 'Reopening', description: 'The reopening of an ended return.' },
);

const Difference = Type.Integer({ minimum: -100_000, maximum: 100_000 });

export const Correction = closed(
  {
    reason: about(text(4000), 'Why the record is wrong, in words.'),
    lines: about(
      list(
        closed(
          {
            lineId: returnLineId,
            received: optional(about(Difference, 'Change of the received units. A negative number takes units back.')),
            missing: optional(
              about(
                Difference,
                'Change of the missing units. A negative number takes units back. Added units have the cause `not_in_parcel`.',
              ),
            ),
            accepted: optional(
              about(
                Difference,
                'Change of the accepted units. A negative number takes units back. Added units are quarantined.',
              ),
            ),
            refused: optional(
              about(
                Difference,
                'Change of the refused units. A negative number takes units back. Added units are quarantined.',
              ),
            ),
          },
          { minProperties: 2 },
        ),
        { minItems: 1, maxItems: 200 },
      ),
      'The differences, each line once.',
    ),
    ...floorOverridable,
  },
  { $id: 'Correction', description: 'Differences between the recorded and the actual quantities of lines.' },
);

export const Assignment = closed(
  {
    userId: about(
      orNull(UserId),
      'The id of the user, as `listUsers` has it, or `me` for the signed-in user of the call. `null` removes the assignee.',
    ),
  },
  { $id: 'Assignment', description: 'The user who is responsible for the work on a return.' },
);

export const NewNote = closed(
  {
    text: about(text(4000), 'The text of the note.'),
    visibility: optional(about(oneOf('internal'), 'Who can read the note. `internal`, the default, is staff only.')),
  },
  { $id: 'NewNote', description: 'A note for staff.' },
);

export const ReturnPatch = closed(
  {
    tags: optional(about(orNull(Tags), 'The new tags. They replace all tags. `null` removes all tags.')),
    metadata: optional(
      about(
        orNull(MetadataPatch),
        'Entries to set. An entry with the value `null` is removed. `null` in place of the object removes all entries.',
      ),
    ),
    externalRefs: optional(
      about(
        orNull(ExternalRefs),
        'The new ids of the return at platforms. They replace all references. `null` removes all references.',
      ),
    ),
    shopExchanges: optional(
      about(
        orNull(ShopExchanges),
        'What the shop gives in exchange by itself. While a price is unknown, no money is due. `null` removes all of it.',
      ),
    ),
  },
  {
    $id: 'ReturnPatch',
    minProperties: 1,
    description: 'A merge patch (RFC 7396) of a return. Absent fields stay as they are, and `null` clears a field.',
  },
);
