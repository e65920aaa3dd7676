import { ok, type Result } from '../../../runtime/result.ts';
import type { JsonObject } from '../../../runtime/json.ts';
import { type ShopFailure, permanentFailure } from '../platform.ts';
import { objectsOf } from '../shared/fields/fields.ts';
import { callShop, readExactJson, type Shop } from '../shared/http/api.ts';
import { type SourceEntry, type FindOptions, findSource } from '../shared/http/sources.ts';

/** The credentials that verify a store's webhooks: the client secrets of the app that may sign them. */
type WebhookCredentials = { readonly webhookSecrets: readonly string[] };

/** The credentials for a store's API: its address and token. */
type ApiCredentials = {
  readonly accessToken: string;
  readonly apiUrl: string;
  /** Each store numbers its orders itself. */
  readonly orderPlatform: string;
};

/** Reads the entry of one source. @throws an error that names the invalid field and quotes nothing */
export const readWebhookCredentials = ({ texts }: SourceEntry): WebhookCredentials => ({
  webhookSecrets: texts('webhookSecrets'),
});

/** Reads the entry of one source. @throws an error that names the invalid field and quotes nothing */
export const readApiCredentials =
  (hash: string) =>
  ({ text, address, orderPlatform }: SourceEntry): ApiCredentials => ({
    accessToken: text('accessToken'),
    apiUrl: address('apiUrl', `https://api.bigcommerce.com/stores/${hash}`),
    orderPlatform: orderPlatform(),
  });

/**
 * Returns the webhook credentials of a store, or undefined if it is not ours.
 * Its entry is `{ webhookSecrets }`, the client secrets as BigCommerce shows them.
 */
export const findWebhookCredentials = async (
  hash: string,
  options?: FindOptions,
): Promise<WebhookCredentials | undefined> => findSource('webhooks/bigcommerce', hash, readWebhookCredentials, options);

/** Returns the API credentials of a store. Its entry is `{ accessToken, apiUrl?, orderPlatform? }`. */
export const findApiCredentials = async (hash: string, options?: FindOptions): Promise<ApiCredentials | undefined> =>
  findSource('api/bigcommerce', hash, readApiCredentials(hash), options);

/** A request with a body of JSON. One that changes the store has `once`. */
type Post = {
  /** @default 'POST' */
  readonly method?: 'PUT' | 'POST';
  readonly body: string;
  readonly once?: true;
};

/**
 * Calls a store's API.
 * Numbers of the response become texts, so that no amount passes through a float.
 * https://docs.bigcommerce.com/developer/api-reference/rest/admin/management/orders
 *
 * @param path the path after `/stores/<hash>`, with its query
 * @param post what to send; without it the call gets
 */
export const callApi = async (shop: Shop, path: string, post?: Post): Promise<Result<unknown, ShopFailure>> =>
  callShop(
    shop,
    findApiCredentials,
    ({ apiUrl, accessToken }) => {
      const url = `${apiUrl}${path}`;
      const headers = { accept: 'application/json', 'x-auth-token': accessToken };
      return post === undefined
        ? { method: 'GET', url, headers }
        : { method: 'POST', url, headers: { ...headers, 'content-type': 'application/json' }, ...post };
    },
    readExactJson,
  );

/** Reads a list. An empty list is a 204 without a body. */
export const callListApi = async (shop: Shop, path: string): Promise<Result<readonly JsonObject[], ShopFailure>> => {
  const read = await callApi(shop, path);
  if (!read.ok) return read.failure.reason === 'shop_status_204' ? ok([]) : read;
  return Array.isArray(read.value) ? ok(objectsOf(read.value)) : permanentFailure('list_unreadable');
};
