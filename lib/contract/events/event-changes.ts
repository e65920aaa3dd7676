import Type from 'typebox';
import { Exchange } from '../returns/exchange.ts';
import { Inspection, MissingCause, MissingUnits, Parcel, ParcelStatus, Unexpected } from '../returns/goods.ts';
import { Recovery } from '../returns/money.ts';
import { Discrepancy, FeeType, Refund } from '../returns/refund.ts';
import { Amounts, Basis, Eligibility, InitiatedBy, ManagedBy, Reason, Resolution } from '../returns/return.ts';
import {
  closed,
  Count,
  ExternalRef,
  id,
  Instant,
  Metadata,
  Observation,
  oneOf,
  OrderRef,
  PlatformId,
  ProviderCode,
  Quantity,
  ReasonCode,
  Reference,
  RmaNumber,
  Sha256Hex,
  text,
} from '../scalars.ts';

/*
 * What the `data.change` of an event holds, by its type: what a command or a fact did to a return, as far as everybody may
 * know it. Nothing of it tells of the customer, or what people wrote.
 */

const { Optional: optional, Array: list } = Type;

const lineId = id('rln');

/** What every change of a return may tell besides: what lines are worth now, and which platform told of it. */
const common = {
  amounts: optional(list(closed({ lineId, amounts: Amounts }))),
  observed: optional(Observation),
};

const change = <Fields extends Type.TProperties>(fields: Fields) => closed({ ...fields, ...common });

/** What is told of things that are no return; fields may be added. */
const openObject = <Fields extends Type.TProperties>(fields: Fields) => Type.Object(fields);

/** Units of a line that it happened to. */
const Units = closed({ lineId, quantity: Count });

const SettledLine = closed({ lineId, approved: Count, rejected: Count, returnless: optional(Count) });

/** A policy's decision on the request. */
const DecisionSummary = closed({
  decisionId: id('dec'),
  policyVersion: text(100),
  verdict: oneOf('approved', 'rejected', 'needs_review'),
  changedSinceQuote: optional(list(oneOf('order', 'customer', 'return', 'lines'))),
});

const Difference = Type.Integer({ minimum: -100_000, maximum: 100_000 });

/** Units of a line by which its quantities changed, and the lists that follow, as they are then. */
const Adjustment = closed(
  {
    lineId,
    quantities: Type.Record(Type.String({ pattern: '^[a-z]+$' }), Difference, {
      'x-expected': 'a quantity of a line, such as received',
      additionalProperties: false,
    }),
    inspections: optional(list(Inspection)),
    missing: optional(list(MissingUnits)),
  },
  { $id: 'Adjustment' },
);

const Renewed = closed(
  {
    judgement: DecisionSummary,
    lines: list(closed({ lineId, eligibility: optional(Eligibility), evidenceRequired: optional(Type.Boolean()) })),
  },
  { $id: 'RenewedDecision' },
);

const RequestedLine = closed({
  lineId,
  orderLineId: PlatformId,
  sku: optional(text(200)),
  quantity: Quantity,
  reason: Reason,
  condition: optional(text(100)),
  evidenceRequired: optional(Type.Boolean()),
  resolution: Resolution,
  eligibility: optional(Eligibility),
  amounts: Amounts,
});

const requested = change({
  returnId: id('ret'),
  rmaNumber: RmaNumber,
  order: closed({ ...OrderRef, number: optional(text(100)) }),
  managedBy: ManagedBy,
  externalRefs: list(ExternalRef),
  channel: optional(text(100)),
  initiatedBy: InitiatedBy,
  basis: optional(Basis),
  isGift: Type.Boolean(),
  tags: list(text(100)),
  metadata: Metadata,
  lines: list(RequestedLine),
  judgement: optional(DecisionSummary),
});

const exchangeChange = change({ exchangeId: id('exc'), externalRef: optional(Reference) });

/** What became of a refund, in the words of whoever pays it. */
const refundChange = change({
  refundId: id('rfd'),
  occurredAt: Instant,
  providerRef: optional(Reference),
  code: optional(ProviderCode),
});

/** Of each type of event, by the type without its prefix. */
export const changes = {
  'return.requested': requested,
  'return.approved': change({ lines: list(SettledLine), overrides: optional(list(closed({ lineId }))) }),
  'return.rejected': change({ rejection: closed({ code: ReasonCode }), lines: list(SettledLine) }),
  'return.info_requested': change({}),
  'return.info_provided': change({}),
  'return.completed': change({ waiver: optional(closed({})) }),
  'return.cancelled': change({ cancellation: closed({ code: optional(ReasonCode) }), lines: list(Units) }),
  'return.expired': change({ lines: list(Adjustment) }),
  'return.reopened': change({
    reopening: closed({}),
    status: oneOf('requested', 'approved'),
    lines: list(Adjustment),
    renewed: optional(Renewed),
  }),
  'return.corrected': change({
    correction: closed({}),
    lines: list(Adjustment),
    status: optional(oneOf('approved')),
  }),
  'return.updated': change({
    tags: optional(list(text(100))),
    metadata: optional(Metadata),
    externalRefs: optional(list(ExternalRef)),
  }),
  'decision.renewed': change({
    ...Renewed.properties,
    changed: list(oneOf('order', 'customer', 'return', 'lines')),
  }),
  'parcel.added': change({ parcel: Parcel }),
  'parcel.updated': change({
    parcelId: id('pcl'),
    changes: Type.Record(Type.String(), Type.Unknown()),
    moved: optional(closed({ status: ParcelStatus, at: Instant })),
  }),
  'items.received': change({
    parcelId: optional(id('pcl')),
    lines: list(closed({ ...Units.properties, late: Count, accepted: Count })),
  }),
  'items.unexpected': change({ items: list(Unexpected) }),
  'items.missing': change({ lines: list(closed({ ...Units.properties, cause: MissingCause })) }),
  'items.granted': change({
    reason: ReasonCode,
    lines: list(closed({ ...Units.properties, of: oneOf('missing', 'refused') })),
  }),
  'inspection.recorded': change({
    lines: list(closed({ ...Inspection.properties, lineId })),
    unexpected: list(closed({ id: id('unx'), disposition: Unexpected.properties.disposition })),
  }),
  'note.added': change({}),
  'attachment.added': change({}),
  'discrepancy.found': change({ discrepancies: list(Discrepancy) }),
  'refund.requested': change({ refund: Refund }),
  'refund.recorded': change({ refund: Refund }),
  'refund.submitted': refundChange,
  'refund.succeeded': refundChange,
  'refund.failed': refundChange,
  'refund.unknown': refundChange,
  'refund.reversed': refundChange,
  'refund.cancelled': refundChange,
  'refund.due_soon': change({ refundDueBy: Instant }),
  'refund.overdue': change({ refundDueBy: Instant }),
  'exchange.requested': change({ exchange: Exchange }),
  'exchange.ordered': exchangeChange,
  'exchange.fulfilled': exchangeChange,
  'exchange.cancelled': exchangeChange,
  'fee.waived': change({ type: FeeType, reason: ReasonCode }),
  'recovery.recorded': change({ recovery: Recovery }),
  'recovery.written_off': change({ recovery: Recovery }),
  'policy.archived': openObject({ policyId: id('pol'), name: Type.String(), archivedFrom: Instant }),
  'policy.published': openObject({
    policyId: id('pol'),
    name: Type.String(),
    version: Count,
    effectiveFrom: Instant,
    effectiveUntil: optional(Instant),
  }),
  'policy.superseded': openObject({
    policyId: id('pol'),
    version: Count,
    supersededBy: Count,
    effectiveUntil: Instant,
  }),
  'history.anchored': openObject({
    at: Instant,
    before: Type.String(),
    size: Count,
    root: Sha256Hex,
    earlier: optional(openObject({ at: Instant, size: Count, found: Count })),
  }),
  'privacy.erased': openObject({}),
  'webhook_endpoint.disabled': openObject({}),
  'summary.daily': openObject({ day: Type.String(), returns: Count }),
} satisfies Readonly<Record<string, Type.TObject>>;
