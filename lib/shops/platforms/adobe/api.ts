import type { Result } from '../../../runtime/result.ts';
import type { JsonObject } from '../../../runtime/json.ts';
import type { ShopFailure } from '../platform.ts';
import { callShop, putOnce, readObjectBy, readJson, type Shop } from '../shared/http/api.ts';
import { type SourceEntry, type FindOptions, findSource } from '../shared/http/sources.ts';

/**
 * The origin of the public keys of I/O Events.
 * https://developer.adobe.com/events/docs/guides/#security-considerations
 */
const defaultKeyOrigin = 'https://static.adobeioevents.com';

/** The credentials that verify a shop's events: the receiving client, and the origin of the keys. */
export type WebhookCredentials = {
  /** The client id of the project in the Adobe Developer Console. It distinguishes our events from those of others. */
  readonly clientId: string;
  readonly keyOrigin: string;
};

/** The credentials for a shop's REST API: its address and token. */
type ApiCredentials = {
  readonly accessToken: string;
  readonly apiUrl: string;
  /** Each shop numbers its orders itself. */
  readonly orderPlatform: string;
};

/**
 * Whether an address belongs to Adobe Commerce as a Cloud Service.
 * It has another base path, and IMS tokens that expire after a day. We have no such tokens, so such a shop is rejected
 * by name. Otherwise it would fail with 401 a day later.
 * https://developer.adobe.com/commerce/webapi/rest/authentication/server-to-server/
 */
const isCloudService = (apiUrl: string): boolean =>
  /(?:^|\.)api\.commerce\.adobe\.com$/i.test(new URL(apiUrl).hostname);

const shopAddress = ({ address, fieldError }: SourceEntry): string => {
  const apiUrl = address('apiUrl');
  if (isCloudService(apiUrl))
    throw fieldError('apiUrl', 'of a shop on PaaS or on premises: Adobe Commerce as a Cloud Service is not supported');
  return apiUrl;
};

/** Reads the entry of one source. @throws an error that names the invalid field and quotes nothing */
export const readWebhookCredentials = ({ text, address }: SourceEntry): WebhookCredentials => ({
  clientId: text('clientId'),
  keyOrigin: address('keyOrigin', defaultKeyOrigin),
});

/** Reads the entry of one source. @throws an error that names the invalid field and quotes nothing */
export const readApiCredentials = (entry: SourceEntry): ApiCredentials => ({
  accessToken: entry.text('accessToken'),
  apiUrl: shopAddress(entry),
  orderPlatform: entry.orderPlatform(),
});

/**
 * Returns the webhook credentials of the shop `source`, or undefined if it is not ours.
 * Its entry is `{ clientId }`, with `keyOrigin` if Adobe's keys have another origin.
 */
export const findWebhookCredentials = async (
  source: string,
  options?: FindOptions,
): Promise<WebhookCredentials | undefined> => findSource('webhooks/adobe', source, readWebhookCredentials, options);

/** Returns the API credentials of the shop `source`. Its entry is `{ accessToken, apiUrl, orderPlatform? }`. */
export const findApiCredentials = async (source: string, options?: FindOptions): Promise<ApiCredentials | undefined> =>
  findSource('api/adobe', source, readApiCredentials, options);

/** The shop to call, and the platform under which its orders are registered. */
export type RegisteredShop = Shop & { readonly platform: string };

/**
 * Calls a shop's REST API over all its store views, so labels are those of the admin for every buyer.
 * https://developer.adobe.com/commerce/webapi/rest/
 *
 * @param path the path after `/V1/`
 * @param fields what to store there; without it the call reads
 */
export const callApi = async (
  shop: Shop,
  path: string,
  fields?: JsonObject,
): Promise<Result<JsonObject, ShopFailure>> =>
  callShop(
    shop,
    findApiCredentials,
    ({ apiUrl, accessToken }) => {
      const url = `${apiUrl}/rest/all/V1/${path}`;
      const headers = { accept: 'application/json', authorization: `Bearer ${accessToken}` };
      return fields === undefined ? { method: 'GET', url, headers } : putOnce(url, headers, fields);
    },
    readObjectBy(readJson),
  );

export type Filter = { readonly field: string; readonly condition: 'eq' | 'gt' | 'gteq'; readonly value: string };

/**
 * Returns the query of a search: items that match all filters, in ascending order.
 * https://developer.adobe.com/commerce/webapi/rest/use-rest/performing-searches/
 */
export const searchFor = (
  filters: readonly Filter[],
  {
    sortBy,
    page = 1,
    pageSize,
  }: { readonly sortBy: readonly string[]; readonly page?: number; readonly pageSize: number },
): string => {
  const query = new URLSearchParams();
  for (const [index, { field, condition, value }] of filters.entries()) {
    const name = `searchCriteria[filter_groups][${index}][filters][0]`;
    query.set(`${name}[field]`, field);
    query.set(`${name}[condition_type]`, condition);
    query.set(`${name}[value]`, value);
  }
  for (const [index, field] of sortBy.entries()) {
    query.set(`searchCriteria[sortOrders][${index}][field]`, field);
    query.set(`searchCriteria[sortOrders][${index}][direction]`, 'ASC');
  }
  query.set('searchCriteria[pageSize]', String(pageSize));
  query.set('searchCriteria[currentPage]', String(page));
  return query.toString();
};
