import { fail, ok, type Result } from '../../contract/result.ts';
import { askApi, readJson } from '../api.ts';
import type { ShopFailure } from '../platform.ts';
import { findAccount } from './accounts.ts';

/**
 * Asks one of an account's APIs.
 * https://developers.vtex.com/docs/guides/api-authentication-using-api-keys
 *
 * @param at which of them: the Orders API or the return app
 * @param path begins with a slash
 * @param deadline epoch milliseconds after which nothing more is asked
 */
export const ask = async (
  account: string,
  at: 'apiUrl' | 'returnsUrl',
  path: string,
  deadline: number,
): Promise<Result<unknown, ShopFailure>> =>
  askApi(
    async (fresh) => {
      const found = await findAccount(account, { fresh });
      if (found === undefined) return fail({ kind: 'permanent', reason: 'unknown_source' });
      const { appKey, appToken } = found;
      const headers = { accept: 'application/json', 'x-vtex-api-appkey': appKey, 'x-vtex-api-apptoken': appToken };
      return ok({ method: 'GET', url: `${found[at]}${path}`, headers });
    },
    readJson,
    deadline,
  );
