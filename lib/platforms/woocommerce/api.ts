import type { Result } from '../../contract/result.ts';
import { askShop, readExactly, type Shop } from '../shared/http/api.ts';
import type { ShopFailure } from '../platform.ts';
import { findAccess } from './access.ts';

/**
 * Asks a site's REST API; numbers of the answer are texts.
 * https://woocommerce.github.io/woocommerce-rest-api-docs/
 *
 * @param path behind `/wp-json/wc/v3`, with its query
 */
export const ask = async (shop: Shop, path: string): Promise<Result<unknown, ShopFailure>> =>
  askShop(
    shop,
    findAccess,
    ({ apiUrl, authorization }) => ({
      method: 'GET',
      url: `${apiUrl}/wp-json/wc/v3${path}`,
      headers: { accept: 'application/json', authorization },
    }),
    readExactly,
  );
