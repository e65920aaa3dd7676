import Type from 'typebox';
import { floorOverridable } from './commands.ts';
import { Bps, Disposition, InspectionOutcome, LineUnits, MissingCause, ParcelStatus } from './goods.ts';
import { closed, id, observable, oneOf, orNull, Quantity, ReasonCode, text, Url } from '../scalars.ts';

const { Optional: optional, Array: list } = Type;

const contents = list(LineUnits, { minItems: 1, maxItems: 200 });

/**
 * A parcel. Inbound until the return is inspected, outbound from then on; without contents it holds all outstanding
 * units that are in no other parcel, or all refused ones.
 */
export const NewParcel = closed(
  {
    direction: optional(oneOf('inbound', 'outbound')),
    carrier: optional(text(100)),
    trackingNumber: optional(text(100)),
    trackingUrl: optional(Url),
    labelUrl: optional(Url),
    status: optional(oneOf('label_created', 'in_transit', 'delivered', 'exception')),
    contents: optional(contents),
    ...observable,
  },
  { $id: 'NewParcel' },
);

/**
 * A merge patch (RFC 7396) of a parcel: what is left out stays, `null` empties, contents are replaced as a whole. One
 * that is delivered, lost or cancelled keeps its status and its contents; only what was lost may still be delivered.
 */
export const ParcelPatch = closed(
  {
    carrier: optional(orNull(text(100))),
    trackingNumber: optional(orNull(text(100))),
    trackingUrl: optional(orNull(Url)),
    labelUrl: optional(orNull(Url)),
    status: optional(ParcelStatus),
    contents: optional(contents),
    ...observable,
  },
  { $id: 'ParcelPatch', minProperties: 1 },
);

export const ParcelPath = closed({ returnId: id('ret'), parcelId: id('pcl') });

/**
 * What came: units of lines, and what belongs to none. A parcel without either came as it was packed. Units that the
 * return does not take become unexpected items.
 */
export const Receipt = closed(
  {
    parcelId: optional(id('pcl')),
    lines: optional(list(LineUnits, { minItems: 1, maxItems: 200 })),
    unexpected: optional(
      list(closed({ sku: optional(text(200)), quantity: Quantity, note: optional(text(4000)) }), {
        minItems: 1,
        maxItems: 100,
      }),
    ),
    ...observable,
  },
  { $id: 'Receipt', minProperties: 1 },
);

/** Units that do not come any more, and why; none given: all that are outstanding. */
export const ReceiptClosing = closed(
  {
    cause: optional(MissingCause),
    lines: optional(
      list(closed({ lineId: id('rln'), quantity: Quantity, cause: optional(MissingCause) }), {
        minItems: 1,
        maxItems: 200,
      }),
    ),
    ...observable,
  },
  { $id: 'ReceiptClosing' },
);

const Finding = closed({
  lineId: id('rln'),
  quantity: Quantity,
  outcome: InspectionOutcome,
  disposition: optional(Disposition),
  grade: optional(text(50)),
  deductionBps: optional(Bps),
  note: optional(text(4000)),
});

/**
 * What somebody found: units of lines, a line as often as it needs, and unexpected items. Accepted units are restocked
 * unless it says otherwise; of refused ones it must say what becomes of them. `deductionBps` is of accepted units only.
 */
export const InspectionReport = closed(
  {
    lines: optional(list(Finding, { minItems: 1, maxItems: 100 })),
    unexpected: optional(
      list(closed({ id: id('unx'), disposition: Disposition, note: optional(text(4000)) }), {
        minItems: 1,
        maxItems: 100,
      }),
    ),
    ...floorOverridable,
    ...observable,
  },
  { $id: 'InspectionReport', minProperties: 1 },
);

/** Missing or refused units that are honoured all the same, and why. */
export const Grant = closed(
  {
    lines: list(closed({ lineId: id('rln'), quantity: Quantity, of: oneOf('missing', 'refused') }), {
      minItems: 1,
      maxItems: 400,
    }),
    reason: ReasonCode,
    ...observable,
  },
  { $id: 'Grant' },
);
