import type { Result } from '../../../runtime/result.ts';
import type { JsonObject } from '../../../runtime/json.ts';
import type { ShopFailure } from '../platform.ts';
import { callShop, readObjectBy, readExactJson, type Shop } from '../shared/http/api.ts';
import { type SourceEntry, type FindOptions, findSource } from '../shared/http/sources.ts';

/**
 * The credentials for a shop's Admin API.
 * The secrets of its deliveries are in another entry:
 * lib/shops/platforms/shared/signatures/standard-webhooks.ts reads them.
 */
type ApiCredentials = { readonly apiKey: string; readonly apiUrl: string };

/** Reads the entry of one source. @throws an error that names the invalid field and quotes nothing */
export const readApiCredentials = ({ text, address }: SourceEntry): ApiCredentials => ({
  apiKey: text('secretApiKey'),
  apiUrl: address('apiUrl'),
});

/** Returns the shop `source`, or undefined if it is not ours. Its entry is `{ secretApiKey, apiUrl }`. */
const findApiCredentials = async (source: string, options?: FindOptions): Promise<ApiCredentials | undefined> =>
  findSource('api/medusa', source, readApiCredentials, options);

/** A call that changes the shop. `body` is JSON. */
type Write = { readonly method: 'POST' | 'DELETE'; readonly body?: string };

/**
 * Calls a shop's Admin API with a secret API key: the user of HTTP Basic, without a password.
 * https://docs.medusajs.com/api/admin#authentication
 *
 * @param query names and values, not encoded
 * @param write what to change; without it the call reads
 * @returns the response, with each number as a text
 */
export const callApi = async (
  shop: Shop,
  path: string,
  query: Readonly<Record<string, string>>,
  write?: Write,
): Promise<Result<JsonObject, ShopFailure>> =>
  callShop(
    shop,
    findApiCredentials,
    ({ apiUrl, apiKey }) => {
      const headers = {
        accept: 'application/json',
        authorization: `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`,
      };
      const url = `${apiUrl}/admin/${path}?${new URLSearchParams(query).toString()}`;
      if (write === undefined) return { method: 'GET', url, headers };
      const { method, body } = write;
      return body === undefined
        ? { method, url, headers, once: true }
        : { method, url, headers: { ...headers, 'content-type': 'application/json' }, body, once: true };
    },
    readObjectBy(readExactJson),
  );
