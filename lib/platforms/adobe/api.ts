import type { JsonObject } from '../../runtime/json.ts';
import type { Result } from '../../contract/result.ts';
import { askShop, objectBy, readJson, type Shop } from '../shared/http/api.ts';
import type { ShopFailure } from '../platform.ts';
import { findAccess } from './access.ts';

/** The shop that is asked, and the platform that its orders are registered under. */
export type RegisteredShop = Shop & { readonly platform: string };

/**
 * Asks a shop's REST API, over all its store views: so labels come in the words of the admin, whoever bought.
 * https://developer.adobe.com/commerce/webapi/rest/
 *
 * @param path what comes after `/V1/`
 */
export const ask = async (shop: Shop, path: string): Promise<Result<JsonObject, ShopFailure>> =>
  askShop(
    shop,
    findAccess,
    ({ apiUrl, accessToken }) => ({
      method: 'GET',
      url: `${apiUrl}/rest/all/V1/${path}`,
      headers: { accept: 'application/json', authorization: `Bearer ${accessToken}` },
    }),
    objectBy(readJson),
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
