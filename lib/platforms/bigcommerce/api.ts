import { fail, ok, type Result } from '../../contract/result.ts';
import type { JsonObject } from '../../json.ts';
import { askApi, refused } from '../api.ts';
import { objectsOf, parseExactly } from '../exact-json.ts';
import type { ShopFailure } from '../platform.ts';
import { findStore } from './stores.ts';

/** Where a question goes: a store of ours, until a time in epoch milliseconds. */
export type Context = { readonly source: string; readonly deadline: number };

/**
 * Asks a store's API; numbers of the answer are texts, so that no amount passes through a float.
 * https://docs.bigcommerce.com/developer/api-reference/rest/admin/management/orders
 *
 * @param path behind `/stores/<hash>`, with its query
 */
export const get = async ({ source, deadline }: Context, path: string): Promise<Result<unknown, ShopFailure>> =>
  askApi(
    async (fresh) => {
      const store = await findStore(source, { fresh });
      if (store === undefined) return fail({ kind: 'permanent', reason: 'unknown_source' });
      const headers = { accept: 'application/json', 'x-auth-token': store.accessToken };
      return ok({ method: 'GET', url: `${store.apiUrl}${path}`, headers });
    },
    ({ body }) => {
      const value = parseExactly(body.toString());
      return value === undefined ? refused('retryable', 'shop_reply_unreadable') : ok(value);
    },
    deadline,
  );

/** Asks for a list: one without items is answered 204, with nothing. */
export const getList = async (context: Context, path: string): Promise<Result<readonly JsonObject[], ShopFailure>> => {
  const read = await get(context, path);
  if (!read.ok) return read.failure.reason === 'shop_status_204' ? ok([]) : read;
  return Array.isArray(read.value) ? ok(objectsOf(read.value)) : fail({ kind: 'permanent', reason: 'list_unreadable' });
};
