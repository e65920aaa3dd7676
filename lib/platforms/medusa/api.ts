import type { Result } from '../../contract/result.ts';
import type { JsonObject } from '../../runtime/json.ts';
import { askShop, objectBy, readExactly, type Shop } from '../shared/http/api.ts';
import type { ShopFailure } from '../platform.ts';
import { findAccess } from './access.ts';

/**
 * Asks a shop's Admin API, by a secret API key: as the user of HTTP Basic, with no password.
 * https://docs.medusajs.com/api/admin#authentication
 *
 * @param query its names and values as they are, not encoded
 * @returns what was answered, each number in it as a text
 */
export const ask = async (
  shop: Shop,
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<Result<JsonObject, ShopFailure>> =>
  askShop(
    shop,
    findAccess,
    ({ apiUrl, apiKey }) => ({
      method: 'GET',
      url: `${apiUrl}/admin/${path}?${new URLSearchParams(query).toString()}`,
      headers: {
        accept: 'application/json',
        authorization: `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`,
      },
    }),
    objectBy(readExactly),
  );
