import type Type from 'typebox';
import type { OperationName, Output, schemas } from './schemas.ts';

type Body<Name extends OperationName> = Type.Static<(typeof schemas)[Name]['body']>;

/** One story through all operations: a shirt that is too small comes back. */
type Examples = { readonly [Name in OperationName]: { readonly body: Body<Name>; readonly output: Output<Name> } };

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const ref = { platform: 'web', orderId: '1001' };
const customer = { id: '7', email: 'ada@example.com', name: 'Ada' };
const lines = [
  { lineId: '1', sku: 'SHIRT-M', quantity: 2, unitPrice: eur(1999), taxTotal: eur(638), taxIncluded: true },
];
const at = {
  ordered: '2026-11-20T08:00:00.000Z',
  asked: '2026-11-21T08:00:00.000Z',
  decided: '2026-11-21T09:30:00.000Z',
  sent: '2026-11-22T16:00:00.000Z',
  came: '2026-11-24T10:15:00.000Z',
};

const facts = { number: '#1001', currency: 'EUR', country: 'DE', lines, observedAt: at.ordered };
const order: Output<'registerOrder'> = {
  id: 'ord_01KAJ3V9Z8QW4T6R2M5N7P0XYB',
  ...ref,
  ...facts,
  completeness: 'full',
  version: 1,
  createdAt: at.ordered,
  updatedAt: at.ordered,
};

const returnId = 'ret_01KAJ3X5D2ZC8V4H6B9GQ1WTSN';
const lineId = 'rln_01KAJ3X5D2E7Y3K5M8PRA0FJCV';
const note = 'Tight at the chest';
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
const worth = { gross: eur(1999), tax: eur(319), net: eur(1680), maxRefundable: eur(1999), refunded: eur(0) };
const nothing = { gross: eur(0), tax: eur(0), net: eur(0), maxRefundable: eur(0), refunded: eur(0) };
const line = {
  id: lineId,
  orderLineId: '1',
  sku: 'SHIRT-M',
  quantities: { requested: 1, approved: 0, ...none },
  reason: { code: 'fit.too_small' },
  resolution: 'refund' as const,
  inspections: [],
  missing: [],
  amounts: worth,
};

const parcelId = 'pcl_01KAJ3Z2B6R8T1V3X5Z7C9E4GN';
const contents = [{ lineId, quantity: 1 }];
const tracked = { carrier: 'dhl', trackingNumber: '00340434161094' };

const actions = (allowed: boolean) =>
  ['approve', 'reject'].map((action) => ({
    action,
    scope: 'returns:write' as const,
    allowed,
    ...(allowed ? {} : { blockedBy: 'invalid_transition' }),
  }));

const requested: Output<'createReturn'> = {
  id: returnId,
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
  refundStatus: 'none',
  tags: [],
  metadata: {},
  allowedActions: actions(true),
  requestedAt: at.asked,
  createdAt: at.asked,
  updatedAt: at.asked,
};
const decided = { version: 2, allowedActions: actions(false), updatedAt: at.decided };

const approved = { ...requested, ...decided, status: 'approved' as const, version: 3, approvedAt: at.decided };
const lineWith = (quantities: Partial<typeof line.quantities>) => ({
  ...line,
  quantities: { ...line.quantities, approved: 1, ...quantities },
});
const parcel: Output<'addParcel'>['parcels'][number] = {
  id: parcelId,
  direction: 'inbound',
  ...tracked,
  status: 'label_created',
  contents,
  events: [{ status: 'label_created', at: at.decided }],
};
const moving: typeof parcel = {
  ...parcel,
  status: 'in_transit',
  events: [...parcel.events, { status: 'in_transit', at: at.sent }],
};
const arrived: typeof parcel = {
  ...moving,
  status: 'delivered',
  events: [...moving.events, { status: 'delivered', at: at.came }],
};
const missing = { quantity: 1, cause: 'never_sent' as const, granted: 0 };
const newItem = { sku: 'SHIRT-L', quantity: 1, price: eur(2199) };
const exchanged: Output<'exchange'>['exchanges'][number] = {
  id: 'exc_01KAJ3Z2H6N9P4X7C0V5BSTRWE',
  lineId,
  quantity: 1,
  newItem,
  gross: eur(1999),
  tax: eur(319),
  credit: eur(1999),
  balance: eur(200),
  status: 'requested',
};
const exchanging: Output<'exchange'> = {
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

const entry: Output<'getHistory'>['items'][number] = {
  sequence: 2,
  type: 'return.rejected',
  at: at.decided,
  actor: { clientId: 'shop-backend', onBehalfOf: 'agent-7' },
  from: 'requested',
  to: 'rejected',
  data: { code: 'final_sale' },
  causationId: 'Ud3kXgZ4FiAEMkg=',
  correlationId: '4bf92f3577b34da6a3ce929d0e0e4736',
  policyVersion: null,
  previousHash: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  hash: 'fcde2b2edba56bf408601fb721fe9b5c338d10ee429ea04fae5511b68fbf8fb9',
};

const refund: Output<'recordRefund'> = {
  id: 'rfd_01KAJ3Y7M4TQ0W2S6D8F1HZGXR',
  order: ref,
  external: { platform: 'web', id: 'refund-1' },
  returnId,
  method: 'original_payment',
  amount: eur(1999),
  returnLines: [{ lineId, quantity: 1, gross: eur(1999) }],
  breakdown: {
    lines: [{ orderLineId: '1', quantity: 1, gross: eur(1999), tax: eur(319) }],
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
const pending = { ...booked, status: 'pending' as const };
const fee = { type: 'return_shipping' as const, amount: eur(490), applied: eur(0), waived: eur(490) };
const recovery = { id: 'rcv_01KAJ3Z1B6C8D0E2F4G6H8J0KM', at: at.decided };
const accepted: Output<'refund'> = {
  ...requested,
  ...decided,
  status: 'inspected',
  lines: [{ ...line, quantities: { ...line.quantities, approved: 1, received: 1, accepted: 1 } }],
};

const summary: Output<'listReturns'>['items'][number] = {
  id: returnId,
  rmaNumber: '2PF28AQKFF9',
  status: 'requested',
  version: 1,
  order: { ...ref, number: '#1001' },
  managedBy: 'service',
  externalRefs: [],
  initiatedBy: 'customer',
  customerId: '7',
  quantity: 1,
  refundStatus: 'none',
  skus: ['SHIRT-M'],
  reasons: ['fit.too_small'],
  trackingNumbers: [],
  tags: [],
  requestedAt: at.asked,
  createdAt: at.asked,
  updatedAt: at.asked,
};

const attachmentId = 'att_01KAJ40B1V6Y2N8S4D0F3GZHXR';
const file = {
  lineId,
  contentType: 'image/jpeg' as const,
  size: 48213,
  sha256: 'n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=',
};

export const examples: Examples = {
  registerOrder: { body: { ...facts, customer }, output: order },
  getOrder: { body: {}, output: { ...order, customer } },
  getReturnable: {
    body: {},
    output: {
      ...ref,
      lines: [{ lineId: '1', sku: 'SHIRT-M', quantity: 2, fulfilled: 2, held: 1, refunded: 0, returnable: 1 }],
    },
  },
  recordRefund: {
    body: { amount: eur(1999), occurredAt: at.decided, returnId, lines: [{ orderLineId: '1', quantity: 1 }] },
    output: refund,
  },
  createReturn: {
    body: { order: ref, lines: [{ orderLineId: '1', quantity: 1, reason: { code: 'fit.too_small', note } }] },
    output: requested,
  },
  listReturns: { body: {}, output: { items: [summary], nextCursor: null } },
  getReturn: {
    body: {},
    output: { ...requested, customer, lines: [{ ...line, reason: { ...line.reason, note } }] },
  },
  updateReturn: {
    body: { tags: ['vip'], metadata: { ticket: '7' } },
    output: { ...requested, version: 2, tags: ['vip'], metadata: { ticket: '7' }, updatedAt: at.decided },
  },
  approve: {
    body: { lines: [{ lineId, quantity: 1 }] },
    output: {
      ...requested,
      ...decided,
      status: 'approved',
      lines: [{ ...line, quantities: { ...line.quantities, approved: 1 } }],
      approvedAt: at.decided,
    },
  },
  reject: {
    body: { code: 'final_sale', note: 'It was on sale' },
    output: {
      ...requested,
      ...decided,
      status: 'rejected',
      lines: [{ ...line, quantities: { ...line.quantities, rejected: 1 }, amounts: nothing }],
      rejection: { code: 'final_sale' },
      rejectedAt: at.decided,
    },
  },
  addParcel: {
    body: { ...tracked, contents },
    output: { ...approved, lines: [lineWith({})], parcels: [parcel] },
  },
  updateParcel: {
    body: { status: 'in_transit' },
    output: { ...approved, status: 'in_transit', lines: [lineWith({})], parcels: [moving], inTransitAt: at.sent },
  },
  receive: {
    body: { parcelId, lines: contents },
    output: {
      ...approved,
      status: 'received',
      lines: [lineWith({ received: 1 })],
      parcels: [arrived],
      receivedAt: at.came,
    },
  },
  closeReceipt: {
    body: { cause: 'never_sent' },
    output: {
      ...approved,
      status: 'inspected',
      lines: [{ ...lineWith({ missing: 1 }), missing: [missing], amounts: { ...worth, maxRefundable: eur(0) } }],
      inspectedAt: at.came,
    },
  },
  inspect: {
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
  grant: {
    body: { lines: [{ lineId, quantity: 1, of: 'missing' }], reason: 'goodwill' },
    output: {
      ...approved,
      status: 'inspected',
      lines: [{ ...lineWith({ missing: 1, granted: 1 }), missing: [{ ...missing, granted: 1 }] }],
      inspectedAt: at.came,
    },
  },
  exchange: {
    body: { lineId, quantity: 1, newItem },
    output: exchanging,
  },
  exchangeResult: {
    body: { status: 'ordered', externalRef: '1002' },
    output: {
      ...exchanging,
      version: 4,
      exchanges: [{ ...exchanged, externalRef: '1002', status: 'ordered' }],
    },
  },
  cancel: {
    body: { code: 'changed_mind' },
    output: {
      ...requested,
      ...decided,
      status: 'cancelled',
      lines: [{ ...line, quantities: { ...line.quantities, approved: 1, cancelled: 1 }, amounts: nothing }],
    },
  },
  addAttachment: {
    body: file,
    output: {
      returnId,
      version: 2,
      attachment: { id: attachmentId, ...file, addedAt: at.decided },
      upload: {
        method: 'PUT',
        url: `https://evidence.s3.eu-central-1.amazonaws.com/pii/9f86d081884c7d65/${returnId}/${attachmentId}?X-Amz-Signature=fe5f80f77d5fa3be`,
        headers: { 'content-type': file.contentType, 'x-amz-checksum-sha256': file.sha256 },
        expiresAt: '2026-11-21T09:45:00.000Z',
      },
    },
  },
  refund: { body: { quoteHash: entry.hash }, output: { ...accepted, refunds: [pending], refundStatus: 'pending' } },
  recordRefundResult: {
    body: { status: 'submitted', providerRef: 'pay-1' },
    output: {
      ...accepted,
      refunds: [
        {
          ...pending,
          status: 'submitted',
          attempts: [{ status: 'submitted', submittedAt: at.decided, providerRef: 'pay-1' }],
          providerRef: 'pay-1',
        },
      ],
      refundStatus: 'pending',
    },
  },
  waiveFee: {
    body: { reason: 'goodwill' },
    output: { ...accepted, fees: [{ ...fee, reason: 'goodwill' }], refundStatus: 'due' },
  },
  recordRecovery: {
    body: { amount: eur(1999), reference: 'bank-1' },
    output: {
      ...accepted,
      recoveries: [{ ...recovery, type: 'recovered', amount: eur(1999), reference: 'bank-1' }],
    },
  },
  writeOffRecovery: {
    body: { reason: 'goodwill' },
    output: { ...accepted, recoveries: [{ ...recovery, type: 'written_off', amount: eur(1999), reason: 'goodwill' }] },
  },
  quoteReturn: {
    body: { returnId },
    output: {
      returnId,
      steps: [
        { rule: 'goods', lineId, amount: eur(1999), detail: '1 of 2 units as paid, discount and tax inside' },
        { rule: 'shipping', amount: eur(0), detail: 'the share by none' },
      ],
      total: eur(1999),
      hash: entry.hash,
    },
  },
  getHistory: { body: {}, output: { items: [entry], nextCursor: null } },
  verifyHistory: { body: {}, output: { returnId, entries: 2, valid: true, head: entry.hash } },
  health: { body: {}, output: { status: 'ok' } },
  openapi: { body: {}, output: { openapi: '3.1.0', info: {}, paths: {} } },
};
