import { ok, type Result } from '../../contract/result.ts';
import { askApi, readJson, type Shop } from '../api.ts';
import type { ShopFailure } from '../platform.ts';
import { permanent } from '../shop-failure.ts';
import { findAccess } from './access.ts';

/**
 * Asks one of an account's APIs.
 * https://developers.vtex.com/docs/guides/api-authentication-using-api-keys
 *
 * @param at which of them: the Orders API or the return app
 * @param path begins with a slash
 */
export const ask = async (
  { source, deadline }: Shop,
  at: 'apiUrl' | 'returnsUrl',
  path: string,
): Promise<Result<unknown, ShopFailure>> =>
  askApi(
    async (fresh) => {
      const found = await findAccess(source, { fresh });
      if (found === undefined) return permanent('unknown_source');
      const { appKey, appToken } = found;
      const headers = { accept: 'application/json', 'x-vtex-api-appkey': appKey, 'x-vtex-api-apptoken': appToken };
      return ok({ method: 'GET', url: `${found[at]}${path}`, headers });
    },
    readJson,
    deadline,
  );
