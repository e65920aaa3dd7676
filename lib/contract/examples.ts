import type Type from 'typebox';
import {
  accepted,
  approved,
  arrived,
  at,
  attachmentId,
  canonicalReason,
  contents,
  customer,
  decided,
  entry,
  eur,
  exchanged,
  exchanging,
  facts,
  fee,
  file,
  line,
  lineId,
  lineWith,
  missing,
  moving,
  newItem,
  note,
  noteId,
  nothing,
  order,
  parcel,
  parcelId,
  pending,
  reason,
  reasonFacts,
  recovery,
  refundedLine,
  ref,
  refund,
  requested,
  returnId,
  summary,
  tracked,
  worth,
} from './example-story.ts';
import { decision } from './decisions/example-decision.ts';
import { eventExamples } from './events/event-examples.ts';
import { inboxExamples } from './inbox/inbox-examples.ts';
import { jobExamples } from './jobs/job-examples.ts';
import { policyExamples } from './policies/policy-examples.ts';
import type { OperationName, Output, schemas } from './schemas.ts';
import { webhookEndpointExamples } from './webhook-endpoints/webhook-endpoint-examples.ts';
import { statisticsExamples } from './statistics/statistics-examples.ts';

type Body<Name extends OperationName> = Type.Static<(typeof schemas)[Name]['body']>;

/** One story through all operations: a shirt that is too small comes back. */
type Examples = { readonly [Name in OperationName]: { readonly body: Body<Name>; readonly output: Output<Name> } };

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
      decision: { overridden: false, overrides: [] },
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
  requestInfo: {
    body: { message: 'Has it been worn?' },
    output: {
      ...requested,
      ...decided,
      status: 'info_requested',
      messages: [{ id: noteId, direction: 'asked', at: at.decided }],
      infoRequestedAt: at.decided,
    },
  },
  provideInfo: {
    body: { message: 'Only tried on' },
    output: {
      ...requested,
      version: 3,
      messages: [
        { id: noteId, direction: 'asked', at: at.asked },
        { id: 'note_01KAJ45T0N6P2R8S4V1W3X5Y7Z', direction: 'answered', at: at.decided },
      ],
      infoRequestedAt: at.asked,
      updatedAt: at.decided,
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
  remindRefund: {
    body: {},
    output: {
      ...accepted,
      deadlines: { refundDueBy: at.due },
      refundReminders: { dueSoon: at.due },
      refundStatus: 'due',
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
      recoveries: [
        {
          ...recovery,
          type: 'recovered',
          amount: eur(1999),
          lines: [{ ...refundedLine, lineId }],
          reference: 'bank-1',
        },
      ],
    },
  },
  writeOffRecovery: {
    body: { reason: 'goodwill' },
    output: { ...accepted, recoveries: [{ ...recovery, type: 'written_off', amount: eur(1999), reason: 'goodwill' }] },
  },
  complete: {
    body: { waive: { reason: 'The customer keeps it and wants no money' } },
    output: {
      ...requested,
      ...decided,
      version: 3,
      status: 'completed',
      lines: [{ ...line, quantities: { ...line.quantities, approved: 1, returnless: 1 } }],
      waiver: {},
      decision: { overridden: false, overrides: [] },
      approvedAt: at.asked,
      completedAt: at.decided,
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
  expire: {
    body: {},
    output: {
      ...requested,
      ...decided,
      version: 3,
      status: 'expired',
      lines: [
        {
          ...line,
          quantities: { ...line.quantities, approved: 1, missing: 1 },
          missing: [{ quantity: 1, cause: 'never_sent', granted: 0 }],
          amounts: { ...worth, maxRefundable: eur(0) },
        },
      ],
      decision: { overridden: false, overrides: [] },
      approvedAt: at.asked,
      expiredAt: at.decided,
    },
  },
  reopen: {
    body: { reason: 'It was rejected by mistake' },
    output: {
      ...requested,
      version: 3,
      rejection: { code: 'final_sale' },
      reopening: {},
      rejectedAt: at.asked,
      updatedAt: at.decided,
    },
  },
  correct: {
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
  addNote: {
    body: { text: 'She called and was friendly' },
    output: {
      ...requested,
      version: 2,
      notes: [{ id: noteId, at: at.decided, actor: { clientId: 'shop-backend' }, visibility: 'internal' }],
      updatedAt: at.decided,
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
        url: `https://evidence.s3.eu-central-1.amazonaws.com/pii/${returnId}/${attachmentId}?X-Amz-Signature=fe5f80f77d5fa3be`,
        headers: { 'content-type': file.contentType, 'x-amz-checksum-sha256': file.sha256 },
        expiresAt: '2026-11-21T09:45:00.000Z',
      },
    },
  },
  getHistory: { body: {}, output: { items: [entry], nextCursor: null } },
  verifyHistory: { body: {}, output: { returnId, entries: 2, valid: true, head: entry.hash } },
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
  getDecision: { body: {}, output: decision },
  ...policyExamples,
  ...jobExamples,
  ...eventExamples,
  ...statisticsExamples,
  ...inboxExamples,
  ...webhookEndpointExamples,
  listReasons: { body: {}, output: { items: [{ ...canonicalReason, version: 0 }, reason], nextCursor: null } },
  putReason: { body: reasonFacts, output: reason },
  health: { body: {}, output: { status: 'ok' } },
  asyncapi: { body: {}, output: { asyncapi: '3.0.0', info: {}, channels: {} } },
  openapi: { body: {}, output: { openapi: '3.1.0', info: {}, paths: {} } },
};
