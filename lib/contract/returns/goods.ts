import Type from 'typebox';
import { closed, Count, erasable, id, Instant, oneOf, Quantity, text, Url } from '../scalars.ts';

const { Optional: optional, Array: list } = Type;

/** Units of a line of the return. */
export const LineUnits = closed({ lineId: id('rln'), quantity: Quantity }, { $id: 'LineUnits' });

export const ParcelStatus = oneOf('label_created', 'in_transit', 'delivered', 'exception', 'lost', 'cancelled');

/** What travels: inbound from the customer, outbound when goods are sent back. `events` are the statuses it has had. */
export const Parcel = closed(
  {
    parcelId: id('pcl'),
    direction: oneOf('inbound', 'outbound'),
    carrier: optional(text(100)),
    trackingNumber: optional(text(100)),
    trackingUrl: optional(Url),
    labelUrl: optional(Url),
    status: ParcelStatus,
    contents: list(LineUnits),
    events: list(closed({ status: ParcelStatus, at: Instant })),
    ...erasable,
  },
  { $id: 'Parcel' },
);

export const Disposition = oneOf(
  'restock',
  'refurbish',
  'repair',
  'return_to_vendor',
  'donate',
  'recycle',
  'destroy',
  'quarantine',
  'return_to_customer',
);

export const InspectionOutcome = oneOf('accept', 'refuse');
export const Bps = Type.Integer({ minimum: 0, maximum: 10_000 });

/**
 * What somebody found who looked at units of a line; `deductionBps` is taken off their worth. `corrected` units that
 * were in it a correction took out.
 */
export const Inspection = closed(
  {
    id: id('ins'),
    quantity: Count,
    corrected: optional(Quantity),
    grade: optional(text(50)),
    outcome: InspectionOutcome,
    disposition: Disposition,
    deductionBps: Bps,
    note: optional(text(4000)),
    ...erasable,
    at: Instant,
  },
  { $id: 'Inspection' },
);

export const MissingCause = oneOf('lost_in_transit', 'not_in_parcel', 'never_sent');

/** Units that did not come, and how many of them are honoured all the same. */
export const MissingUnits = closed(
  { quantity: Quantity, cause: MissingCause, granted: Count },
  { $id: 'MissingUnits' },
);

/** What came and belongs to no line: never money, but it wants a disposition. */
export const Unexpected = closed(
  {
    id: id('unx'),
    parcelId: optional(id('pcl')),
    sku: optional(text(200)),
    quantity: Quantity,
    note: optional(text(4000)),
    ...erasable,
    disposition: optional(Disposition),
  },
  { $id: 'Unexpected' },
);
