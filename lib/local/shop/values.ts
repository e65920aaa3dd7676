/* What graphql-js resolves fields to that are alike everywhere: pages of lists, and money. */

export type PageArguments = { readonly first?: number; readonly after?: string | null };

export const connection =
  <Node>(nodes: readonly Node[]) =>
  ({ first = 50, after }: PageArguments) => {
    const start = after ? Number(Buffer.from(after, 'base64url').toString()) : 0;
    const end = Math.min(nodes.length, start + first);
    const endCursor = end > start ? Buffer.from(String(end)).toString('base64url') : null;
    return {
      nodes: nodes.slice(start, end),
      pageInfo: { hasNextPage: end < nodes.length, hasPreviousPage: start > 0, startCursor: null, endCursor },
    };
  };

/** The shop's own currency is another one, so that taking the wrong side of a bag shows at once. */
export const bag = (amount: string, currencyCode: string) => ({
  presentmentMoney: { amount, currencyCode },
  shopMoney: { amount: '1.0', currencyCode: 'XXX' },
});
