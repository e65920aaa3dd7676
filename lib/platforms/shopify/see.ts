import { ok, type Result } from '../../contract/result.ts';
import type { Shop } from '../shared/http/api.ts';
import type { SeenRefund } from '../shared/sync/seen.ts';
import type { Seen, ShopFailure } from '../platform.ts';
import { fetchOrder } from './order.ts';
import { fetchRefund } from './refund.ts';
import { fetchReturn } from './return.ts';
import { fetchReturnsOf } from './reverse-order.ts';
import type { Subject } from './translate.ts';

/** What a delivery leads to: returns of one order, or money that is of none of them. */
type Lead =
  | { readonly kind: 'returns'; readonly gids: readonly string[]; readonly refundGid?: string }
  | { readonly kind: 'refund'; readonly orderGid: string; readonly refund: SeenRefund }
  | { readonly kind: 'nothing' };

const leadOf = async (shop: Shop, { kind, gid }: Subject): Promise<Result<Lead, ShopFailure>> => {
  if (kind === 'Return') return ok({ kind: 'returns', gids: [gid] });
  if (kind === 'ReverseFulfillmentOrder') {
    const returns = await fetchReturnsOf(shop, gid);
    return returns.ok ? ok({ kind: 'returns', gids: returns.value }) : returns;
  }
  const read = await fetchRefund(shop, gid);
  if (!read.ok) return read;
  const { refund, orderGid, returnGid } = read.value;
  if (refund === undefined) return ok({ kind: 'nothing' });
  return ok(
    returnGid === undefined
      ? { kind: 'refund', orderGid, refund }
      : { kind: 'returns', gids: [returnGid], refundGid: gid },
  );
};

const fetchRefunds = async (
  shop: Shop,
  gids: readonly string[],
): Promise<Result<readonly SeenRefund[], ShopFailure>> => {
  const refunds: SeenRefund[] = [];
  for (const gid of gids) {
    const read = await fetchRefund(shop, gid);
    if (!read.ok) return read;
    if (read.value.refund !== undefined) refunds.push(read.value.refund);
  }
  return ok(refunds);
};

const seeReturns = async (
  shop: Shop,
  gids: readonly string[],
  refundGids: readonly string[],
): Promise<Result<Omit<Seen, 'order'> & { readonly orderGid: string }, ShopFailure>> => {
  const returns: Seen['returns'][number][] = [];
  let orderGid = '';
  for (const gid of gids) {
    const read = await fetchReturn(shop, gid);
    if (!read.ok) return read;
    const refunds = await fetchRefunds(shop, [...new Set([...read.value.refundGids, ...refundGids])]);
    if (!refunds.ok) return refunds;
    returns.push({ seen: read.value.seen, refunds: refunds.value });
    ({ orderGid } = read.value);
  }
  return ok({ kind: 'seen', returns, refunds: [], orderGid });
};

/**
 * Sees how that which a delivery is about stands in the shop now: the order, the returns of it with the money that was
 * given for them, or money that is of no return. Nothing for a refund that has moved no money.
 */
export const see = async (shop: Shop, subject: Subject): Promise<Result<Seen | undefined, ShopFailure>> => {
  const lead = await leadOf(shop, subject);
  if (!lead.ok) return lead;
  if (lead.value.kind === 'nothing') return ok(undefined);
  const seen =
    lead.value.kind === 'returns'
      ? await seeReturns(shop, lead.value.gids, lead.value.refundGid === undefined ? [] : [lead.value.refundGid])
      : ok({ kind: 'seen' as const, returns: [], refunds: [lead.value.refund], orderGid: lead.value.orderGid });
  if (!seen.ok) return seen;
  const { orderGid, ...rest } = seen.value;
  const order = await fetchOrder(shop, orderGid);
  return order.ok ? ok({ ...rest, order: order.value }) : order;
};
