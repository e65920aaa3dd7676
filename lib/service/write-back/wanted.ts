import type { Output } from '../../contract/contract.ts';
import type { EffectAction } from '../../domain/write-back/actions.ts';
import type { Intent } from '../../domain/write-back/intent.ts';
import type { Wanted, WantedParcel, WantedRefund, WantedReturn } from '../../shops/platforms/effect.ts';
import { sum } from '../../runtime/sum.ts';

/*
 * What an intent wants, from our return as it is now. The worker never sends what a command wanted once: an older intent
 * of the same return wants the same state, so it finds nothing to do.
 */

/** Our return, as the port shows it. */
export type OwnReturn = Output<'getReturn'>;

/** What an intent is about: a return, or a withdrawal before the shipment. */
export type Subject =
  | { readonly kind: 'return'; readonly own: OwnReturn }
  | { readonly kind: 'withdrawal'; readonly withdrawal: Output<'getWithdrawal'> };

type Line = OwnReturn['lines'][number];

const wantedLine = ({ lineId, orderLineId, quantities, inspections, reason }: Line): WantedReturn['lines'][number] => ({
  lineId,
  orderLineId,
  quantity: quantities.approved - quantities.cancelled - quantities.returnless,
  received: quantities.received,
  found: inspections.map(({ outcome, disposition, quantity }) => ({ outcome, disposition, quantity })),
  reason: reason.code,
});

/** Returns our return as a shop is asked for it. */
const wantedReturn = (own: OwnReturn): WantedReturn => {
  const { returnId, rmaNumber, requestedAt, lines, rejection, order, externalRefs } = own;
  const externalId = externalRefs.find(({ platform }) => platform === order.platform)?.id;
  return {
    returnId,
    rmaNumber,
    ...(externalId !== undefined && { externalId }),
    requestedAt,
    lines: lines.map(wantedLine),
    ...(rejection !== undefined && { rejection: rejection.code }),
  };
};

/** Returns a refund as a shop is asked for it; undefined for an unknown one. */
const wantedRefund = (own: OwnReturn, refundId: string | undefined): WantedRefund | undefined => {
  const refund = own.refunds.find((candidate) => candidate.refundId === refundId);
  if (refund === undefined) return undefined;
  const { amount, breakdown } = refund;
  const lines = breakdown.lines.map(({ orderLineId, quantity, gross }) => ({
    orderLineId,
    quantity,
    gross: gross.amount,
  }));
  const shipping = breakdown.shipping.amount;
  return {
    refundId: refund.refundId,
    amount,
    lines,
    shipping,
    rest: amount.amount - shipping - sum(lines.map(({ gross }) => gross)),
  };
};

/** Returns a parcel as a shop is asked for it; undefined for one without a number, or whose number is erased. */
const wantedParcel = (own: OwnReturn, parcelId: string | undefined): WantedParcel | undefined => {
  const parcel = own.parcels.find((candidate) => candidate.parcelId === parcelId);
  if (parcel?.trackingNumber === undefined || parcel.status === 'cancelled') return undefined;
  const orderLineOf = new Map(own.lines.map(({ lineId, orderLineId }) => [lineId, orderLineId]));
  const { carrier, trackingNumber, trackingUrl, contents } = parcel;
  return {
    parcelId: parcel.parcelId,
    ...(carrier !== undefined && { carrier }),
    trackingNumber,
    ...(trackingUrl !== undefined && { trackingUrl }),
    contents: contents.flatMap(({ lineId, quantity }) => {
      const orderLineId = orderLineOf.get(lineId);
      return orderLineId === undefined ? [] : [{ orderLineId, quantity }];
    }),
  };
};

/** Statuses of our return in which a decision is still wanted. */
const decidedStatuses: Readonly<Partial<Record<EffectAction, (status: OwnReturn['status']) => boolean>>> = {
  approve: (status) => status !== 'rejected' && status !== 'cancelled' && status !== 'expired',
  reject: (status) => status === 'rejected',
  cancel: (status) => status === 'cancelled' || status === 'expired',
  close: (status) => status === 'completed',
};

const returnTakenBack = ({ action, refundId, parcelId }: Intent, own: OwnReturn): string | undefined => {
  if (decidedStatuses[action]?.(own.status) === false) return `return_${own.status}`;
  if (action === 'ship' && wantedParcel(own, parcelId) === undefined) return 'parcel_removed';
  if (action !== 'refund') return undefined;
  const refund = own.refunds.find((candidate) => candidate.refundId === refundId);
  // It is paid elsewhere, or was paid.
  return refund?.status === 'pending' ? undefined : `refund_${refund?.status ?? 'unknown'}`;
};

/**
 * Returns why a command was taken back before the shop was asked; undefined while its effect is wanted.
 * A return that was reopened, for example, is no longer to be rejected at the shop.
 */
export const takenBack = (intent: Intent, subject: Subject): string | undefined => {
  if (subject.kind === 'return') return returnTakenBack(intent, subject.own);
  const { status } = subject.withdrawal;
  return status === 'withdrawn' || status === 'answered' ? `withdrawal_${status}` : undefined;
};

const wantedOfReturn = ({ refundId, parcelId }: Intent, own: OwnReturn) => {
  const refund = wantedRefund(own, refundId);
  const parcel = wantedParcel(own, parcelId);
  return {
    return: wantedReturn(own),
    ...(refund !== undefined && { refund }),
    ...(parcel !== undefined && { parcel }),
  };
};

/** Returns what an intent wants at the shop. */
export const wantedOf = (intent: Intent, subject: Subject, paysRefunds: boolean): Wanted => ({
  key: intent.id,
  action: intent.action,
  orderId: intent.order.orderId,
  ...(intent.askedAt !== undefined && { askedAt: intent.askedAt }),
  paysRefunds,
  ...(subject.kind === 'return'
    ? wantedOfReturn(intent, subject.own)
    : intent.isByPerson !== true && { customerName: subject.withdrawal.declaration?.name ?? '' }),
});
