import { ok, type Result } from '../../contract/result.ts';
import type { Prepared, ShopFailure } from '../platform.ts';
import { fetchOrder } from './order.ts';
import { fetchMemo, refundOf } from './refund.ts';
import type { Context } from './rest.ts';
import { fetchReturn } from './return.ts';
import type { Subject } from './translate.ts';

type Seen = Extract<Prepared, { kind: 'seen' }>;

const seeReturn = async (context: Context, id: string): Promise<Result<Seen, ShopFailure>> => {
  const read = await fetchReturn(context, id);
  if (!read.ok) return read;
  const order = await fetchOrder(context, read.value.orderId);
  if (!order.ok) return order;
  return ok({ kind: 'seen', order: order.value, returns: [{ seen: read.value.seen, refunds: [] }], refunds: [] });
};

const seeMemo = async (context: Context, id: string): Promise<Result<Seen | undefined, ShopFailure>> => {
  const read = await fetchMemo(context, id);
  if (!read.ok) return read;
  const order = await fetchOrder(context, read.value.orderId);
  if (!order.ok) return order;
  const refund = refundOf(order.value, read.value.memo);
  if (!refund.ok) return refund;
  return ok(refund.value && { kind: 'seen' as const, order: order.value, returns: [], refunds: [refund.value] });
};

const seeOrder = async (context: Context, id: string): Promise<Result<Seen, ShopFailure>> => {
  const order = await fetchOrder(context, id);
  return order.ok ? ok({ kind: 'seen', order: order.value, returns: [], refunds: [] }) : order;
};

/** Sees how that which a delivery is about stands in the shop now; nothing for a credit memo that has moved no money. */
export const see = async (context: Context, { kind, id }: Subject): Promise<Result<Seen | undefined, ShopFailure>> => {
  switch (kind) {
    case 'return':
      return seeReturn(context, id);
    case 'creditmemo':
      return seeMemo(context, id);
    case 'order':
      return seeOrder(context, id);
  }
};
