import Type from 'typebox';
import { change, lineId, unitsOf } from './change-fields.ts';
import { Exchange } from '../returns/exchange.ts';
import { Inspection, MissingCause, Parcel, ParcelStatus, Unexpected } from '../returns/goods.ts';
import { Recovery } from '../returns/money.ts';
import { ExternalRefund, FeeType, Refund } from '../returns/refund.ts';
import { Count, Instant, OrderRef, ProviderCode, ReasonCode, Reference, about, closed, id, oneOf } from '../scalars.ts';

const { Optional: optional, Array: list } = Type;

const refundResult = {
  refundId: about(id('rfd'), 'The id of the refund.'),
  occurredAt: about(Instant, 'When the refund reached this status.'),
  providerRef: optional(about(Reference, 'The reference of the payment provider.')),
  code: optional(about(ProviderCode, "The payment provider's code for a failure.")),
};

/** A new status of a refund, as the payment system reported it. */
const refundChange = (description: string) => change(description, refundResult);

const reminder = (description: string) =>
  change(description, { refundDueBy: about(Instant, 'When the refund is due.') });

/** A new status of an exchange, as the shop reported it. */
const exchangeChange = (description: string) =>
  change(description, {
    exchangeId: about(id('exc'), 'The id of the exchange.'),
    externalRef: optional(about(Reference, "The shop's reference for the order of the new item.")),
    newOrder: optional(about(closed(OrderRef), 'The order of the new item.')),
  });

const recoveryChange = (description: string) =>
  change(description, { recovery: about(Recovery, 'The recovery with its amount and its lines.') });

/** The changes of refunds, exchanges, fees and recoveries, by event type. */
export const moneyChanges = {
  'refund.requested': change('Emitted when a refund is booked and waits for its payment.', {
    refund: about(Refund, 'The booked refund.'),
  }),
  'refund.recorded': change('Emitted when a refund is recorded that was paid outside this service.', {
    refund: about(Refund, 'The recorded refund.'),
  }),
  'refund.submitted': refundChange('Emitted when a refund is submitted to the payment provider.'),
  'refund.succeeded': change('Emitted when a refund is paid.', {
    ...refundResult,
    external: optional(
      about(ExternalRefund, 'The refund of the platform that paid it. Absent if the payer reported it.'),
    ),
  }),
  'refund.failed': refundChange('Emitted when the payment of a refund fails.'),
  'refund.unknown': refundChange('Emitted when the result of a payment is unknown.'),
  'refund.reversed': refundChange('Emitted when a paid refund is reversed.'),
  'refund.cancelled': refundChange('Emitted when a refund is cancelled.'),
  'refund.due_soon': reminder('Emitted when a refund is due within three days. Emitted once for each due date.'),
  'refund.overdue': reminder('Emitted when the due date of a refund has passed. Emitted once for each due date.'),
  'exchange.requested': change('Emitted when an exchange of units for a new item is requested.', {
    exchange: about(Exchange, 'The exchange.'),
  }),
  'exchange.ordered': exchangeChange('Emitted when the new item of an exchange is ordered.'),
  'exchange.fulfilled': exchangeChange('Emitted when the new item of an exchange is fulfilled.'),
  'exchange.cancelled': exchangeChange('Emitted when an exchange is cancelled.'),
  'fee.waived': change('Emitted when a fee is waived.', {
    type: about(FeeType, 'The type of the fee.'),
    reason: about(ReasonCode, 'The reason for the waiver.'),
  }),
  'recovery.recorded': recoveryChange('Emitted when the customer has paid refunded money back.'),
  'recovery.written_off': recoveryChange('Emitted when an outstanding recovery is written off.'),
};

const moved = about(
  closed({
    status: about(ParcelStatus, 'The new status of the parcel.'),
    at: about(Instant, 'When the parcel reached this status.'),
  }),
  'Set when the status of the parcel changed.',
);

/** The changes of parcels and units, by event type. */
export const goodsChanges = {
  'parcel.added': change('Emitted when a parcel is added to a return.', {
    parcel: about(Parcel, 'The new parcel, without its tracking number and its URLs.'),
  }),
  'parcel.updated': change('Emitted when a parcel or its status changes.', {
    parcelId: about(id('pcl'), 'The id of the parcel.'),
    changes: about(
      Type.Record(Type.String(), Type.Unknown()),
      'The changed fields with their new values. `null` means that a field was cleared. New tracking data is left out.',
    ),
    moved: optional(moved),
  }),
  'items.received': change('Emitted when units of a return are received.', {
    parcelId: optional(about(id('pcl'), 'The parcel of the units. Absent when the receipt names none.')),
    lines: about(
      list(
        closed({
          ...unitsOf('Received units of the line.'),
          late: about(Count, 'Received units that were recorded as missing before.'),
          accepted: about(Count, 'Received units that are accepted without an inspection.'),
        }),
      ),
      'The lines with their received units.',
    ),
  }),
  'items.unexpected': change('Emitted when items arrive that belong to no line of the return.', {
    items: about(list(Unexpected), 'The unexpected items, without their notes.'),
  }),
  'items.missing': change('Emitted when outstanding units are marked as missing.', {
    lines: about(
      list(
        closed({
          ...unitsOf('Missing units of the line.'),
          cause: about(MissingCause, 'The cause of the absence.'),
        }),
      ),
      'The lines with their missing units.',
    ),
  }),
  'items.granted': change('Emitted when missing or refused units are granted, so that they may be refunded.', {
    reason: about(ReasonCode, 'The reason for the grant.'),
    lines: about(
      list(
        closed({
          ...unitsOf('Granted units of the line.'),
          of: about(oneOf('missing', 'refused'), 'The state of the units before the grant.'),
        }),
      ),
      'The lines with their granted units.',
    ),
  }),
  'inspection.recorded': change('Emitted when an inspection is recorded.', {
    lines: about(list(closed({ ...Inspection.properties, lineId })), 'The inspections of lines, without their notes.'),
    unexpected: about(
      list(
        closed({
          id: about(id('unx'), 'The id of the unexpected item.'),
          disposition: about(Unexpected.properties.disposition, 'The disposition of the item.'),
        }),
      ),
      'The unexpected items that got a disposition.',
    ),
  }),
};
