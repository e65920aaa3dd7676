import { administering, commanding, type Operation } from '../operation.ts';

/* The commands on a return. */

export const approve = /* @__PURE__ */ commanding({
  name: 'approve',
  summary: 'Approve a requested return, whole or in part',
  path: '/returns/{returnId}/approve',
  refusals: [
    'return_line_not_found',
    'statutory_floor_violation',
    'override_requires_admin',
    'not_eligible',
    'evidence_required',
  ],
});

export const reject = /* @__PURE__ */ commanding({
  name: 'reject',
  summary: 'Refuse a requested return',
  path: '/returns/{returnId}/reject',
  refusals: ['statutory_floor_violation', 'override_requires_admin'],
});

export const requestInfo = /* @__PURE__ */ commanding({
  name: 'requestInfo',
  summary: 'Ask the customer something about a requested return',
  path: '/returns/{returnId}/request-info',
  refusals: [],
});

export const provideInfo = /* @__PURE__ */ commanding({
  name: 'provideInfo',
  summary: 'Answer what the customer was asked',
  path: '/returns/{returnId}/provide-info',
  refusals: ['attachment_not_found'],
});

export const addParcel = /* @__PURE__ */ commanding({
  name: 'addParcel',
  summary: 'Tell of a parcel: goods to the shop, or back to the customer',
  path: '/returns/{returnId}/parcels',
  refusals: ['return_line_not_found', 'quantity_exceeds_returnable'],
});

export const updateParcel = {
  name: 'updateParcel',
  summary: 'Change a parcel of a return (RFC 7396)',
  method: 'PATCH',
  path: '/returns/{returnId}/parcels/{parcelId}',
  scope: 'returns:write',
  query: [],
  idempotencyKey: false,
  ifMatch: 'required',
  dryRun: true,
  success: [200],
  refusals: [
    'return_not_found',
    'parcel_not_found',
    'return_line_not_found',
    'invalid_transition',
    'quantity_exceeds_returnable',
    'version_mismatch',
    'precondition_required',
  ],
} as const satisfies Operation;

export const receive = /* @__PURE__ */ commanding({
  name: 'receive',
  summary: 'Book what came',
  path: '/returns/{returnId}/receipts',
  refusals: ['parcel_not_found', 'return_line_not_found'],
});

export const closeReceipt = /* @__PURE__ */ commanding({
  name: 'closeReceipt',
  summary: 'Give up units that did not come',
  path: '/returns/{returnId}/receipts/close',
  refusals: ['return_line_not_found'],
});

export const inspect = /* @__PURE__ */ commanding({
  name: 'inspect',
  summary: 'Accept or refuse units that came',
  path: '/returns/{returnId}/inspections',
  refusals: ['return_line_not_found', 'unexpected_not_found', 'statutory_floor_violation', 'override_requires_admin'],
});

export const grant = /* @__PURE__ */ administering({
  name: 'grant',
  summary: 'Honour missing or refused units all the same',
  path: '/returns/{returnId}/grants',
  refusals: ['return_line_not_found', 'quantity_exceeds_returnable'],
});

export const refund = /* @__PURE__ */ commanding({
  name: 'refund',
  summary: 'Book a refund of units of a return',
  path: '/returns/{returnId}/refunds',
  refusals: [
    'return_line_not_found',
    'quote_stale',
    'inspection_pending',
    'refund_above_limit',
    'refund_exceeds_ceiling',
    'shipping_refund_exceeds_paid',
    'resolution_not_allowed',
    'currency_mismatch',
  ],
});

export const recordRefundResult = /* @__PURE__ */ commanding({
  name: 'recordRefundResult',
  summary: 'Record what became of a refund',
  path: '/returns/{returnId}/refunds/{refundId}/result',
  refusals: ['refund_not_found'],
});

export const exchange = /* @__PURE__ */ commanding({
  name: 'exchange',
  summary: 'Exchange units of a return for a new item',
  path: '/returns/{returnId}/exchanges',
  refusals: [
    'return_line_not_found',
    'currency_mismatch',
    'refund_above_limit',
    'refund_exceeds_ceiling',
    'resolution_not_allowed',
  ],
});

export const exchangeResult = /* @__PURE__ */ commanding({
  name: 'exchangeResult',
  summary: 'Tell what became of an exchange',
  path: '/returns/{returnId}/exchanges/{exchangeId}/result',
  refusals: ['exchange_not_found'],
});

export const remindRefund = /* @__PURE__ */ commanding({
  name: 'remindRefund',
  summary: 'Tell that a refund is due soon, or overdue',
  path: '/returns/{returnId}/refund-reminders',
  refusals: [],
});

export const waiveFee = /* @__PURE__ */ administering({
  name: 'waiveFee',
  summary: 'Give up a fee of a return',
  path: '/returns/{returnId}/fees/{type}/waive',
  refusals: ['fee_not_open'],
});

export const recordRecovery = /* @__PURE__ */ commanding({
  name: 'recordRecovery',
  summary: 'Record money that the customer gave back',
  path: '/returns/{returnId}/recoveries',
  refusals: ['recovery_exceeds_due', 'currency_mismatch'],
});

export const writeOffRecovery = /* @__PURE__ */ administering({
  name: 'writeOffRecovery',
  summary: 'Ask no more for money that the customer has to give back',
  path: '/returns/{returnId}/recoveries/write-off',
  refusals: [],
});

export const complete = /* @__PURE__ */ commanding({
  name: 'complete',
  summary: 'Complete a return of which nothing is left to do',
  path: '/returns/{returnId}/complete',
  refusals: ['statutory_floor_violation', 'override_requires_admin'],
});

export const cancel = /* @__PURE__ */ commanding({
  name: 'cancel',
  summary: 'Cancel a return, whole or some of its units',
  path: '/returns/{returnId}/cancel',
  refusals: ['return_line_not_found'],
});

export const expire = /* @__PURE__ */ commanding({
  name: 'expire',
  summary: 'Let a return expire that nothing came of',
  path: '/returns/{returnId}/expire',
  refusals: ['statutory_floor_violation'],
});

export const reopen = /* @__PURE__ */ administering({
  name: 'reopen',
  summary: 'Open a return again that was at its end',
  path: '/returns/{returnId}/reopen',
  refusals: ['quantity_exceeds_returnable'],
});

export const correct = /* @__PURE__ */ administering({
  name: 'correct',
  summary: 'Correct what was recorded of goods',
  path: '/returns/{returnId}/corrections',
  refusals: ['return_line_not_found', 'quantity_exceeds_returnable', 'statutory_floor_violation'],
});

export const addNote = /* @__PURE__ */ commanding({
  name: 'addNote',
  summary: 'Note something down about a return',
  path: '/returns/{returnId}/notes',
  refusals: [],
});

export const addAttachment = /* @__PURE__ */ commanding({
  name: 'addAttachment',
  summary: 'Add evidence to a return, and learn where to upload it',
  path: '/returns/{returnId}/attachments',
  success: [201],
  refusals: ['return_line_not_found'],
});
