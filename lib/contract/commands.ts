import Type from 'typebox';
import {
  closed,
  Count,
  ExternalRefs,
  id,
  MetadataPatch,
  observable,
  orNull,
  Quantity,
  ReasonCode,
  Tags,
  text,
} from './scalars.ts';

const { Optional: optional, Array: list } = Type;

/** Units to approve, for every line of the return; what is left of a line is rejected. None given: all of them. */
export const Approval = closed(
  {
    lines: optional(list(closed({ lineId: id('rln'), quantity: Count }), { minItems: 1, maxItems: 200 })),
    ...observable,
  },
  { $id: 'Approval' },
);

/** Why a return is refused: a code for machines, and words for the customer. */
export const Rejection = closed({ code: ReasonCode, note: optional(text(4000)) }, { $id: 'Rejection' });

/** A rejection, by the service or as a fact. */
export const RejectionRequest = closed({ ...Rejection.properties, ...observable }, { $id: 'RejectionRequest' });

/**
 * Units to cancel of each line named; none given: all that have not come back. A unit that is cancelled before the
 * return was decided counts as approved and as cancelled.
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

/** A merge patch (RFC 7396): what is left out stays, `null` empties. A list is replaced as a whole. */
export const ReturnPatch = closed(
  {
    tags: optional(orNull(Tags)),
    metadata: optional(orNull(MetadataPatch)),
    externalRefs: optional(orNull(ExternalRefs)),
  },
  { $id: 'ReturnPatch', minProperties: 1 },
);
