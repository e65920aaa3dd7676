import Type from 'typebox';
import { floorOverridable } from './commands.ts';
import { BookedResult } from './money.ts';
import { RefundMethod } from './refund.ts';
import { Bps, Disposition, InspectionOutcome, LineUnits, MissingCause, ParcelStatus } from './goods.ts';
import {
  about,
  closed,
  id,
  observable,
  oneOf,
  orNull,
  PositiveMoney,
  Quantity,
  ReasonCode,
  text,
  Url,
} from '../scalars.ts';

const { Optional: optional, Array: list } = Type;

const returnLineId = about(id('rln'), 'The id of the line of the return.');
const contents = list(LineUnits, { minItems: 1, maxItems: 200 });

export const NewParcel = closed(
  {
    direction: optional(
      about(
        oneOf('inbound', 'outbound'),
        'To the shop (`inbound`) or to the customer (`outbound`). The status of the return sets it: another value is rejected.',
      ),
    ),
    carrier: optional(about(text(100), 'The carrier, such as dhl.')),
    trackingNumber: optional(about(text(100), 'The tracking number of the carrier.')),
    trackingUrl: optional(about(Url, 'The tracking page of the carrier.')),
    labelUrl: optional(about(Url, 'The URL of the shipping label.')),
    status: optional(
      about(
        oneOf('label_created', 'in_transit', 'delivered', 'exception'),
        'The status of the parcel. The default is `label_created`.',
      ),
    ),
    contents: optional(
      about(
        contents,
        'The units in the parcel. When absent: inbound all outstanding units, outbound all refused and repaired units, without those in other parcels.',
      ),
    ),
    ...observable,
  },
  {
    $id: 'NewParcel',
    description: 'A parcel of a return. It is inbound until the return is inspected, and outbound afterwards.',
  },
);

export const ParcelPatch = closed(
  {
    carrier: optional(about(orNull(text(100)), 'The carrier. `null` removes it.')),
    trackingNumber: optional(about(orNull(text(100)), 'The tracking number of the carrier. `null` removes it.')),
    trackingUrl: optional(about(orNull(Url), 'The tracking page of the carrier. `null` removes it.')),
    labelUrl: optional(about(orNull(Url), 'The URL of the shipping label. `null` removes it.')),
    status: optional(about(ParcelStatus, 'The new status of the parcel.')),
    contents: optional(about(contents, 'The units in the parcel. They replace the contents as a whole.')),
    ...observable,
  },
  {
    $id: 'ParcelPatch',
    minProperties: 1,
    description:
      'A merge patch (RFC 7396) of a parcel. Absent fields stay as they are, and `null` clears a field. A parcel that is delivered, lost or cancelled does not change its status or its contents. Only a lost parcel can still become delivered.',
  },
);

export const ParcelPath = closed({ returnId: id('ret'), parcelId: id('pcl') });

export const Receipt = closed(
  {
    parcelId: optional(about(id('pcl'), 'The inbound parcel that arrived. The service marks it as delivered.')),
    lines: optional(
      about(
        list(LineUnits, { minItems: 1, maxItems: 200 }),
        'The units that arrived. Without this list and unexpected items, the contents of the parcel count as received.',
      ),
    ),
    unexpected: optional(
      about(
        list(
          closed({
            sku: optional(about(text(200), 'The SKU of the item.')),
            quantity: about(Quantity, 'Units of the item.'),
            note: optional(about(text(4000), 'A note on the item.')),
          }),
          { minItems: 1, maxItems: 100 },
        ),
        'Items that arrived and belong to no line of the return.',
      ),
    ),
    ...observable,
  },
  {
    $id: 'Receipt',
    minProperties: 1,
    description: 'Goods that arrived. Units that the return does not take become unexpected items.',
  },
);

export const ReceiptClosing = closed(
  {
    cause: optional(
      about(
        MissingCause,
        'Why the units are missing. The default: `not_in_parcel` if anything arrived, `lost_in_transit` if only a parcel was sent, otherwise `never_sent`.',
      ),
    ),
    lines: optional(
      about(
        list(
          closed({
            lineId: returnLineId,
            quantity: about(Quantity, 'Units of the line that are missing.'),
            cause: optional(
              about(MissingCause, 'Why these units are missing. The default is the `cause` of the request.'),
            ),
          }),
          { minItems: 1, maxItems: 200 },
        ),
        'The units that are missing. When absent, all outstanding units.',
      ),
    ),
    ...observable,
  },
  { $id: 'ReceiptClosing', description: 'Outstanding units that no longer arrive.' },
);

export const ReceiptAndRefund = closed(
  {
    method: optional(
      about(
        RefundMethod,
        'How the customer gets the money. The default is `original_payment`. A gift allows only `store_credit`, its default, and `gift_card`.',
      ),
    ),
    total: optional(
      about(
        PositiveMoney,
        'The amount that the refund must have, as the dry run shows it. If a fact has changed since, the error is `quote_stale`.',
      ),
    ),
    result: optional(
      about(
        BookedResult,
        'The result of the payment, if you have paid already. Without it the refund is `pending`, and you report the result later.',
      ),
    ),
  },
  {
    $id: 'ReceiptAndRefund',
    description: 'The refund of goods that arrived whole and in order. Every field has a default.',
  },
);

const InspectedUnits = closed({
  lineId: returnLineId,
  quantity: about(Quantity, 'Units of the line with this result.'),
  outcome: about(InspectionOutcome, 'Whether the units are accepted or refused.'),
  disposition: optional(
    about(
      Disposition,
      'The next step for the units. The default for accepted units is `restock`, and `repair` where the line has this resolution. Refused units need it.',
    ),
  ),
  grade: optional(about(text(50), 'The grade of the condition, as the shop names it, such as A.')),
  deductionBps: optional(
    about(
      Bps,
      'The deduction from the worth of accepted units, in basis points: 250 is 2.5 %. The terms of the return limit it. Refused units have none.',
    ),
  ),
  note: optional(about(text(4000), 'A note on the result.')),
});

export const InspectionReport = closed(
  {
    lines: optional(
      about(
        list(InspectedUnits, { minItems: 1, maxItems: 100 }),
        'The inspected units. A line can occur in several entries, for example with different grades.',
      ),
    ),
    unexpected: optional(
      about(
        list(
          closed({
            id: about(id('unx'), 'The id of the unexpected item.'),
            disposition: about(Disposition, 'The next step for the item.'),
            note: optional(about(text(4000), 'A note on the item.')),
          }),
          { minItems: 1, maxItems: 100 },
        ),
        'Unexpected items without a disposition, each once.',
      ),
    ),
    ...floorOverridable,
    ...observable,
  },
  {
    $id: 'InspectionReport',
    minProperties: 1,
    description: 'The results of an inspection: for units of lines, for unexpected items, or for both.',
  },
);

export const Grant = closed(
  {
    lines: about(
      list(
        closed({
          lineId: returnLineId,
          quantity: about(Quantity, 'Units of the line to grant.'),
          of: about(oneOf('missing', 'refused'), 'Whether the units are missing or refused.'),
        }),
        { minItems: 1, maxItems: 400 },
      ),
      'The units to grant, each pair of `lineId` and `of` once.',
    ),
    reason: about(ReasonCode, 'Why the units are granted, as a code.'),
    ...observable,
  },
  { $id: 'Grant', description: 'Missing or refused units for which the customer gets money or goods all the same.' },
);
