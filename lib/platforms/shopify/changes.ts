import { ok, type Result } from '../../contract/result.ts';
import { parseObject } from '../../runtime/json.ts';
import type { Change, Changes, From, ShopFailure } from '../platform.ts';
import type { Shop } from '../shared/http/api.ts';
import { permanent } from '../shared/http/shop-failure.ts';
import { type Answer, ask } from './api.ts';
import { type Connection, page } from './queries.ts';

const cameBack = (count: number) => `
    returns(first: ${count}) { nodes { id } ${page} }
    refunds(first: ${count}) { id return { id } }`;

/**
 * Orders by when they changed, the longest ago first, each with its first returns and refunds; below 1,000 points, as
 * lib/platforms/shopify/queries.ts says.
 * https://shopify.dev/docs/api/admin-graphql/2026-07/queries/orders
 */
const changesQuery = `query ChangedOrders($search: String!, $after: String) {
  orders(first: 30, after: $after, query: $search, sortKey: UPDATED_AT) {
    nodes { id updatedAt ${cameBack(10)} }
    ${page}
  }
}`;

/** All returns and refunds of an order that has more of them. */
const whatCameBackQuery = `query WhatCameBack($id: ID!) {
  order(id: $id) {${cameBack(250)}
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
type Place = { readonly from: string; readonly after?: string; readonly latest?: string };

/** The search trails the shop: an order may turn up in it after others that have changed later. */
const overlapMs = 5 * 60_000;

/** The search knows whole seconds. */
const inSeconds = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;

const placeIn = (cursor: string | undefined, since: string): Place => {
  const { from, after, latest } = parseObject(cursor ?? '') ?? {};
  return {
    from: typeof from === 'string' ? from : inSeconds(Date.parse(since)),
    ...(typeof after === 'string' && { after }),
    ...(typeof latest === 'string' && { latest }),
  };
};

/** Where the next walk begins: at what was found last, by the shop's clock, and somewhat before; never before this one. */
const nextStart = ({ from }: Place, latest: string | undefined): Place => {
  const time = Date.parse(latest ?? '') - overlapMs;
  return { from: time > Date.parse(from) ? inSeconds(time) : from };
};

const search = async (shop: Shop, { from, after }: Place): Promise<Result<Answer<ChangesData>, ShopFailure>> =>
  ask<ChangesData>(shop, changesQuery, { search: `updated_at:>='${from}'`, after: after ?? null });

/** Whether the query itself may be what fails: some errors of it come without a code, as those of the machinery do. */
const isRefusal = ({ kind, reason }: ShopFailure): boolean => kind === 'permanent' || reason === 'shop_error';

type CameBack = Pick<ChangedOrderNode, 'returns' | 'refunds'>;

/** The returns and refunds of an order; the refunds are a list without a cursor, so more are found by asking for more. */
const readWhole = async (shop: Shop, order: ChangedOrderNode): Promise<Result<CameBack, ShopFailure>> => {
  if (!order.returns.pageInfo.hasNextPage && order.refunds.length < 10) return ok(order);
  const answer = await ask<{ order: CameBack | null }>(shop, whatCameBackQuery, { id: order.id });
  if (!answer.ok) return answer;
  return answer.value.denied.length > 0 ? permanent('shop_denied_access') : ok(answer.value.data.order ?? order);
};

/** A refund for a return is seen with the return. */
const changesOf = ({ returns, refunds }: CameBack, updatedAt: string): readonly Change[] => {
  const change = (topic: string, gid: string): Change => ({
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
export const changedSince = async (shop: Shop, { cursor, since }: From): Promise<Result<Changes, ShopFailure>> => {
  let place = placeIn(cursor, since);
  let answer = await search(shop, place);
  if (!answer.ok && isRefusal(answer.failure) && place.after !== undefined) {
    // The shop no longer knows its own cursor: what it had told is known, and told again.
    place = { from: place.from };
    answer = await search(shop, place);
  }
  if (!answer.ok) return answer;
  if (answer.value.denied.length > 0) return permanent('shop_denied_access');
  const { nodes, pageInfo } = answer.value.data.orders;
  const found: Change[] = [];
  for (const order of nodes) {
    const whole = await readWhole(shop, order);
    if (!whole.ok) return whole;
    found.push(...changesOf(whole.value, order.updatedAt));
  }
  const latest = nodes.at(-1)?.updatedAt ?? place.latest;
  const more = pageInfo.hasNextPage && pageInfo.endCursor !== null;
  const next: Place = more
    ? { from: place.from, after: pageInfo.endCursor ?? '', ...(latest !== undefined && { latest }) }
    : nextStart(place, latest);
  return ok({ found, cursor: JSON.stringify(next), more });
};
