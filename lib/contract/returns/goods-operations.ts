import { adminCommand, command, patching } from '../entry.ts';
import {
  approved,
  arrived,
  at,
  contents,
  decided,
  eur,
  line,
  lineId,
  lineWith,
  missing,
  moving,
  parcel,
  parcelId,
  requested,
  tracked,
  worth,
} from '../example-story.ts';
import { Correction, commandErrorCodes } from './commands.ts';
import {
  Grant,
  InspectionReport,
  NewParcel,
  ParcelPatch,
  ParcelPath,
  Receipt,
  ReceiptClosing,
} from './goods-commands.ts';
import { Return, ReturnPath } from './return.ts';

/* The commands on the goods of a return. */

export const addParcel = command({
  path: '/returns/{returnId}/parcels',
  summary: 'Tell of a parcel: goods to the shop, or back to the customer',
  description:
    'Inbound until the return is inspected: outstanding units that are in no other parcel on its way. From then on outbound: refused units that are neither honoured nor sent back.',
  params: ReturnPath,
  body: NewParcel,
  answers: Return,
  refuses: [...commandErrorCodes, 'return_line_not_found', 'quantity_exceeds_returnable'],
  example: { body: { ...tracked, contents }, output: { ...approved, lines: [lineWith({})], parcels: [parcel] } },
});

export const updateParcel = patching({
  path: '/returns/{returnId}/parcels/{parcelId}',
  scope: 'returns:write',
  summary: 'Change a parcel of a return (RFC 7396)',
  description:
    'A merge patch (RFC 7396). If-Match must be the ETag of the return. A parcel that has moved takes an approved return to `in_transit`; what is delivered is received only by a receipt.',
  params: ParcelPath,
  body: ParcelPatch,
  answers: Return,
  refuses: [
    'return_not_found',
    'parcel_not_found',
    'return_line_not_found',
    'invalid_transition',
    'quantity_exceeds_returnable',
    'version_mismatch',
    'precondition_required',
  ],
  example: {
    body: { status: 'in_transit' },
    output: { ...approved, status: 'in_transit', lines: [lineWith({})], parcels: [moving], inTransitAt: at.sent },
  },
});

export const receive = command({
  path: '/returns/{returnId}/receipts',
  summary: 'Book what came',
  description:
    'As often as something comes, in every status but those before the decision. Outstanding units are received, and so are units that were given up, as long as no other return has taken them; the rest, and all that comes for a return that is rejected or cancelled, is unexpected and never money. What comes late takes a return that is completed or expired up again. The parcel that it came in is delivered.',
  params: ReturnPath,
  body: Receipt,
  answers: Return,
  refuses: [...commandErrorCodes, 'parcel_not_found', 'return_line_not_found'],
  example: {
    body: { parcelId, lines: contents },
    output: {
      ...approved,
      status: 'received',
      lines: [lineWith({ received: 1 })],
      parcels: [arrived],
      receivedAt: at.came,
    },
  },
});

export const closeReceipt = command({
  path: '/returns/{returnId}/receipts/close',
  summary: 'Give up units that did not come',
  description:
    'Without lines all that is outstanding. Without a cause it is `not_in_parcel` where anything came, else `never_sent`. Missing units are free for another return, and are received all the same if they come after all.',
  params: ReturnPath,
  body: ReceiptClosing,
  answers: Return,
  refuses: [...commandErrorCodes, 'return_line_not_found'],
  example: {
    body: { cause: 'never_sent' },
    output: {
      ...approved,
      status: 'inspected',
      lines: [{ ...lineWith({ missing: 1 }), missing: [missing], amounts: { ...worth, maxRefundable: eur(0) } }],
      inspectedAt: at.came,
    },
  },
});

export const inspect = command({
  path: '/returns/{returnId}/inspections',
  summary: 'Accept or refuse units that came',
  description:
    'As often as somebody looks. Several entries of one line count together: no more units are accepted and refused than came. `deductionBps` is at most what the terms of the return allow. Units that a law protects are refused with `floorOverride` alone, which takes returns:admin and is recorded as a discrepancy.',
  params: ReturnPath,
  body: InspectionReport,
  answers: Return,
  refuses: [
    ...commandErrorCodes,
    'return_line_not_found',
    'unexpected_not_found',
    'statutory_floor_violation',
    'override_requires_admin',
  ],
  example: {
    body: { lines: [{ lineId, quantity: 1, outcome: 'accept', disposition: 'restock', grade: 'A' }] },
    output: {
      ...approved,
      status: 'inspected',
      lines: [
        {
          ...lineWith({ received: 1, accepted: 1 }),
          inspections: [
            {
              id: 'ins_01KAJ402P5S7V9X1Z3B5D8F0HJ',
              quantity: 1,
              grade: 'A',
              outcome: 'accept',
              disposition: 'restock',
              deductionBps: 0,
              at: at.came,
            },
          ],
        },
      ],
      parcels: [arrived],
      inspectedAt: at.came,
    },
  },
});

export const grant = adminCommand({
  path: '/returns/{returnId}/grants',
  summary: 'Honour missing or refused units all the same',
  description:
    'Missing units that no other return has taken, or refused ones that are in no parcel back: the customer has a claim for them again.',
  params: ReturnPath,
  body: Grant,
  answers: Return,
  refuses: [...commandErrorCodes, 'return_line_not_found', 'quantity_exceeds_returnable'],
  example: {
    body: { lines: [{ lineId, quantity: 1, of: 'missing' }], reason: 'goodwill' },
    output: {
      ...approved,
      status: 'inspected',
      lines: [{ ...lineWith({ missing: 1, granted: 1 }), missing: [{ ...missing, granted: 1 }] }],
      inspectedAt: at.came,
    },
  },
});

export const correct = adminCommand({
  path: '/returns/{returnId}/corrections',
  summary: 'Correct what was recorded of goods',
  description:
    'By signed differences, in any status. Each unit stays counted once, and what was refunded, honoured or is on its way stays. A return that was over goes on when that leaves anything to come, to be inspected or without a disposition, and one that had expired when units came.',
  params: ReturnPath,
  body: Correction,
  answers: Return,
  refuses: [...commandErrorCodes, 'return_line_not_found', 'quantity_exceeds_returnable', 'statutory_floor_violation'],
  example: {
    body: { reason: 'It was counted twice', lines: [{ lineId, received: -1, missing: 1 }] },
    output: {
      ...requested,
      ...decided,
      version: 4,
      status: 'inspected',
      lines: [
        {
          ...line,
          quantities: { ...line.quantities, approved: 1, missing: 1 },
          missing: [{ quantity: 1, cause: 'not_in_parcel', granted: 0 }],
          amounts: { ...worth, maxRefundable: eur(0) },
        },
      ],
      correction: {},
      decision: { overridden: false, overrides: [] },
      approvedAt: at.asked,
      receivedAt: at.asked,
      inspectedAt: at.decided,
    },
  },
});
