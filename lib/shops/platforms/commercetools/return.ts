import { ok, type Result } from '../../../runtime/result.ts';
import { sum } from '../../../runtime/sum.ts';
import { type ShopFailure, permanentFailure } from '../platform.ts';
import { clip, instant } from '../shared/fields/fields.ts';
import type {
  InspectionFinding,
  RemoteLine,
  RemoteParcel,
  RemoteReturn,
  RemoteUnits,
} from '../shared/sync/remote-return.ts';
import { lineIdOf, linesOf, type OrderNode, type ReturnInfoNode, type ReturnItemNode } from './nodes.ts';

/**
 * The meaning of a unit's state: announced, arrived, or arrived and inspected.
 * Unknown newer states count as the least.
 * https://docs.commercetools.com/api/projects/orders#returnshipmentstate
 */
const states: Readonly<
  Record<string, { readonly came: boolean; readonly disposition?: InspectionFinding['disposition'] }>
> = {
  Advised: { came: false },
  Returned: { came: true },
  BackInStock: { came: true, disposition: 'restock' },
  Unusable: { came: true, disposition: 'quarantine' },
};

/** Payment states in which nothing more is due for an item that arrived. */
const settledPaymentStates: ReadonlySet<string> = new Set(['Refunded', 'NotRefunded']);

type KnownReturnItem = ReturnItemNode & { readonly orderLineId: string };

const quantityOf = (items: readonly { readonly quantity: number }[]): number =>
  sum(items.map(({ quantity }) => quantity));

/** Returns a line. Its reason is free text, or missing. */
const lineOf = (orderLineId: string, items: readonly KnownReturnItem[]): RemoteLine => {
  const note = items.map(({ comment }) => clip(comment, 4000)).find((comment) => comment !== undefined);
  return {
    orderLineId,
    quantity: quantityOf(items),
    reason: note === undefined ? { code: 'unknown' } : { code: 'other', note },
  };
};

/**
 * Returns the disposition of goods, by their shipment state or by the decision on their money.
 * A project need not record the first. The decision on the money implies an inspection.
 */
const dispositionOf = ({
  shipmentState,
  paymentState = '',
}: ReturnItemNode): InspectionFinding['disposition'] | undefined => {
  const state = states[shipmentState];
  return (
    state?.disposition ?? (state?.came === true && settledPaymentStates.has(paymentState) ? 'quarantine' : undefined)
  );
};

const inspectionFindingsOf = (items: readonly KnownReturnItem[]): readonly InspectionFinding[] => {
  const inspected = items.flatMap((item): InspectionFinding[] => {
    const { paymentState, quantity } = item;
    const disposition = dispositionOf(item);
    // Inspected goods without a refund are refused.
    const outcome = paymentState === 'NotRefunded' ? 'refuse' : 'accept';
    return disposition === undefined ? [] : [{ outcome, disposition, quantity }];
  });
  const alike = Map.groupBy(inspected, ({ outcome, disposition }) => `${outcome} ${disposition}`);
  return [...alike.values()].flatMap((same) =>
    same.slice(0, 1).map((line) => ({ ...line, quantity: quantityOf(same) })),
  );
};

const unitsOf = (orderLineId: string, items: readonly KnownReturnItem[]): RemoteUnits => ({
  orderLineId,
  received: quantityOf(items.filter(({ shipmentState }) => states[shipmentState]?.came === true)),
  missing: 0,
  found: inspectionFindingsOf(items),
});

/** Completed if all units have arrived and nothing more is due. commercetools has no status for that. */
const statusOf = (items: readonly KnownReturnItem[]): RemoteReturn['status'] =>
  items.every(
    ({ shipmentState, paymentState = '' }) =>
      states[shipmentState]?.came === true && settledPaymentStates.has(paymentState),
  )
    ? 'completed'
    : 'approved';

const parcelsOf = ({ returnTrackingId }: ReturnInfoNode): readonly RemoteParcel[] => {
  const trackingNumber = clip(returnTrackingId, 100);
  return trackingNumber === undefined ? [] : [{ trackingNumber }];
};

/**
 * Returns the creation time of the first item.
 * For a return info that was set again, that is after its announcement.
 */
const createdAtOf = ({ items }: ReturnInfoNode, order: OrderNode): string =>
  items.flatMap(({ createdAt }) => instant(createdAt) ?? []).toSorted()[0] ?? order.createdAt;

/**
 * Returns a return info as a remote return.
 * It has no approval, because a shop announces it after its own decision. Items of one line count together, because
 * only a part of the announced units may arrive.
 */
export const remoteReturnOf = (
  order: OrderNode,
  externalId: string,
  info: ReturnInfoNode,
  fetchedAt: string,
): Result<RemoteReturn, ShopFailure> => {
  const known = new Set(linesOf(order).map(({ id }) => id));
  const items = info.items
    .filter(({ quantity }) => quantity > 0)
    .map((item): KnownReturnItem => ({ ...item, orderLineId: lineIdOf(item) ?? '' }));
  if (items.length === 0) return permanentFailure('return_without_lines');
  if (!items.every(({ orderLineId }) => known.has(orderLineId))) return permanentFailure('return_line_unknown');
  const byLine = [...Map.groupBy(items, ({ orderLineId }) => orderLineId)];
  return ok({
    platform: 'commercetools',
    externalId,
    orderId: order.id,
    status: statusOf(items),
    createdAt: instant(createdAtOf(info, order)) ?? fetchedAt,
    fetchedAt,
    initiatedBy: 'customer',
    lines: byLine.map(([id, group]) => lineOf(id, group)),
    parcels: parcelsOf(info),
    units: byLine.map(([id, group]) => unitsOf(id, group)).filter(({ received }) => received > 0),
  });
};

/** Returns a removed return info as a cancelled return. */
export const deletedRemoteReturn = (order: OrderNode, externalId: string, fetchedAt: string): RemoteReturn => ({
  platform: 'commercetools',
  externalId,
  orderId: order.id,
  status: 'cancelled',
  createdAt: instant(order.createdAt) ?? fetchedAt,
  fetchedAt,
  initiatedBy: 'customer',
  lines: [],
  parcels: [],
  units: [],
});
