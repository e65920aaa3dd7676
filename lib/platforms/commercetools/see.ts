import { ok, type Result } from '../../contract/result.ts';
import type { SeenRefund, SeenReturn } from '../shared/sync/seen.ts';
import type { Shop } from '../shared/http/api.ts';
import { eachPart } from '../shared/http/each-part.ts';
import type { Seen, ShopFailure } from '../platform.ts';
import { withUnread } from '../shared/fields/completeness.ts';
import { permanent } from '../shared/http/shop-failure.ts';
import { orderFacts } from './facts.ts';
import { identified, orderIdOf } from './identity.ts';
import type { OrderNode } from './nodes.ts';
import { fetchOrder, fetchOrderOfPayment } from './order.ts';
import { refundsOf } from './refunds.ts';
import { removedReturn, seenReturn } from './return.ts';
import type { Subject } from './translate.ts';

/**
 * The return that a refund was for: the one that had begun by then. A transaction names none, so of several it is of
 * none of them; one that was the only one stays so, whatever begins later.
 */
const returnOf = ({ occurredAt }: SeenRefund, returns: readonly SeenReturn[]): SeenReturn | undefined => {
  const [only, ...others] = returns.filter(({ createdAt }) => createdAt <= occurredAt);
  return others.length === 0 ? only : undefined;
};

/** What an order comes to; where nothing of it came back and no money went back, only if that itself may be news. */
const seeOrder = (order: OrderNode, seenAt: string, mayBeNews: boolean): Result<Seen | undefined, ShopFailure> => {
  const infos = identified(order.id, order.returnInfo ?? []);
  const returns = eachPart(infos, ({ externalId, info }) => seenReturn(order, externalId, info, seenAt));
  if (!returns.ok) return returns;
  const { read } = returns.value;
  const refunds = refundsOf(order);
  if (!refunds.ok) return refunds;
  const given = refunds.value;
  const isNothing = infos.length + given.read.length === 0 && given.unread === undefined;
  if (isNothing && !mayBeNews) return ok(undefined);
  const facts = orderFacts(order, seenAt);
  if (!facts.ok) return facts;
  // Whose money is depends on all returns there are: with one unread, it waits.
  const told = returns.value.unread === undefined ? given.read : [];
  const unread = returns.value.unread ?? given.unread;
  const byReturn = Map.groupBy(told, (refund) => returnOf(refund, read)?.externalId);
  return ok({
    kind: 'seen',
    order: withUnread(facts.value, unread),
    returns: read.map((seen) => ({ seen, refunds: byReturn.get(seen.externalId) ?? [] })),
    refunds: byReturn.get(undefined) ?? [],
    // One that could not be read is there all the same.
    ...(returns.value.unread === undefined && { isAll: true }),
    ...(unread !== undefined && { unread }),
  });
};

/**
 * Sees how the order stands now that a delivery is about. Nothing for a payment that is of none, and for an order that
 * changed for other reasons than returns.
 *
 * @param wasSet whether its return info was set anew: then that there is none says that some was taken away
 */
export const see = async (
  shop: Shop,
  { kind, id }: Subject,
  wasSet: boolean,
): Promise<Result<Seen | undefined, ShopFailure>> => {
  const seenAt = new Date().toISOString();
  const order = kind === 'order' ? await fetchOrder(shop, id) : await fetchOrderOfPayment(shop, id);
  if (!order.ok) return order;
  return order.value === undefined ? ok(undefined) : seeOrder(order.value, seenAt, wasSet);
};

/** Sees one return again; one that its order does not have any more was taken away. */
export const look = async (shop: Shop, externalId: string): Promise<Result<SeenReturn, ShopFailure>> => {
  const seenAt = new Date().toISOString();
  const orderId = orderIdOf(externalId);
  if (orderId === undefined) return permanent('return_id_unknown');
  const order = await fetchOrder(shop, orderId);
  if (!order.ok) return order;
  const own = identified(orderId, order.value.returnInfo ?? []).find((one) => one.externalId === externalId);
  return own === undefined
    ? ok(removedReturn(order.value, externalId, seenAt))
    : seenReturn(order.value, externalId, own.info, seenAt);
};
