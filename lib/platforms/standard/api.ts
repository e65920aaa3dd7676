import { ok, type Result } from '../../contract/result.ts';
import { isObject, type JsonObject } from '../../runtime/json.ts';
import { askShop, readJson, type Shop } from '../shared/http/api.ts';
import type { ShopFailure } from '../platform.ts';
import { permanent } from '../shared/http/shop-failure.ts';
import { findAccess } from './access.ts';

/** What a sender answered, and the platform that its orders are registered under. */
export type Answer = { readonly platform: string; readonly value: JsonObject };

/** Asks a sender's own API, which is described in lib/examples/standard-sender.md. */
export const ask = async (
  shop: Shop,
  path: string,
  query: Readonly<Record<string, string>> = {},
): Promise<Result<Answer, ShopFailure>> => {
  let platform = 'standard';
  const asked = new URLSearchParams(query).toString();
  const answer = await askShop(
    shop,
    findAccess,
    ({ apiUrl, accessToken, orderPlatform }) => {
      platform = orderPlatform;
      return {
        method: 'GET',
        url: `${apiUrl}/${path}${asked === '' ? '' : `?${asked}`}`,
        headers: { accept: 'application/json', authorization: `Bearer ${accessToken}` },
      };
    },
    readJson,
  );
  if (!answer.ok) return answer;
  return isObject(answer.value) ? ok({ platform, value: answer.value }) : unexpected('');
};

/** An answer that is not as agreed, with a JSON Pointer into it: for people to see. */
export const unexpected = (pointer: string): Result<never, ShopFailure> =>
  permanent(`snapshot_unexpected:${pointer || '/'}`);
