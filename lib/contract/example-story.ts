import type Type from 'typebox';
import type { Order } from './orders/order.ts';
import type { OrderSummary } from './orders/order-summary.ts';
import type { Return } from './returns/return.ts';
import type { History } from './returns/history.ts';
import type { Refund } from './returns/refund.ts';
import type { ReturnList } from './returns/return-list.ts';
import type { ReasonDefinition } from './reasons/reasons.ts';

/* The data of all examples: a customer returns a shirt that is too small. */

export const eur = (amount: number) => ({ amount, currency: 'EUR' });
export const ref = { platform: 'web', orderId: '1001' };
export const customer = { id: '7', email: 'ada@example.com', name: 'Ada' };
const taxes = [{ rate: '19', category: 'S' as const, amount: eur(638) }];
const lines = [
  { lineId: '1', sku: 'SHIRT-M', quantity: 2, unitPrice: eur(1999), taxTotal: eur(638), taxes, taxIncluded: true },
];
export const at = {
  ordered: '2026-11-20T08:00:00.000Z',
  requested: '2026-11-21T08:00:00.000Z',
  decided: '2026-11-21T09:30:00.000Z',
  sent: '2026-11-22T16:00:00.000Z',
  came: '2026-11-24T10:15:00.000Z',
  due: '2026-12-08T10:15:00.000Z',
};

export const facts = { number: '#1001', currency: 'EUR', country: 'CH', lines, observedAt: at.ordered };
export const order: Type.Static<typeof Order> = {
  id: 'ord_01KAJ3V9Z8QW4T6R2M5N7P0XYB',
  ...ref,
  ...facts,
  completeness: 'full',
  version: 1,
  createdAt: at.ordered,
  updatedAt: at.ordered,
};

export const returnId = 'ret_01KAJ3X5D2ZC8V4H6B9GQ1WTSN';
export const lineId = 'rln_01KAJ3X5D2E7Y3K5M8PRA0FJCV';
export const noteId = 'note_01KAJ42K7M9N1P3Q5R8S0T2V4W';
export const note = 'Tight at the chest';
const none = {
  rejected: 0,
  cancelled: 0,
  returnless: 0,
  received: 0,
  missing: 0,
  accepted: 0,
  refused: 0,
  granted: 0,
  refunded: 0,
  exchanged: 0,
};
export const worth = { gross: eur(1999), tax: eur(319), net: eur(1680), maxRefundable: eur(1999), refunded: eur(0) };
export const worthOfTwo = {
  gross: eur(3998),
  tax: eur(638),
  net: eur(3360),
  maxRefundable: eur(3998),
  refunded: eur(0),
};
export const nothing = { gross: eur(0), tax: eur(0), net: eur(0), maxRefundable: eur(0), refunded: eur(0) };
export const line = {
  lineId,
  orderLineId: '1',
  sku: 'SHIRT-M',
  quantities: { requested: 1, approved: 0, ...none },
  reason: { code: 'fit.too_small' },
  resolution: 'refund' as const,
  inspections: [],
  missing: [],
  amounts: worth,
};

export const parcelId = 'pcl_01KAJ3Z2B6R8T1V3X5Z7C9E4GN';
export const contents = [{ lineId, quantity: 1 }];
export const tracked = { carrier: 'dhl', trackingNumber: '00340434161094' };

const actions = (allowed: boolean) =>
  ['approve', 'reject'].map((action) => ({
    action,
    scope: 'returns:write' as const,
    allowed,
    ...(allowed ? {} : { blockedBy: 'invalid_transition' }),
  }));

export const requested: Type.Static<typeof Return> = {
  returnId,
  rmaNumber: '2PF28AQKFF9',
  status: 'requested',
  version: 1,
  order: { ...ref, number: '#1001' },
  managedBy: 'service',
  externalRefs: [],
  initiatedBy: 'customer',
  isGift: false,
  lines: [line],
  parcels: [],
  unexpected: [],
  refunds: [],
  exchanges: [],
  fees: [],
  recoveries: [],
  recoveryDue: eur(0),
  discrepancies: [],
  messages: [],
  notes: [],
  deadlines: {},
  refundStatus: 'none',
  tags: [],
  metadata: {},
  allowedActions: actions(true),
  requestedAt: at.requested,
  createdAt: at.requested,
  updatedAt: at.requested,
};
export const decided = { version: 2, allowedActions: actions(false), updatedAt: at.decided };

export const approved = { ...requested, ...decided, status: 'approved' as const, version: 3, approvedAt: at.decided };
export const lineWith = (quantities: Partial<typeof line.quantities>) => ({
  ...line,
  quantities: { ...line.quantities, approved: 1, ...quantities },
});
export const parcel: Type.Static<typeof Return>['parcels'][number] = {
  parcelId,
  direction: 'inbound',
  carrier: tracked.carrier,
  status: 'label_created',
  contents,
  events: [{ status: 'label_created', at: at.decided }],
};
export const moving: typeof parcel = {
  ...parcel,
  status: 'in_transit',
  events: [...parcel.events, { status: 'in_transit', at: at.sent }],
};
export const arrived: typeof parcel = {
  ...moving,
  status: 'delivered',
  events: [...moving.events, { status: 'delivered', at: at.came }],
};
export const missing = { quantity: 1, cause: 'never_sent' as const, granted: 0 };
export const newItem = { sku: 'SHIRT-L', quantity: 1, price: eur(2199) };
export const exchanged: Type.Static<typeof Return>['exchanges'][number] = {
  exchangeId: 'exc_01KAJ3Z2H6N9P4X7C0V5BSTRWE',
  lineId,
  quantity: 1,
  newItem,
  gross: eur(1999),
  tax: eur(319),
  balance: eur(200),
  status: 'requested',
};
export const exchanging: Type.Static<typeof Return> = {
  ...requested,
  ...decided,
  version: 3,
  status: 'approved',
  lines: [
    {
      ...line,
      quantities: { ...line.quantities, approved: 1, exchanged: 1 },
      amounts: { ...worth, maxRefundable: eur(0) },
    },
  ],
  exchanges: [exchanged],
  approvedAt: at.decided,
};

export const entry: Type.Static<typeof History>['items'][number] = {
  sequence: 2,
  type: 'return.rejected',
  at: at.decided,
  actor: {
    clientId: 'shop-backend',
    onBehalfOf: 'agent-7',
    sealed:
      'YxDqX8SqTncbcPph9ZVYKE4AVjRtj76eO7gner_lghhpt5DUkX1hBwAJ9xnQY1PS_2VlCmdGud1kqXu6bKr8Fx3aLNRjUdCillhMuKSG8cc',
  },
  from: 'requested',
  to: 'rejected',
  data: { rejection: { code: 'final_sale' }, lines: [{ lineId, approved: 0, rejected: 1 }] },
  causationId: 'Ud3kXgZ4FiAEMkg=',
  correlationId: '4bf92f3577b34da6a3ce929d0e0e4736',
  policyVersion: null,
  previousHash: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  hash: 'fcde2b2edba56bf408601fb721fe9b5c338d10ee429ea04fae5511b68fbf8fb9',
};

export const refundedLine = { orderLineId: '1', quantity: 1, gross: eur(1999), tax: eur(319) };
export const refund: Type.Static<typeof Refund> = {
  refundId: 'rfd_01KAJ3Y7M4TQ0W2S6D8F1HZGXR',
  order: ref,
  external: { platform: 'web', externalId: 'refund-1' },
  returnId,
  method: 'original_payment',
  amount: eur(1999),
  returnLines: [{ lineId, quantity: 1, gross: eur(1999) }],
  breakdown: {
    lines: [refundedLine],
    deductions: [],
    shipping: eur(0),
    other: eur(0),
  },
  status: 'succeeded',
  attempts: [],
  occurredAt: at.decided,
  recordedAt: at.decided,
  discrepancies: [],
};

const { external: _, occurredAt: __, ...booked } = refund;
export const pending = { ...booked, status: 'pending' as const };
/** A booked part of the price of the unit, which the customer keeps. */
export const reduced: Type.Static<typeof Refund> = {
  ...pending,
  amount: eur(300),
  returnLines: [],
  breakdown: {
    ...pending.breakdown,
    lines: [],
    reductions: [
      { orderLineId: refundedLine.orderLineId, lineId, quantity: 1, gross: eur(300), tax: eur(48), reason: 'goodwill' },
    ],
  },
};
export const fee = { type: 'return_shipping' as const, amount: eur(490), applied: eur(0), waived: eur(490) };
export const recovery = { id: 'rcv_01KAJ3Z1B6C8D0E2F4G6H8J0KM', lines: [], fees: [], at: at.came };
const inspection: Type.Static<typeof Return>['lines'][number]['inspections'][number] = {
  id: 'ins_01KAJ402P5S7V9X1Z3B5D8F0HJ',
  quantity: 1,
  grade: 'A',
  outcome: 'accept',
  disposition: 'restock',
  deductionBps: 0,
  at: at.came,
};
const acceptedLine = { ...lineWith({ received: 1, accepted: 1 }), inspections: [inspection] };

/** The return after its unit was accepted. The refund is due two weeks after the receipt. */
export const accepted: Type.Static<typeof Return> = {
  ...approved,
  version: 7,
  status: 'inspected',
  lines: [acceptedLine],
  parcels: [arrived],
  deadlines: { refundDueBy: at.due },
  refundStatus: 'due',
  receivedAt: at.came,
  inspectedAt: at.came,
};

/** The return after its unit was given up. */
export const unsent: Type.Static<typeof Return> = {
  ...approved,
  status: 'inspected',
  lines: [{ ...lineWith({ missing: 1 }), missing: [missing], amounts: { ...worth, maxRefundable: eur(0) } }],
  inspectedAt: at.came,
};

/** The return after the refund of its unit was booked. */
export const refunding: Type.Static<typeof Return> = {
  ...accepted,
  version: 8,
  lines: [
    {
      ...acceptedLine,
      quantities: { ...acceptedLine.quantities, refunded: 1 },
      amounts: { ...worth, refunded: eur(1999) },
    },
  ],
};

export const summary: Type.Static<typeof ReturnList>['items'][number] = {
  returnId,
  rmaNumber: '2PF28AQKFF9',
  status: 'requested',
  version: 1,
  order: { ...ref, number: '#1001' },
  managedBy: 'service',
  externalRefs: [],
  initiatedBy: 'customer',
  customerId: '7',
  quantity: 1,
  openUnits: 1,
  refundStatus: 'none',
  amounts: { worth: eur(1999), refunded: eur(0), due: eur(0) },
  nextStep: { action: 'approve', by: 'staff' },
  flags: [],
  skus: ['SHIRT-M'],
  reasons: ['fit.too_small'],
  tags: [],
  requestedAt: at.requested,
  createdAt: at.requested,
  updatedAt: at.requested,
};

/** The order in the result of a search. */
export const orderSummary: Type.Static<typeof OrderSummary> = {
  ...ref,
  number: '#1001',
  quantity: 2,
  customerId: '7',
};

export const user = { userId: 'auth0|7f1c0f2e', name: 'Beatriz Sá' };
export const attachmentId = 'att_01KAJ40B1V6Y2N8S4D0F3GZHXR';
export const file = {
  lineId,
  contentType: 'image/jpeg' as const,
  size: 48213,
  sha256: 'n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=',
};

export const canonicalReason = {
  code: 'fit.too_small',
  group: 'fit',
  labels: { en: 'Too small' },
  fault: 'customer' as const,
  noteRequired: false,
  evidenceRequired: false,
  resolutions: ['refund' as const, 'exchange' as const, 'store_credit' as const, 'repair' as const, 'none' as const],
  active: true,
};

export const reasonFacts = {
  labels: { en: 'Runs small', 'pt-BR': 'Forma pequena' },
  fault: 'merchant' as const,
  noteRequired: true,
  evidenceRequired: false,
  resolutions: ['exchange' as const, 'refund' as const],
  active: true,
};
export const reason: Type.Static<typeof ReasonDefinition> = {
  code: 'fit.runs_small',
  group: 'fit',
  ...reasonFacts,
  version: 1,
};
