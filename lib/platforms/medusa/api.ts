import type { Result } from '../../contract/result.ts';
import type { JsonObject } from '../../runtime/json.ts';
import type { ShopFailure } from '../platform.ts';
import { callShop, readObjectBy, readExactJson, type Shop } from '../shared/http/api.ts';
import { type SourceEntry, type FindOptions, findSource } from '../shared/http/sources.ts';

/** What a shop is asked with, at its Admin API; lib/platforms/shared/signatures/standard-receiver.ts reads the secrets of its deliveries. */
type ApiCredentials = { readonly apiKey: string; readonly apiUrl: string };

/** Reads the entry of one source. @throws an error that names the faulty field and quotes nothing */
export const readApiCredentials = ({ text, address }: SourceEntry): ApiCredentials => ({
  apiKey: text('secretApiKey'),
  apiUrl: address('apiUrl'),
});

/** The shop `source`, or undefined for one that is not ours; its entry is `{ secretApiKey, apiUrl }`. */
const findApiCredentials = async (source: string, options?: FindOptions): Promise<ApiCredentials | undefined> =>
  findSource('api/medusa', source, readApiCredentials, options);

/**
 * Asks a shop's Admin API, by a secret API key: as the user of HTTP Basic, with no password.
 * https://docs.medusajs.com/api/admin#authentication
 *
 * @param query its names and values as they are, not encoded
 * @returns what was answered, each number in it as a text
 */
export const callApi = async (
  shop: Shop,
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<Result<JsonObject, ShopFailure>> =>
  callShop(
    shop,
    findApiCredentials,
    ({ apiUrl, apiKey }) => ({
      method: 'GET',
      url: `${apiUrl}/admin/${path}?${new URLSearchParams(query).toString()}`,
      headers: {
        accept: 'application/json',
        authorization: `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`,
      },
    }),
    readObjectBy(readExactJson),
  );
