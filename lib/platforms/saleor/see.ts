import { fail, ok, type Result } from '../../contract/result.ts';
import type { Shop } from '../shared/http/api.ts';
import { eachPart } from '../shared/http/each-part.ts';
import type { Seen, ShopFailure } from '../platform.ts';
import { permanent } from '../shared/http/shop-failure.ts';
import { withUnread } from '../shared/fields/completeness.ts';
import { orderFacts } from './facts.ts';
import { ask } from './api.ts';
import { matchMoney } from './money-matched.ts';
import { moneyGiven } from './money-given.ts';
import { orderQuery, reasonsQuery, type OrderNode, type ReasonsNode } from './queries.ts';
import { returnOf, returnsIn } from './returns.ts';

/** Why things came back; nothing where Saleor is too old to know, which it says by refusing the question. */
const fetchReasons = async (shop: Shop, id: string): Promise<Result<ReasonsNode | undefined, ShopFailure>> => {
  const answer = await ask<{ order: ReasonsNode | null }>(shop, reasonsQuery, { id });
  if (answer.ok) return ok(answer.value.data.order ?? undefined);
  return answer.failure.kind === 'permanent' ? ok(undefined) : answer;
};

/**
 * Sees how an order stands in Saleor now: its facts, what of it came back with the money that was given for it, and other
 * money that was given back. Nothing for an order of which there is neither.
 * https://docs.saleor.io/api-reference/orders/queries/order
 */
export const see = async (
  shop: Shop,
  { orderId: id }: { readonly orderId: string },
): Promise<Result<Seen | undefined, ShopFailure>> => {
  const seenAt = new Date().toISOString();
  const answer = await ask<{ order: OrderNode | null }>(shop, orderQuery, { id });
  if (!answer.ok) return answer;
  const { data, denied } = answer.value;
  const { order } = data;
  // Saleor leaves out all of an order of which it may not show a part that every order has.
  if (order === null)
    return denied ? fail({ kind: 'retryable', reason: 'shop_denied_access' }) : permanent('shop_order_not_found');
  if (order.id !== id) return permanent('shop_order_not_found');
  const given = moneyGiven(order);
  if (!given.ok) return given;
  const nodes = returnsIn(order);
  const { read: money, unread: unreadMoney } = given.value;
  if (nodes.length === 0 && money.length === 0 && unreadMoney === undefined) return ok(undefined);
  const facts = orderFacts(order, { whole: !denied, observedAt: seenAt });
  if (!facts.ok) return facts;
  const reasons = nodes.length === 0 ? ok(undefined) : await fetchReasons(shop, id);
  if (!reasons.ok) return reasons;
  const { ofReturns, others } = matchMoney(order, money);
  const returns = eachPart(nodes, (node) => {
    const refunds = ofReturns.get(node.id) ?? [];
    const seen = returnOf(node, { order, reasons: reasons.value, refunds, seenAt });
    return seen.ok ? ok({ seen: seen.value, refunds }) : seen;
  });
  if (!returns.ok) return returns;
  const unread = returns.value.unread ?? unreadMoney;
  return ok({
    kind: 'seen',
    order: withUnread(facts.value, unread),
    returns: returns.value.read,
    refunds: others,
    ...(unread !== undefined && { unread }),
  });
};
