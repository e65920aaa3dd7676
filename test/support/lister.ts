import { expect } from 'vitest';
import type { Output } from '../../lib/contract/contract.ts';
import type { Api } from './api.ts';

type Query = Readonly<Record<string, string>>;

/** Lists returns, a page or all of them. */
export const lister = (service: Api) => {
  const list = async (query: Query, options?: Parameters<Api['get']>[1]) =>
    service.get(`/returns?${new URLSearchParams(query).toString()}`, options);

  /** Returns the page at a cursor. Null is the first page. */
  const page = async (query: Query, cursor: string | null = null): Promise<{ ids: string[]; next: string | null }> => {
    const { status, body } = await list(cursor === null ? query : { ...query, cursor });
    expect(status).toBe(200);
    const { items, nextCursor } = body as unknown as Output<'listReturns'>;
    return { ids: items.map(({ returnId: id }) => id), next: nextCursor };
  };

  /** Returns the ids of all pages from a cursor on, one after another. */
  const readAll = async (query: Query, from: string | null = null): Promise<string[]> => {
    const ids: string[] = [];
    let cursor = from;
    do {
      const found = await page(query, cursor);
      ids.push(...found.ids);
      cursor = found.next;
    } while (cursor !== null);
    return ids;
  };

  return { list, page, readAll };
};
