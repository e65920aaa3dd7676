import type { Result } from '../../contract/result.ts';
import { askShop, readJson, type Shop } from '../shared/http/api.ts';
import type { ShopFailure } from '../platform.ts';
import { findAccess } from './access.ts';

/**
 * Asks one of an account's APIs.
 * https://developers.vtex.com/docs/guides/api-authentication-using-api-keys
 *
 * @param at which of them: the Orders API or the return app
 * @param path begins with a slash
 */
export const ask = async (
  shop: Shop,
  at: 'apiUrl' | 'returnsUrl',
  path: string,
): Promise<Result<unknown, ShopFailure>> =>
  askShop(
    shop,
    findAccess,
    ({ [at]: url, appKey, appToken }) => ({
      method: 'GET',
      url: `${url}${path}`,
      headers: { accept: 'application/json', 'x-vtex-api-appkey': appKey, 'x-vtex-api-apptoken': appToken },
    }),
    readJson,
  );
