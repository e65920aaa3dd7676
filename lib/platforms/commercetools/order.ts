import { fail, ok, type Result } from '../../contract/result.ts';
import { isObject } from '../../runtime/json.ts';
import type { Shop } from '../shared/http/api.ts';
import type { ShopFailure } from '../platform.ts';
import { ask } from './api.ts';
import type { OrderNode } from './nodes.ts';

const expand = ['expand', 'paymentInfo.payments[*]'] as const;

/** Answers are trusted in their fields, not in being the whole of what was asked for. */
const isOrder = (value: unknown): value is OrderNode =>
  isObject(value) &&
  typeof value['id'] === 'string' &&
  Array.isArray(value['lineItems']) &&
  isObject(value['totalPrice']);

const unreadable: ShopFailure = { kind: 'permanent', reason: 'order_unreadable' };

/**
 * Reads an order with its payments as they stand now.
 * https://docs.commercetools.com/api/projects/orders#get-order
 */
export const fetchOrder = async (shop: Shop, id: string): Promise<Result<OrderNode, ShopFailure>> => {
  const answer = await ask(shop, `orders/${id}`, [expand]);
  if (!answer.ok) return answer;
  return isOrder(answer.value) && answer.value.id === id ? ok(answer.value) : fail(unreadable);
};

/**
 * Reads the order that a payment is of; nothing where it is of a cart, or of nothing yet.
 * https://docs.commercetools.com/api/predicates/query
 *
 * @param paymentId letters, digits, dashes and underscores, which say nothing in a predicate
 */
export const fetchOrderOfPayment = async (
  shop: Shop,
  paymentId: string,
): Promise<Result<OrderNode | undefined, ShopFailure>> => {
  const where = `paymentInfo(payments(id="${paymentId}"))`;
  const answer = await ask(shop, 'orders', [['where', where], expand, ['limit', '1'], ['withTotal', 'false']]);
  if (!answer.ok) return answer;
  const results = isObject(answer.value) ? answer.value['results'] : undefined;
  if (!Array.isArray(results)) return fail(unreadable);
  const [order] = results as readonly unknown[];
  if (order === undefined) return ok(undefined);
  return isOrder(order) ? ok(order) : fail(unreadable);
};
