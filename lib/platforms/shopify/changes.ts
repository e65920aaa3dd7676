import { ok, type Result } from '../../contract/result.ts';
import { parseObject } from '../../runtime/json.ts';
import type { PlatformChange, ChangeBatch, ChangeQuery, ShopFailure } from '../platform.ts';
import type { Shop } from '../shared/http/api.ts';
import { permanentFailure } from '../shared/http/shop-failure.ts';
import { type ApiResponse, callApi } from './api.ts';
import { type Connection, page } from './queries.ts';

const returnsAndRefundsFields = (count: number) => `
    returns(first: ${count}) { nodes { id } ${page} }
    refunds(first: ${count}) { id return { id } }`;

/**
 * Orders by when they changed, the longest ago first, each with its first returns and refunds; below 1,000 points, as
 * lib/platforms/shopify/queries.ts says.
 * https://shopify.dev/docs/api/admin-graphql/2026-07/queries/orders
 */
const changesQuery = `query ChangedOrders($search: String!, $after: String) {
  orders(first: 30, after: $after, query: $search, sortKey: UPDATED_AT) {
    nodes { id updatedAt ${returnsAndRefundsFields(10)} }
    ${page}
  }
}`;

/** All returns and refunds of an order that has more of them. */
const returnsAndRefundsQuery = `query WhatCameBack($id: ID!) {
  order(id: $id) {${returnsAndRefundsFields(250)}
  }
}`;

type Identified = { readonly id: string };

type ChangedOrderNode = Identified & {
  readonly updatedAt: string;
  readonly returns: Connection<Identified>;
  readonly refunds: readonly (Identified & { readonly return: Identified | null })[];
};

type ChangesData = { readonly orders: Connection<ChangedOrderNode> };

/**
 * Where a walk is. `from` is the time that its search begins at, `after` the shop's own cursor within that search while
 * it has more to tell, and `latest` when what was last found had changed.
 */
type Position = { readonly from: string; readonly after?: string; readonly latest?: string };

/** The search trails the shop: an order may turn up in it after others that have changed later. */
const overlapMs = 5 * 60_000;

/** The search knows whole seconds. */
const inSeconds = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;

const parsePosition = (cursor: string | undefined, since: string): Position => {
  const { from, after, latest } = parseObject(cursor ?? '') ?? {};
  return {
    from: typeof from === 'string' ? from : inSeconds(Date.parse(since)),
    ...(typeof after === 'string' && { after }),
    ...(typeof latest === 'string' && { latest }),
  };
};

/** Where the next walk begins: at what was found last, by the shop's clock, and somewhat before; never before this one. */
const nextScanPosition = ({ from }: Position, latest: string | undefined): Position => {
  const time = Date.parse(latest ?? '') - overlapMs;
  return { from: time > Date.parse(from) ? inSeconds(time) : from };
};

const search = async (shop: Shop, { from, after }: Position): Promise<Result<ApiResponse<ChangesData>, ShopFailure>> =>
  callApi<ChangesData>(shop, changesQuery, { search: `updated_at:>='${from}'`, after: after ?? null });

/** Whether the query itself may be what fails: some errors of it come without a code, as those of the machinery do. */
const isRefusal = ({ kind, reason }: ShopFailure): boolean => kind === 'permanent' || reason === 'shop_error';

type ReturnsAndRefunds = Pick<ChangedOrderNode, 'returns' | 'refunds'>;

/** The returns and refunds of an order; the refunds are a list without a cursor, so more are found by asking for more. */
const readReturnsAndRefunds = async (
  shop: Shop,
  order: ChangedOrderNode,
): Promise<Result<ReturnsAndRefunds, ShopFailure>> => {
  if (!order.returns.pageInfo.hasNextPage && order.refunds.length < 10) return ok(order);
  const answer = await callApi<{ order: ReturnsAndRefunds | null }>(shop, returnsAndRefundsQuery, { id: order.id });
  if (!answer.ok) return answer;
  return answer.value.denied.length > 0 ? permanentFailure('shop_denied_access') : ok(answer.value.data.order ?? order);
};

/** A refund for a return is seen with the return. */
const changesOf = ({ returns, refunds }: ReturnsAndRefunds, updatedAt: string): readonly PlatformChange[] => {
  const change = (topic: string, gid: string): PlatformChange => ({
    topic,
    deliveryId: `${gid}@${updatedAt}`,
    body: { admin_graphql_api_id: gid },
  });
  return [
    ...returns.nodes.map(({ id }) => change('returns/update', id)),
    ...refunds.filter((refund) => refund.return === null).map(({ id }) => change('refunds/create', id)),
  ];
};

/**
 * Finds the returns, and the money without one, of orders that have changed: a return has no time of change of its own,
 * and what happens to it changes its order. Each is named by itself and by its order's change, so that it is told again
 * only after another. A page is 30 orders. A token without `read_all_orders` sees none that are older than 60 days.
 * https://shopify.dev/docs/api/admin-graphql/2026-07/queries/orders
 */
export const fetchChanges = async (
  shop: Shop,
  { cursor, since }: ChangeQuery,
): Promise<Result<ChangeBatch, ShopFailure>> => {
  let place = parsePosition(cursor, since);
  let answer = await search(shop, place);
  if (!answer.ok && isRefusal(answer.failure) && place.after !== undefined) {
    // The shop no longer knows its own cursor: what it had told is known, and told again.
    place = { from: place.from };
    answer = await search(shop, place);
  }
  if (!answer.ok) return answer;
  if (answer.value.denied.length > 0) return permanentFailure('shop_denied_access');
  const { nodes, pageInfo } = answer.value.data.orders;
  const found: PlatformChange[] = [];
  for (const order of nodes) {
    const whole = await readReturnsAndRefunds(shop, order);
    if (!whole.ok) return whole;
    found.push(...changesOf(whole.value, order.updatedAt));
  }
  const latest = nodes.at(-1)?.updatedAt ?? place.latest;
  const more = pageInfo.hasNextPage && pageInfo.endCursor !== null;
  const next: Position = more
    ? { from: place.from, after: pageInfo.endCursor ?? '', ...(latest !== undefined && { latest }) }
    : nextScanPosition(place, latest);
  return ok({ found, cursor: JSON.stringify(next), more });
};
