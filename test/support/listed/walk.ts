import fc from 'fast-check';
import { expect } from 'vitest';
import * as backend from '../../../lib/edge/backend/standalone.ts';
import type { Output } from '../../../lib/contract/contract.ts';
import { backendCall } from '../backend-call.ts';
import { expectedOf, isRefused, itemOf, type Item, queriesFor, type Query } from './queries.ts';
import type { Listed } from './returns.ts';

/** Returns the page of a list at a cursor. */
const readPage = async (query: Query, limit: number, cursor?: string): Promise<Output<'listReturns'>> => {
  const answer = await backend.listReturns(
    { ...query, limit, ...(cursor === undefined ? {} : { cursor }) },
    backendCall(),
  );
  if (!answer.ok) throw new Error(`${JSON.stringify(query)} was rejected`, { cause: answer.failure });
  return answer.value.body;
};

/**
 * Reads all pages of a list. The limits are those of its pages, again and again.
 *
 * @param between runs before each further page
 */
export const walkList = async (
  query: Query,
  limits: readonly number[],
  between: () => Promise<void> | void = () => undefined,
): Promise<readonly Item[]> => {
  const items: Item[] = [];
  let cursor: string | undefined;
  for (let read = 0; ; read += 1) {
    const limit = limits[read % limits.length] ?? 1;
    const { items: found, nextCursor } = await readPage(query, limit, cursor);
    expect(found.length).toBeLessThanOrEqual(limit);
    items.push(...found);
    if (nextCursor === null) return items;
    if (nextCursor === cursor) throw new Error(`${JSON.stringify(query)} does not go on`);
    cursor = nextCursor;
    await between();
  }
};

/** Compares a list with a filter over all returns. */
const expectList = async (
  query: Query,
  limits: readonly number[],
  returns: readonly Listed[],
): Promise<readonly Item[]> => {
  if (isRefused(query)) {
    const answer = await backend.listReturns(query, backendCall());
    expect({ query, answer }).toMatchObject({
      query,
      answer: { ok: false, failure: { code: 'invalid_request', errors: [{ path: '/sort', code: 'enum' }] } },
    });
    return [];
  }
  const expected = expectedOf(query, returns, new Date().toISOString());
  const items = await walkList(query, limits);
  expect({ query, ids: items.map(({ returnId }) => returnId) }).toEqual({
    query,
    ids: expected.map(({ state }) => state.id),
  });
  expect(items).toEqual(expected.map(itemOf));
  return items;
};

/** Small limits make many pages, so few walks have only small ones. */
const limits = fc.array(fc.integer({ min: 7, max: 200 }), { minLength: 1, maxLength: 4 });

/** Compares so many lists with filters over all returns. Returns the share of lists that are not empty. */
export const compareLists = async (returns: readonly Listed[], count: number, seed: number): Promise<number> => {
  let filled = 0;
  await fc.assert(
    fc.asyncProperty(queriesFor(returns), limits, async (query, sizes) => {
      const items = await expectList(query, sizes, returns);
      if (items.length > 0) filled += 1;
    }),
    { numRuns: count, seed },
  );
  return filled / count;
};
