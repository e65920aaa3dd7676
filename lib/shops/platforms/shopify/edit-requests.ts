import { ok, type Result } from '../../../runtime/result.ts';
import { isRightOfWithdrawal } from '../../../domain/policies/law/statutory-rules.ts';
import type { OrderFacts, RemoteWithdrawal, ShopFailure } from '../platform.ts';
import { discrepancy, withDiscrepancies } from '../shared/fields/completeness.ts';
import { instant, optional } from '../shared/fields/fields.ts';
import type { Shop } from '../shared/http/api.ts';
import { callApi, readPages } from './api.ts';
import { type Connection, page } from './queries.ts';
import { digitsOf } from './words.ts';

/*
 * Requests of consumers to remove unsent lines from an order, from API version 2026-10 on. Shopify does not ask why. So
 * a request is a withdrawal where a law lets the consumer withdraw without a reason. Elsewhere the shop decides.
 * https://shopify.dev/docs/api/admin-graphql/2026-10/objects/RequestedOrderEdit
 */

/** A request has at most 50 lines. Their first page is the whole of it. */
const removals = `lineItems { removals(first: 50) { nodes { quantity lineItem { id } } ${page} } }`;

const editsQuery = `query RequestedOrderEdits($id: ID!, $after: String) {
  order(id: $id) {
    requestedOrderEdits(first: 5, after: $after) { nodes { id status requestedAt ${removals} } ${page} }
  }
}`;

type EditNode = {
  readonly id: string;
  readonly status: string;
  readonly requestedAt: string;
  readonly lineItems: {
    readonly removals: Connection<{ readonly quantity: number; readonly lineItem: { readonly id: string } }>;
  };
};
type EditsData = { readonly order: { readonly requestedOrderEdits: Connection<EditNode> } | null };

/** What is read of an order with requests. */
export type WithEditRequests = { readonly order: OrderFacts; readonly withdrawals: readonly RemoteWithdrawal[] };

type Units = { readonly orderLineId: string; readonly quantity: number };

/** Returns the requested units that the order has, each line once. */
const unitsOf = ({ lineItems }: EditNode, { lines }: OrderFacts): readonly Units[] => {
  const wanted = Map.groupBy(lineItems.removals.nodes, ({ lineItem }) => digitsOf(lineItem.id));
  return lines.flatMap(({ lineId, quantity }) => {
    const units = (wanted.get(lineId) ?? []).reduce((sum, removal) => sum + removal.quantity, 0);
    return units > 0 ? [{ orderLineId: lineId, quantity: Math.min(units, quantity) }] : [];
  });
};

const isWholeOrder = (units: readonly Units[], { lines }: OrderFacts): boolean =>
  lines.every(({ lineId, quantity }) =>
    units.some((unit) => unit.orderLineId === lineId && unit.quantity === quantity),
  );

/** Names the requested goods for the receipt. */
const goodsOf = (units: readonly Units[], { lines }: OrderFacts): string =>
  units
    .map(({ orderLineId, quantity }) => {
      const line = lines.find(({ lineId }) => lineId === orderLineId);
      return `${quantity} × ${line?.title ?? line?.sku ?? orderLineId}`;
    })
    .join(', ')
    .slice(0, 2000)
    .toWellFormed();

/** Returns the withdrawal that a request declares; undefined without an address for its receipt. */
const withdrawalOf = (edit: EditNode, order: OrderFacts): RemoteWithdrawal | undefined => {
  const { email, name } = order.customer ?? {};
  if (email === undefined || !/^[^@\s]+@[^@\s]+$/.test(email)) return undefined;
  const units = edit.lineItems.removals.pageInfo.hasNextPage ? [] : unitsOf(edit, order);
  const isWhole = units.length > 0 && isWholeOrder(units, order);
  const requestedAt = instant(edit.requestedAt) ?? order.observedAt;
  const lines = units.length === 0 ? 'The lines of the request are in the shop.' : goodsOf(units, order);
  return {
    declaration: {
      name: name ?? email.slice(0, 200),
      email,
      contract: order.number ?? order.orderId,
      ...(!isWhole && { lines }),
      platform: 'shopify',
      // The clock of the shop may be ahead.
      declaredAt: requestedAt < order.observedAt ? requestedAt : order.observedAt,
      source: { platform: 'shopify', externalId: `edit-${digitsOf(edit.id)}` },
    },
    ...optional('covers', isWhole ? ('whole_order' as const) : units.length > 0 ? units : undefined),
  };
};

/** Returns the note for staff: the request and its units. */
const noteOf = (edit: EditNode, order: OrderFacts) => {
  const units = unitsOf(edit, order).map(({ orderLineId, quantity }) => `${orderLineId} x ${quantity}`);
  return discrepancy('order_edit_requested', `${digitsOf(edit.id)}: ${units.join(', ')}`);
};

/**
 * Reads the requests of consumers that the shop has not answered.
 * Each is a withdrawal, or a note for staff where no law grants a right to withdraw. A note makes the order `partial`
 * until the shop answers the request.
 */
export const fetchEditRequests = async (
  shop: Shop,
  orderGid: string,
  order: OrderFacts,
): Promise<Result<WithEditRequests, ShopFailure>> => {
  const read = await readPages<EditNode>(
    { nodes: [], pageInfo: { hasNextPage: true, endCursor: '' } },
    async (after) => {
      const variables = { id: orderGid, after: after === '' ? null : after };
      const answer = await callApi<EditsData>(shop, editsQuery, variables);
      return answer.ok ? ok(answer.value.data.order?.requestedOrderEdits) : answer;
    },
  );
  if (!read.ok) return read;
  const open = read.value.nodes.filter(({ status }) => status === 'REQUESTED');
  const hasRight = isRightOfWithdrawal(order);
  const found = open.map((edit) => ({ edit, withdrawal: hasRight ? withdrawalOf(edit, order) : undefined }));
  const notes = found.flatMap(({ edit, withdrawal }) => (withdrawal === undefined ? [noteOf(edit, order)] : []));
  return ok({
    order: withDiscrepancies(order, [...notes, ...(read.value.whole ? [] : [discrepancy('order_edits_unread')])]),
    withdrawals: found.flatMap(({ withdrawal }) => withdrawal ?? []),
  });
};
