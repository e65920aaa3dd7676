import { fail, ok, type Result } from '../../contract/result.ts';
import type { JsonObject } from '../../json.ts';
import { askApi, refused, type Shop } from '../api.ts';
import type { ShopFailure } from '../platform.ts';
import { findSource, type Entry } from '../sources.ts';
import { parseExactly } from './exact-json.ts';

const accessOf = ({ text, address }: Entry) => ({ apiKey: text('secretApiKey'), apiUrl: address('apiUrl') });

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
      const access = await findSource('medusa', source, accessOf, { fresh });
      if (access === undefined) return fail({ kind: 'permanent', reason: 'unknown_source' });
      return ok({
        method: 'GET',
        url: `${access.apiUrl}/admin/${path}?${new URLSearchParams(query).toString()}`,
        headers: {
          accept: 'application/json',
          authorization: `Basic ${Buffer.from(`${access.apiKey}:`).toString('base64')}`,
        },
      });
    },
    ({ body }) => {
      const value = parseExactly(body.toString());
      return value === undefined ? refused('retryable', 'shop_reply_unreadable') : ok(value);
    },
    deadline,
  );

/** What nobody can read: for people to see. */
export const unreadable = (reason: string): Result<never, ShopFailure> => fail({ kind: 'permanent', reason });
