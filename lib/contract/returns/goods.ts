import Type from 'typebox';
import { about, closed, Count, erasable, id, Instant, oneOf, Quantity, text, Url } from '../scalars.ts';

const { Optional: optional, Array: list } = Type;

/** The line that a field or an entry of a list belongs to. */
export const lineId = about(id('rln'), 'The id of the line of the return.');

export const LineUnits = closed(
  { lineId, quantity: about(Quantity, 'Units of the line.') },
  { $id: 'LineUnits', description: 'Units of a line of the return.' },
);

export const ParcelStatus = oneOf('label_created', 'in_transit', 'delivered', 'exception', 'lost', 'cancelled');

export const Parcel = closed(
  {
    parcelId: about(id('pcl'), 'The id of the parcel.'),
    direction: about(
      oneOf('inbound', 'outbound'),
      '`inbound`: from the customer to the shop. `outbound`: back to the customer.',
    ),
    carrier: optional(about(text(100), 'The carrier of the parcel.')),
    trackingNumber: optional(about(text(100), 'The tracking number of the carrier. Answers to commands leave it out.')),
    trackingUrl: optional(about(Url, 'The tracking page of the carrier. Answers to commands leave it out.')),
    labelUrl: optional(about(Url, 'The address of the label. Answers to commands leave it out.')),
    status: about(ParcelStatus, 'The status of the parcel.'),
    contents: about(
      list(
        closed({
          ...LineUnits.properties,
          repaired: optional(
            about(
              Quantity,
              'How many of the units go back after a repair. The others of an outbound parcel are refused.',
            ),
          ),
        }),
      ),
      'The units in the parcel. The service removes units that arrived otherwise or were cancelled.',
    ),
    events: about(
      list(
        closed({
          status: about(ParcelStatus, 'The status that the parcel reached.'),
          at: about(Instant, 'When the service recorded the status.'),
        }),
      ),
      'The statuses that the parcel has had, the oldest first.',
    ),
    ...erasable,
  },
  { $id: 'Parcel', description: 'A parcel with goods, from the customer or back to the customer.' },
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

export const Inspection = closed(
  {
    id: about(id('ins'), 'The id of the inspection.'),
    quantity: about(Count, 'Units that the inspection covers, without the units in `corrected`.'),
    corrected: optional(
      about(Quantity, 'Units that a correction removed from the inspection. Absent without such a correction.'),
    ),
    grade: optional(about(text(50), 'The condition of the units as the inspector graded it, such as `A`.')),
    outcome: about(InspectionOutcome, 'Whether the inspector accepted or refused the units.'),
    disposition: about(Disposition, 'What the shop does with the units.'),
    deductionBps: about(Bps, 'The deduction from the worth of accepted units, in basis points (100 is one percent).'),
    note: optional(about(text(4000), 'The note of the inspector. Answers to commands leave it out.')),
    ...erasable,
    at: about(Instant, 'When the service recorded the inspection.'),
  },
  { $id: 'Inspection', description: 'The result of an inspection of units of a line.' },
);

export const MissingCause = oneOf('lost_in_transit', 'not_in_parcel', 'never_sent');

export const MissingUnits = closed(
  {
    quantity: about(Quantity, 'Units that are missing.'),
    cause: about(MissingCause, 'Why the units are missing.'),
    granted: about(Count, 'Units of these that the shop pays for all the same.'),
  },
  { $id: 'MissingUnits', description: 'Units that did not arrive.' },
);

export const Unexpected = closed(
  {
    id: about(id('unx'), 'The id of the item.'),
    parcelId: optional(about(id('pcl'), 'The parcel that the item arrived in. Absent if it is unknown.')),
    sku: optional(about(text(200), 'The SKU of the item. Absent if it is unknown.')),
    quantity: about(Quantity, 'Units of the item.'),
    note: optional(about(text(4000), 'The note of the recipient. Answers to commands leave it out.')),
    ...erasable,
    disposition: optional(about(Disposition, 'What the shop does with the item. Absent until an inspection sets it.')),
  },
  {
    $id: 'Unexpected',
    description: 'A received item that belongs to no line. It is never refunded, and it needs a disposition.',
  },
);
