import { ok, type Result } from '../../../runtime/result.ts';
import { sum } from '../../../runtime/sum.ts';
import { permanentFailure, type ShopFailure } from '../platform.ts';
import { instant } from '../shared/fields/fields.ts';
import type { Shop } from '../shared/http/api.ts';
import type { RemoteRefund } from '../shared/sync/remote-return.ts';
import { callApi } from './api.ts';
import type { LineNode } from './queries.ts';
import { fetchRefund, type RefundReading } from './refund.ts';

/*
 * When staff removes units from an order, Shopify makes a refund with their lines and without a transaction. Staff then
 * refunds the money apart, in a refund with a transaction and without lines. The first gives the units back. The second
 * pays for them if its amount is that of the units.
 * https://shopify.dev/docs/apps/build/orders-fulfillment/order-management-apps/edit-orders
 */

/** Units of a line of an order. */
type Units = { readonly orderLineId: string; readonly quantity: number };

/** The removals of an order. */
export type Removals = {
  /** The units that left the order without money, by line. */
  readonly units: ReadonlyMap<string, number>;
  /** Those that left it after its first return. The service keeps the sold units of an order with returns. */
  readonly afterReturn: ReadonlyMap<string, number>;
  /** The removed units that a refund without lines pays for, by its global id. */
  readonly paidBy: ReadonlyMap<string, readonly Units[]>;
  /** Whether all refunds are readable. */
  readonly whole: boolean;
};

export const noRemovals: Removals = { units: new Map(), afterReturn: new Map(), paidBy: new Map(), whole: true };

/** The maximum number of refunds, each of which is a request. */
const maxRefunds = 50;

const refundsQuery = `query RefundsOfOrder($id: ID!) {
  order(id: $id) {
    refunds(first: ${maxRefunds}) { id return { id } }
    returns(first: 50) { nodes { createdAt } }
  }
}`;

type RefundsData = {
  readonly order: {
    readonly refunds: readonly { readonly id: string; readonly return: object | null }[];
    readonly returns: { readonly nodes: readonly { readonly createdAt: string }[] };
  } | null;
};

type Reading = Pick<RefundReading, 'refund' | 'removal' | 'createdAt'> & { readonly gid: string };

/** Whether a refund pays for units that it does not name. */
const isWithoutLines = ({ lines, shipping }: RemoteRefund): boolean => lines === undefined && shipping === undefined;

/** Adds up units by line. */
const byLine = (units: readonly Units[]): ReadonlyMap<string, number> =>
  new Map(
    Array.from(
      Map.groupBy(units, ({ orderLineId }) => orderLineId),
      ([id, lines]) => [id, sum(lines.map(({ quantity }) => quantity))],
    ),
  );

/**
 * Finds the removals of an order, and the refunds without lines that pay for them: later ones of the same amount.
 * Once the order has a return, neither changes the sold units that were read before it.
 */
const removalsIn = (readings: readonly Reading[], returnedAt: string | undefined): Omit<Removals, 'whole'> => {
  const inOrder = readings.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
  const isAfterReturn = (at: string): boolean => returnedAt !== undefined && at >= returnedAt;
  const paidBy = new Map<string, readonly Units[]>();
  const [before, after]: [Units[], Units[]] = [[], []];
  for (const { removal, createdAt } of inOrder) {
    if (removal === undefined) continue;
    const isAfter = isAfterReturn(createdAt);
    const paying = inOrder.find(({ gid, refund, createdAt: at }) => {
      const paid = refund.ok ? refund.value : undefined;
      const isLater = at >= createdAt && (isAfter || !isAfterReturn(at));
      return paid && isWithoutLines(paid) && isLater && !paidBy.has(gid) && paid.amount.amount === removal.worth;
    });
    if (paying !== undefined) paidBy.set(paying.gid, removal.lines);
    else (isAfter ? after : before).push(...removal.lines);
  }
  return { units: byLine(before), afterReturn: byLine(after), paidBy };
};

/**
 * Reads the removals of an order.
 *
 * @param lines an order whose lines all have their units has none, and no request is made
 */
export const fetchRemovals = async (
  shop: Shop,
  orderGid: string,
  lines?: readonly Pick<LineNode, 'quantity' | 'currentQuantity'>[],
): Promise<Result<Removals, ShopFailure>> => {
  const isUnchanged = lines?.every(({ quantity, currentQuantity }) => (currentQuantity ?? quantity) >= quantity);
  if (isUnchanged === true) return ok(noRemovals);
  const answer = await callApi<RefundsData>(shop, refundsQuery, { id: orderGid });
  if (!answer.ok) return answer;
  if (answer.value.data.order === null) return permanentFailure('shop_order_not_found');
  const { refunds, returns } = answer.value.data.order;
  const readings: Reading[] = [];
  let whole = refunds.length < maxRefunds;
  for (const { id: gid } of refunds.filter((refund) => refund.return === null)) {
    const read = await fetchRefund(shop, gid);
    if (read.ok) readings.push({ gid, ...read.value });
    else if (read.failure.kind === 'retryable') return read;
    else whole = false;
  }
  const [returnedAt] = returns.nodes.flatMap(({ createdAt }) => instant(createdAt) ?? []).toSorted();
  return ok({ ...removalsIn(readings, returnedAt), whole });
};

/** Returns a refund with the removed units that it pays for. Only a refund without lines needs a request. */
export const withRemovedUnits = async (
  shop: Shop,
  gid: string,
  { refund, orderGid }: RefundReading,
): Promise<Result<RefundReading['refund'], ShopFailure>> => {
  if (!refund.ok || refund.value === undefined || !isWithoutLines(refund.value)) return ok(refund);
  const removals = await fetchRemovals(shop, orderGid);
  if (!removals.ok) return removals;
  const lines = removals.value.paidBy.get(gid);
  return ok(lines === undefined ? refund : ok({ ...refund.value, lines: [...lines] }));
};
