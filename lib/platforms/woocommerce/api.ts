import { ok, type Result } from '../../contract/result.ts';
import { askApi, readExactly, type Shop } from '../api.ts';
import type { ShopFailure } from '../platform.ts';
import { permanent } from '../shop-failure.ts';
import { findAccess } from './access.ts';

/**
 * Asks a site's REST API; numbers of the answer are texts.
 * https://woocommerce.github.io/woocommerce-rest-api-docs/
 *
 * @param path behind `/wp-json/wc/v3`, with its query
 */
export const ask = async ({ source, deadline }: Shop, path: string): Promise<Result<unknown, ShopFailure>> =>
  askApi(
    async (fresh) => {
      const site = await findAccess(source, { fresh });
      if (site === undefined) return permanent('unknown_source');
      const headers = { accept: 'application/json', authorization: site.authorization };
      return ok({ method: 'GET', url: `${site.apiUrl}/wp-json/wc/v3${path}`, headers });
    },
    readExactly,
    deadline,
  );
