import { page, type Connection } from './queries.ts';

const cameBack = (count: number) => `
    returns(first: ${count}) { nodes { id } ${page} }
    refunds(first: ${count}) { id return { id } }`;

/**
 * Orders by when they changed, the longest ago first, each with its first returns and refunds; below 1,000 points, as
 * lib/platforms/shopify/queries.ts says.
 * https://shopify.dev/docs/api/admin-graphql/2026-07/queries/orders
 */
export const changesQuery = `query ChangedOrders($search: String!, $after: String) {
  orders(first: 30, after: $after, query: $search, sortKey: UPDATED_AT) {
    nodes { id updatedAt ${cameBack(10)} }
    ${page}
  }
}`;

/** All returns and refunds of an order that has more of them. */
export const whatCameBackQuery = `query WhatCameBack($id: ID!) {
  order(id: $id) {${cameBack(250)}
  }
}`;

type Identified = { readonly id: string };

export type ChangedOrderNode = Identified & {
  readonly updatedAt: string;
  readonly returns: Connection<Identified>;
  readonly refunds: readonly (Identified & { readonly return: Identified | null })[];
};

export type ChangesData = { readonly orders: Connection<ChangedOrderNode> };
