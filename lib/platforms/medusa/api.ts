import { ok, type Result } from '../../contract/result.ts';
import type { JsonObject } from '../../json.ts';
import { askApi, objectBy, readExactly, type Shop } from '../api.ts';
import type { ShopFailure } from '../platform.ts';
import { permanent } from '../shop-failure.ts';
import { findAccess } from './access.ts';

/**
 * Asks a shop's Admin API, by a secret API key: as the user of HTTP Basic, with no password.
 * https://docs.medusajs.com/api/admin#authentication
 *
 * @param query its names and values as they are, not encoded
 * @returns what was answered, each number in it as a text
 */
export const ask = async (
  { source, deadline }: Shop,
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<Result<JsonObject, ShopFailure>> =>
  askApi(
    async (fresh) => {
      const access = await findAccess(source, { fresh });
      if (access === undefined) return permanent('unknown_source');
      return ok({
        method: 'GET',
        url: `${access.apiUrl}/admin/${path}?${new URLSearchParams(query).toString()}`,
        headers: {
          accept: 'application/json',
          authorization: `Basic ${Buffer.from(`${access.apiKey}:`).toString('base64')}`,
        },
      });
    },
    objectBy(readExactly),
    deadline,
  );
