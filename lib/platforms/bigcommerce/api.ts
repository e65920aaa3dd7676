import { ok, type Result } from '../../contract/result.ts';
import type { JsonObject } from '../../runtime/json.ts';
import { askShop, readExactly, type Shop } from '../shared/http/api.ts';
import { objectsOf } from '../shared/fields/fields.ts';
import type { ShopFailure } from '../platform.ts';
import { permanent } from '../shared/http/shop-failure.ts';
import { findAccess } from './access.ts';

/**
 * Asks a store's API; numbers of the answer are texts, so that no amount passes through a float.
 * https://docs.bigcommerce.com/developer/api-reference/rest/admin/management/orders
 *
 * @param path behind `/stores/<hash>`, with its query
 */
export const ask = async (shop: Shop, path: string): Promise<Result<unknown, ShopFailure>> =>
  askShop(
    shop,
    findAccess,
    ({ apiUrl, accessToken }) => ({
      method: 'GET',
      url: `${apiUrl}${path}`,
      headers: { accept: 'application/json', 'x-auth-token': accessToken },
    }),
    readExactly,
  );

/** Asks for a list: one without items is answered 204, with nothing. */
export const askList = async (shop: Shop, path: string): Promise<Result<readonly JsonObject[], ShopFailure>> => {
  const read = await ask(shop, path);
  if (!read.ok) return read.failure.reason === 'shop_status_204' ? ok([]) : read;
  return Array.isArray(read.value) ? ok(objectsOf(read.value)) : permanent('list_unreadable');
};
