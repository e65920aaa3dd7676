import { adminCommand, command, patching } from '../entry.ts';
import {
  accepted,
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
  pending,
  refunding,
  requested,
  tracked,
  unsent,
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
  ReceiptAndRefund,
  ReceiptClosing,
} from './goods-commands.ts';
import { Return, ReturnPath } from './return.ts';

/* Commands on the goods of a return. */

/** Returns a line whose inspections have no grade: receiveAndRefund names none. */
const ungraded = (of: (typeof refunding)['lines'][number]) => {
  const inspections = of.inspections.map((inspection) => {
    const { grade: _, ...found } = inspection;
    return found;
  });
  return { ...of, inspections };
};

export const addParcel = command({
  path: '/returns/{returnId}/parcels',
  summary: 'Add a parcel to a return',
  description:
    'The return is approved and has units that wait for a parcel.\n\nUntil the return is inspected, the parcel is inbound. It holds outstanding units that are in no other parcel in transit. Afterwards the parcel is outbound. It holds refused units that are neither granted nor sent back, and accepted units of the resolution `repair` that are neither paid nor exchanged. A repaired unit in a parcel is paid no more, and once it is sent another return may hold it. `complete` waits for these parcels.',
  tool: { use: 'Use it when the customer names a carrier and a tracking number.' },
  params: ReturnPath,
  body: NewParcel,
  answers: Return,
  errors: [...commandErrorCodes, 'return_line_not_found', 'quantity_exceeds_returnable'],
  example: { body: { ...tracked, contents }, output: { ...approved, lines: [lineWith({})], parcels: [parcel] } },
});

export const updateParcel = patching({
  path: '/returns/{returnId}/parcels/{parcelId}',
  scope: 'returns:write',
  summary: 'Update a parcel of a return',
  description:
    'If-Match must be the ETag of the return.\n\nThe body is a merge patch (RFC 7396). When an inbound parcel moves, an approved return becomes `in_transit`. The units of a delivered parcel are received only by a receipt.',
  params: ParcelPath,
  body: ParcelPatch,
  answers: Return,
  errors: [
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
    output: {
      ...approved,
      version: 4,
      status: 'in_transit',
      lines: [lineWith({})],
      parcels: [moving],
      inTransitAt: at.sent,
    },
  },
});

export const receive = command({
  path: '/returns/{returnId}/receipts',
  summary: 'Record received units',
  description:
    'The request was decided. The command is allowed in every later status, as often as goods arrive.\n\n- Outstanding units are received. Missing units are received too, unless another return has taken them.\n- All other units become unexpected items, which are never refunded. All units for a rejected or cancelled return are unexpected items.\n- Late units reopen a completed or expired return.\n- The parcel of the receipt becomes `delivered`.',
  tool: { use: 'Use it when units have arrived at the warehouse.' },
  params: ReturnPath,
  body: Receipt,
  answers: Return,
  errors: [...commandErrorCodes, 'parcel_not_found', 'return_line_not_found'],
  example: {
    body: { parcelId, lines: contents },
    output: {
      ...approved,
      version: 6,
      status: 'received',
      lines: [lineWith({ received: 1 })],
      parcels: [arrived],
      receivedAt: at.came,
    },
  },
});

export const receiveAndRefund = command({
  path: '/returns/{returnId}/receipts/refund',
  summary: 'Receive goods in order and book their refund',
  description:
    'The return is approved and has outstanding units, and the terms pay for them once they are accepted. `allowedActions` says whether they do.\n\nThe command is receive, inspect and refund in one. All outstanding units are received, and accepted without a deduction. All expected parcels become `delivered`. The refund is booked. The history has an entry for each step. If one step is not allowed, nothing is stored, and the error is that of the step.\n\nRecord a part of the goods, and damaged, wrong or surplus units, by receive and inspect.\n\nThe refund also pays what was due before. It needs returns:admin where refund needs it. A dry run shows the amount: send it as `total`, and the command fails if the amount has changed.\n\nThe service moves no money. Pay first and send `result`, or book first and report the result with recordRefundResult.\n\nAn Idempotency-Key of a refund never expires. After 24 hours, a repeat returns the return in its current state.',
  tool: { use: 'Use it when units have arrived, are fine and shall be refunded at once.', confirmedByPerson: true },
  params: ReturnPath,
  body: ReceiptAndRefund,
  answers: Return,
  errors: [
    ...commandErrorCodes,
    'quote_stale',
    'inspection_pending',
    'refund_above_limit',
    'refund_exceeds_ceiling',
    'refund_exceeds_payments',
    'resolution_not_allowed',
  ],
  example: {
    body: { total: eur(1999) },
    output: { ...refunding, lines: refunding.lines.map(ungraded), refunds: [pending], refundStatus: 'pending' },
  },
});

export const closeReceipt = command({
  path: '/returns/{returnId}/receipts/close',
  summary: 'Mark outstanding units as missing',
  description:
    'The return has outstanding units.\n\nWithout `lines`, all outstanding units become missing. Another return can take missing units. If they arrive later, they can still be received.',
  params: ReturnPath,
  body: ReceiptClosing,
  answers: Return,
  errors: [...commandErrorCodes, 'return_line_not_found'],
  example: {
    body: { cause: 'never_sent' },
    output: unsent,
  },
});

export const inspect = command({
  path: '/returns/{returnId}/inspections',
  summary: 'Accept or refuse received units',
  description:
    'The return has received units without an inspection, or unexpected items without a disposition. The command is allowed as often as needed.\n\nSeveral entries of one line count together: accepted and refused units are at most the received units. `deductionBps` is at most what the terms of the return allow.\n\nUnits that a law protects are refused only with `floorOverride`. It needs returns:admin and is recorded as a discrepancy.',
  tool: { use: 'Use it when a person has looked at received units.' },
  params: ReturnPath,
  body: InspectionReport,
  answers: Return,
  errors: [
    ...commandErrorCodes,
    'return_line_not_found',
    'unexpected_not_found',
    'statutory_floor_violation',
    'override_requires_admin',
  ],
  example: {
    body: { lines: [{ lineId, quantity: 1, outcome: 'accept', disposition: 'restock', grade: 'A' }] },
    output: accepted,
  },
});

export const grant = adminCommand({
  path: '/returns/{returnId}/grants',
  summary: 'Grant missing or refused units',
  description:
    'Missing units must not be in another return. Refused units must not be in a parcel to the customer.\n\nThe customer again has a claim for these units.',
  params: ReturnPath,
  body: Grant,
  answers: Return,
  errors: [...commandErrorCodes, 'return_line_not_found', 'quantity_exceeds_returnable'],
  example: {
    body: { lines: [{ lineId, quantity: 1, of: 'missing' }], reason: 'goodwill' },
    output: {
      ...approved,
      version: 4,
      status: 'inspected',
      lines: [{ ...lineWith({ missing: 1, granted: 1 }), missing: [{ ...missing, granted: 1 }] }],
      refundStatus: 'due',
      inspectedAt: at.came,
    },
  },
});

export const correct = adminCommand({
  path: '/returns/{returnId}/corrections',
  summary: 'Correct the recorded quantities of goods',
  description:
    'The command is allowed in any status. It takes signed differences. Each unit stays counted once. Units that are refunded, granted or in transit stay as they are.\n\nAn ended return continues if the correction leaves outstanding units, units to inspect, or items without a disposition. An expired return also continues if units were received.',
  params: ReturnPath,
  body: Correction,
  answers: Return,
  errors: [...commandErrorCodes, 'return_line_not_found', 'quantity_exceeds_returnable', 'statutory_floor_violation'],
  example: {
    body: { reason: 'It was counted twice', lines: [{ lineId, received: -1, missing: 1 }] },
    output: {
      ...requested,
      ...decided,
      version: 7,
      status: 'inspected',
      lines: [
        {
          ...line,
          quantities: { ...line.quantities, approved: 1, missing: 1 },
          missing: [{ quantity: 1, cause: 'not_in_parcel', granted: 0 }],
          amounts: { ...worth, maxRefundable: eur(0) },
        },
      ],
      parcels: [arrived],
      correction: {},
      decision: { overridden: false, overrides: [] },
      approvedAt: at.requested,
      receivedAt: at.requested,
      inspectedAt: at.decided,
    },
  },
});
