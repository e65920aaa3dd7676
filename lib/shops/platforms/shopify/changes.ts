import { ok, type Result } from '../../../runtime/result.ts';
import { parseObject } from '../../../runtime/json.ts';
import {
  type PlatformChange,
  type ChangeBatch,
  type ChangeQuery,
  type ShopFailure,
  permanentFailure,
} from '../platform.ts';
import type { Shop } from '../shared/http/api.ts';
import { type ApiResponse, callApi } from './api.ts';
import { type Connection, page } from './queries.ts';

const returnsAndRefundsFields = (count: number) => `
    returns(first: ${count}) { nodes { id } ${page} }
    refunds(first: ${count}) { id return { id } }`;

/**
 * Reads orders by their time of change, the oldest first, each with its first returns and refunds.
 * It costs less than 1,000 points, see lib/shops/platforms/shopify/queries.ts.
 * https://shopify.dev/docs/api/admin-graphql/2026-10/queries/orders
 */
const changesQuery = `query ChangedOrders($search: String!, $after: String) {
  orders(first: 30, after: $after, query: $search, sortKey: UPDATED_AT) {
    nodes { id updatedAt displayRequestedEditStatus ${returnsAndRefundsFields(10)} }
    ${page}
  }
}`;

/** Reads all returns and refunds of an order that has more. */
const returnsAndRefundsQuery = `query WhatCameBack($id: ID!) {
  order(id: $id) {${returnsAndRefundsFields(250)}
  }
}`;

type Identified = { readonly id: string };

type ChangedOrderNode = Identified & {
  readonly updatedAt: string;
  readonly displayRequestedEditStatus?: string | null;
  readonly returns: Connection<Identified>;
  readonly refunds: readonly (Identified & { readonly return: Identified | null })[];
};

type ChangesData = { readonly orders: Connection<ChangedOrderNode> };

/**
 * The position of a scan.
 * `from` is the time at which its search begins. `after` is the shop's own cursor while the search has more pages.
 * `latest` is the time of change of the last result.
 */
type Position = { readonly from: string; readonly after?: string; readonly latest?: string };

/** The search lags: an order may appear in it after others that changed later. */
const overlapMs = 5 * 60_000;

/** Formats a time in whole seconds, the precision of the search. */
const inSeconds = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;

const parsePosition = (cursor: string | undefined, since: string): Position => {
  const { from, after, latest } = parseObject(cursor ?? '') ?? {};
  return {
    from: typeof from === 'string' ? from : inSeconds(Date.parse(since)),
    ...(typeof after === 'string' && { after }),
    ...(typeof latest === 'string' && { latest }),
  };
};

/**
 * Returns the start of the next scan: a little before the last result, by the shop's clock.
 * It is never before this scan.
 */
const nextScanPosition = ({ from }: Position, latest: string | undefined): Position => {
  const time = Date.parse(latest ?? '') - overlapMs;
  return { from: time > Date.parse(from) ? inSeconds(time) : from };
};

const search = async (shop: Shop, { from, after }: Position): Promise<Result<ApiResponse<ChangesData>, ShopFailure>> =>
  callApi<ChangesData>(shop, changesQuery, { search: `updated_at:>='${from}'`, after: after ?? null });

/** Whether the query itself may have failed. Some of its errors have no code, like internal ones. */
const isRejection = ({ kind, reason }: ShopFailure): boolean => kind === 'permanent' || reason === 'shop_error';

type ReturnsAndRefunds = Pick<ChangedOrderNode, 'returns' | 'refunds'>;

/** Reads the returns and refunds of an order. Refunds are a list without a cursor, so it requests a longer list. */
const readReturnsAndRefunds = async (
  shop: Shop,
  order: ChangedOrderNode,
): Promise<Result<ReturnsAndRefunds, ShopFailure>> => {
  if (!order.returns.pageInfo.hasNextPage && order.refunds.length < 10) return ok(order);
  const answer = await callApi<{ order: ReturnsAndRefunds | null }>(shop, returnsAndRefundsQuery, { id: order.id });
  if (!answer.ok) return answer;
  return answer.value.denied.length > 0 ? permanentFailure('shop_denied_access') : ok(answer.value.data.order ?? order);
};

/** Returns the change of an order with requests of its consumer. After an answer of the shop, its note ends. */
const editChangeOf = ({ id, updatedAt, displayRequestedEditStatus: status }: ChangedOrderNode) =>
  (status ?? 'NONE') === 'NONE'
    ? []
    : [
        {
          topic: `requested_order_edit/${status === 'REQUESTED' ? 'created' : 'resolved'}`,
          deliveryId: `${id}@${updatedAt}`,
          body: { order: { admin_graphql_api_id: id } },
        },
      ];

/** Returns the changes of an order. A refund of a return is part of the return. */
const changesOf = ({ returns, refunds }: ReturnsAndRefunds, order: ChangedOrderNode): readonly PlatformChange[] => {
  const change = (topic: string, gid: string): PlatformChange => ({
    topic,
    deliveryId: `${gid}@${order.updatedAt}`,
    body: { admin_graphql_api_id: gid },
  });
  return [
    ...editChangeOf(order),
    ...returns.nodes.map(({ id }) => change('returns/update', id)),
    ...refunds.filter((refund) => refund.return === null).map(({ id }) => change('refunds/create', id)),
  ];
};

/**
 * Finds the returns, the refunds without one, and the requests of consumers of changed orders.
 * A return has no time of change, but its changes change its order. The id of each change contains the order's time of
 * change. So it is reported again only after another change. A page has 30 orders. A token without `read_all_orders`
 * cannot read orders older than 60 days.
 * https://shopify.dev/docs/api/admin-graphql/2026-10/queries/orders
 */
export const fetchChanges = async (
  shop: Shop,
  { cursor, since }: ChangeQuery,
): Promise<Result<ChangeBatch, ShopFailure>> => {
  let position = parsePosition(cursor, since);
  let answer = await search(shop, position);
  if (!answer.ok && isRejection(answer.failure) && position.after !== undefined) {
    // The shop rejects its own cursor. The scan restarts, and repeated changes are known already.
    position = { from: position.from };
    answer = await search(shop, position);
  }
  if (!answer.ok) return answer;
  if (answer.value.denied.length > 0) return permanentFailure('shop_denied_access');
  const { nodes, pageInfo } = answer.value.data.orders;
  const found: PlatformChange[] = [];
  for (const order of nodes) {
    const whole = await readReturnsAndRefunds(shop, order);
    if (!whole.ok) return whole;
    found.push(...changesOf(whole.value, order));
  }
  const latest = nodes.at(-1)?.updatedAt ?? position.latest;
  const more = pageInfo.hasNextPage && pageInfo.endCursor !== null;
  const next: Position = more
    ? { from: position.from, after: pageInfo.endCursor ?? '', ...(latest !== undefined && { latest }) }
    : nextScanPosition(position, latest);
  return ok({ found, cursor: JSON.stringify(next), more });
};
