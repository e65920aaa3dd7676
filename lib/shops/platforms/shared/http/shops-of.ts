import { notFound, SecretUnavailable } from '../../../../access/secrets/secret.ts';
import { platformsConfig } from '../../../../runtime/configuration/config.ts';
import { configured } from '../../../../runtime/container.ts';
import { errorName } from '../../../../runtime/log.ts';
import { fail, ok, type Result } from '../../../../runtime/result.ts';
import type { ShopFailure } from '../../platform.ts';
import { findSource, readSourceNames } from './sources.ts';

const config = configured(platformsConfig);

/** A shop that may have an order: its platform, and its source in the secret of the platform. */
export type OrderShop = { readonly platform: string; readonly source: string };

/** How the secrets are read: `fresh` includes shops that were added since the last read. */
type SecretRead = { readonly fresh: boolean; readonly signal: AbortSignal };

const shopsOfPlatform = async (
  platform: string,
  orderPlatform: string,
  read: SecretRead,
): Promise<readonly OrderShop[]> => {
  const secret = `api/${platform}` as const;
  const shops: OrderShop[] = [];
  for (const source of await readSourceNames(secret, read)) {
    const own = await findSource(secret, source, (entry) => entry.optionalText('orderPlatform'), {
      signal: read.signal,
    });
    if ((own ?? platform) === orderPlatform) shops.push({ platform, source });
  }
  return shops;
};

/**
 * Finds the shops that may have an order, by the secrets of the enabled platforms. Several shops share one platform name
 * only where the platform's ids are unique over all shops.
 *
 * @param orderPlatform the platform under which the order is registered
 */
export const findShops = async (
  orderPlatform: string,
  read: SecretRead,
): Promise<Result<readonly OrderShop[], ShopFailure>> => {
  const found: OrderShop[] = [];
  for (const platform of config().enabled) {
    try {
      found.push(...(await shopsOfPlatform(platform, orderPlatform, read)));
    } catch (error) {
      // A platform may be enabled before it has shops.
      if (error instanceof SecretUnavailable && error.reason === notFound) continue;
      return fail({ kind: 'retryable', reason: `shop_secret:${errorName(error)}` });
    }
  }
  return found.length > 0 || read.fresh ? ok(found) : findShops(orderPlatform, { ...read, fresh: true });
};

/** Whether a failure says that the shop does not have the order. Another shop of the same platform may have it. */
export const isUnknownOrder = ({ reason }: ShopFailure): boolean =>
  reason === 'shop_order_not_found' || reason === 'shop_status_404';
