import { ok, type Result } from '../../contract/result.ts';
import { sum } from '../../runtime/sum.ts';
import type { ShopFailure } from '../platform.ts';
import { clip, instant } from '../shared/fields/fields.ts';
import { permanentFailure } from '../shared/http/shop-failure.ts';
import type {
  InspectionFinding,
  RemoteLine,
  RemoteParcel,
  RemoteReturn,
  RemoteUnits,
} from '../shared/sync/remote-return.ts';
import { lineIdOf, linesOf, type OrderNode, type ReturnInfoNode, type ReturnItemNode } from './nodes.ts';

/**
 * What units are: announced, here, or here and looked at. A word that has been added since says least.
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

/** Payment states in which nothing more is to be paid for an item that came. */
const settledPaymentStates: ReadonlySet<string> = new Set(['Refunded', 'NotRefunded']);

type KnownReturnItem = ReturnItemNode & { readonly orderLineId: string };

const quantityOf = (items: readonly { readonly quantity: number }[]): number =>
  sum(items.map(({ quantity }) => quantity));

/** Why it comes back is told in free text, or not at all. */
const lineOf = (orderLineId: string, items: readonly KnownReturnItem[]): RemoteLine => {
  const note = items.map(({ comment }) => clip(comment, 4000)).find((comment) => comment !== undefined);
  return {
    orderLineId,
    quantity: quantityOf(items),
    reason: note === undefined ? { code: 'unknown' } : { code: 'other', note },
  };
};

/**
 * What became of goods: where they were put, or that their money was decided on. A project need not tell the first, and
 * who decides on the money has looked at the goods.
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
  const looked = items.flatMap((item): InspectionFinding[] => {
    const { paymentState, quantity } = item;
    const disposition = dispositionOf(item);
    // That no money is given for goods that came and were looked at, is what refusing them means.
    const outcome = paymentState === 'NotRefunded' ? 'refuse' : 'accept';
    return disposition === undefined ? [] : [{ outcome, disposition, quantity }];
  });
  const alike = Map.groupBy(looked, ({ outcome, disposition }) => `${outcome} ${disposition}`);
  return [...alike.values()].flatMap((same) => same.slice(0, 1).map((one) => ({ ...one, quantity: quantityOf(same) })));
};

const unitsOf = (orderLineId: string, items: readonly KnownReturnItem[]): RemoteUnits => ({
  orderLineId,
  received: quantityOf(items.filter(({ shipmentState }) => states[shipmentState]?.came === true)),
  missing: 0,
  found: inspectionFindingsOf(items),
});

/** Ended where all of it came and nothing more is paid; there is no word for it. */
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

/** When the first of its items was made: of a return info that was set anew, that is later than it was announced. */
const createdAtOf = ({ items }: ReturnInfoNode, order: OrderNode): string =>
  items.flatMap(({ createdAt }) => instant(createdAt) ?? []).toSorted()[0] ?? order.createdAt;

/**
 * A return info as a return of ours is to follow it. Nobody approves one: announcing it is part of a shop's own process,
 * which has decided by then. Items of one line count together, because a part of what was announced may come.
 */
export const remoteReturnOf = (
  order: OrderNode,
  externalId: string,
  info: ReturnInfoNode,
  seenAt: string,
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
    createdAt: instant(createdAtOf(info, order)) ?? seenAt,
    seenAt,
    initiatedBy: 'customer',
    lines: byLine.map(([id, group]) => lineOf(id, group)),
    parcels: parcelsOf(info),
    units: byLine.map(([id, group]) => unitsOf(id, group)).filter(({ received }) => received > 0),
  });
};

/** A return info that was taken away: nothing of it is expected any more. */
export const deletedRemoteReturn = (order: OrderNode, externalId: string, seenAt: string): RemoteReturn => ({
  platform: 'commercetools',
  externalId,
  orderId: order.id,
  status: 'cancelled',
  createdAt: instant(order.createdAt) ?? seenAt,
  seenAt,
  initiatedBy: 'customer',
  lines: [],
  parcels: [],
  units: [],
});
