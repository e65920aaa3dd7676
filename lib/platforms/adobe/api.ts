import type { Result } from '../../contract/result.ts';
import type { JsonObject } from '../../runtime/json.ts';
import type { ShopFailure } from '../platform.ts';
import { callShop, readObjectBy, readJson, type Shop } from '../shared/http/api.ts';
import { type SourceEntry, type FindOptions, findSource } from '../shared/http/sources.ts';

/** Where Adobe keeps the public keys of I/O Events. https://developer.adobe.com/events/docs/guides/#security-considerations */
const defaultKeyOrigin = 'https://static.adobeioevents.com';

/** What a shop's events are believed by: the client that they are for, and where the keys of their signatures are. */
export type WebhookCredentials = {
  /** The client id of the project in the Adobe Developer Console: what tells events for us from events for others. */
  readonly clientId: string;
  readonly keyOrigin: string;
};

/** What a shop is asked with: the address and the token of its REST API. */
type ApiCredentials = {
  readonly accessToken: string;
  readonly apiUrl: string;
  /** Each shop counts its orders by itself. */
  readonly orderPlatform: string;
};

/**
 * Adobe Commerce as a Cloud Service has another base path, and tokens of IMS that end after a day. We have no such
 * tokens, so a shop there is refused by name instead of failing with 401 a day later.
 * https://developer.adobe.com/commerce/webapi/rest/authentication/server-to-server/
 */
const isCloudService = (apiUrl: string): boolean =>
  /(?:^|\.)api\.commerce\.adobe\.com$/i.test(new URL(apiUrl).hostname);

const shopAddress = ({ address, fault }: SourceEntry): string => {
  const apiUrl = address('apiUrl');
  if (isCloudService(apiUrl))
    throw fault('apiUrl', 'of a shop on PaaS or on premises: Adobe Commerce as a Cloud Service is not supported');
  return apiUrl;
};

/** Reads the entry of one source. @throws an error that names the faulty field and quotes nothing */
export const readWebhookCredentials = ({ text, address }: SourceEntry): WebhookCredentials => ({
  clientId: text('clientId'),
  keyOrigin: address('keyOrigin', defaultKeyOrigin),
});

/** Reads the entry of one source. @throws an error that names the faulty field and quotes nothing */
export const readApiCredentials = (entry: SourceEntry): ApiCredentials => ({
  accessToken: entry.text('accessToken'),
  apiUrl: shopAddress(entry),
  orderPlatform: entry.orderPlatform(),
});

/**
 * What the shop `source` is believed by, or undefined for one that is not ours; its entry is `{ clientId }`, and `keyOrigin`
 * where Adobe's keys are to be had from a place of one's own.
 */
export const findWebhookCredentials = async (
  source: string,
  options?: FindOptions,
): Promise<WebhookCredentials | undefined> => findSource('webhooks/adobe', source, readWebhookCredentials, options);

/** What the shop `source` is asked with; its entry is `{ accessToken, apiUrl, orderPlatform? }`. */
export const findApiCredentials = async (source: string, options?: FindOptions): Promise<ApiCredentials | undefined> =>
  findSource('api/adobe', source, readApiCredentials, options);

/** The shop that is asked, and the platform that its orders are registered under. */
export type RegisteredShop = Shop & { readonly platform: string };

/**
 * Asks a shop's REST API, over all its store views: so labels come in the words of the admin, whoever bought.
 * https://developer.adobe.com/commerce/webapi/rest/
 *
 * @param path what comes after `/V1/`
 */
export const callApi = async (shop: Shop, path: string): Promise<Result<JsonObject, ShopFailure>> =>
  callShop(
    shop,
    findApiCredentials,
    ({ apiUrl, accessToken }) => ({
      method: 'GET',
      url: `${apiUrl}/rest/all/V1/${path}`,
      headers: { accept: 'application/json', authorization: `Bearer ${accessToken}` },
    }),
    readObjectBy(readJson),
  );

export type Filter = { readonly field: string; readonly condition: 'eq' | 'gt' | 'gteq'; readonly value: string };

/**
 * The query of a search: what fits all the filters, in ascending order.
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
