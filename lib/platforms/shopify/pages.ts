import { ok, type Result } from '../../contract/result.ts';
import type { ShopFailure } from '../platform.ts';
import type { Connection } from './queries.ts';

/** An order's 500 lines take nine pages, the longest of all; a shop whose cursor never ends must not hold us longer. */
const mostPages = 20;

/** Reads the pages after the first; `next` gives undefined for a thing that is no longer there. */
export const pages = async <Node>(
  first: Connection<Node>,
  next: (after: string) => Promise<Result<Connection<Node> | undefined, ShopFailure>>,
): Promise<Result<{ nodes: readonly Node[]; whole: boolean }, ShopFailure>> => {
  const nodes = [...first.nodes];
  let { hasNextPage, endCursor } = first.pageInfo;
  for (let count = 1; hasNextPage && endCursor !== null && count < mostPages; count += 1) {
    const page = await next(endCursor);
    if (!page.ok) return page;
    nodes.push(...(page.value?.nodes ?? []));
    ({ hasNextPage, endCursor } = page.value?.pageInfo ?? { hasNextPage: false, endCursor: null });
  }
  return ok({ nodes, whole: !hasNextPage });
};
