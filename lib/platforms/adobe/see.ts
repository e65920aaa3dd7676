import { ok, type Result } from '../../contract/result.ts';
import type { Seen, ShopFailure } from '../platform.ts';
import { withUnread } from '../shared/fields/completeness.ts';
import { fetchOrder } from './order.ts';
import { fetchMemo, refundOf } from './refund.ts';
import type { RegisteredShop } from './api.ts';
import { fetchReturn } from './return.ts';
import type { Subject } from './translate.ts';

const seeReturn = async (shop: RegisteredShop, id: string): Promise<Result<Seen, ShopFailure>> => {
  const read = await fetchReturn(shop, id);
  if (!read.ok) return read;
  const order = await fetchOrder(shop, read.value.orderId);
  if (!order.ok) return order;
  const { seen, unread } = read.value;
  const returns = [{ seen, refunds: [] }];
  const noted = withUnread(order.value, unread);
  return ok({ kind: 'seen', order: noted, returns, refunds: [], ...(unread !== undefined && { unread }) });
};

const seeMemo = async (shop: RegisteredShop, id: string): Promise<Result<Seen | undefined, ShopFailure>> => {
  const read = await fetchMemo(shop, id);
  if (!read.ok) return read;
  const order = await fetchOrder(shop, read.value.orderId);
  if (!order.ok) return order;
  const refund = refundOf(order.value, read.value.memo);
  if (!refund.ok) return refund;
  return ok(refund.value && { kind: 'seen' as const, order: order.value, returns: [], refunds: [refund.value] });
};

const seeOrder = async (shop: RegisteredShop, id: string): Promise<Result<Seen, ShopFailure>> => {
  const order = await fetchOrder(shop, id);
  return order.ok ? ok({ kind: 'seen', order: order.value, returns: [], refunds: [] }) : order;
};

/** Sees how that which a delivery is about stands in the shop now; nothing for a credit memo that has moved no money. */
export const see = async (
  shop: RegisteredShop,
  { kind, id }: Subject,
): Promise<Result<Seen | undefined, ShopFailure>> => {
  switch (kind) {
    case 'return':
      return seeReturn(shop, id);
    case 'creditmemo':
      return seeMemo(shop, id);
    case 'order':
      return seeOrder(shop, id);
  }
};
