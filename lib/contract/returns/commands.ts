import Type from 'typebox';
import type { ErrorCode } from '../errors.ts';
import {
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
} from '../scalars.ts';

/** The codes that every command on a return may refuse with. */
export const commandErrorCodes = [
  'return_not_found',
  'invalid_transition',
  'version_mismatch',
] as const satisfies ErrorCode[];

const { Optional: optional, Array: list } = Type;

/** Why an admin goes below what the law gives the customer: recorded as a discrepancy. It takes returns:admin. */
export const floorOverridable = { floorOverride: optional(closed({ reason: ReasonCode })) };

/** Why something was done, in words for those who work on returns. */
const Reason = closed({ reason: text(4000) });

/**
 * Units to approve, for every line of the return; what is left of a line is rejected. None given: all of them.
 * `override` says why a line is approved that does not qualify.
 */
export const Approval = closed(
  {
    lines: optional(
      list(closed({ lineId: id('rln'), quantity: Count, override: optional(Reason) }), { minItems: 1, maxItems: 200 }),
    ),
    ...floorOverridable,
    ...observable,
  },
  { $id: 'Approval' },
);

/** Why a return is refused: a code for machines, and words for the customer. */
export const Rejection = closed({ code: ReasonCode, note: optional(text(4000)) }, { $id: 'Rejection' });

/** A rejection, by the service or as a fact. */
export const RejectionRequest = closed(
  { ...Rejection.properties, ...floorOverridable, ...observable },
  { $id: 'RejectionRequest' },
);

/** Something to ask the customer. */
export const Question = closed({ message: text(4000) }, { $id: 'Question' });

/** What came back: words, attachments of the return by their ids, or both. */
export const InfoAnswer = closed(
  {
    message: optional(text(4000)),
    evidence: optional(list(id('att'), { minItems: 1, maxItems: 100, uniqueItems: true })),
  },
  { $id: 'InfoAnswer', minProperties: 1 },
);

/** `waive` says why money that is owed is not paid. */
export const Completion = closed(
  { waive: optional(Reason), ...floorOverridable, ...observable },
  { $id: 'Completion' },
);

/**
 * Units to cancel of each line named; none given: all that have not come back. A unit that is cancelled before the
 * return was decided counts as cancelled alone.
 */
export const Cancellation = closed(
  {
    code: optional(ReasonCode),
    note: optional(text(4000)),
    lines: optional(list(closed({ lineId: id('rln'), quantity: Quantity }), { minItems: 1, maxItems: 200 })),
    ...observable,
  },
  { $id: 'Cancellation' },
);

export const Reopening = closed({ reason: text(4000) }, { $id: 'Reopening' });

const Difference = Type.Integer({ minimum: -100_000, maximum: 100_000 });

/** By how many units what was recorded of lines was wrong: below zero for those that are taken back. */
export const Correction = closed(
  {
    reason: text(4000),
    lines: list(
      closed(
        {
          lineId: id('rln'),
          received: optional(Difference),
          missing: optional(Difference),
          accepted: optional(Difference),
          refused: optional(Difference),
        },
        { minProperties: 2 },
      ),
      { minItems: 1, maxItems: 200 },
    ),
    ...floorOverridable,
  },
  { $id: 'Correction' },
);

/** A note for those who work on the return. */
export const NewNote = closed({ text: text(4000), visibility: optional(oneOf('internal')) }, { $id: 'NewNote' });

/** A merge patch (RFC 7396): what is left out stays, `null` empties. A list is replaced as a whole. */
export const ReturnPatch = closed(
  {
    tags: optional(orNull(Tags)),
    metadata: optional(orNull(MetadataPatch)),
    externalRefs: optional(orNull(ExternalRefs)),
  },
  { $id: 'ReturnPatch', minProperties: 1 },
);
