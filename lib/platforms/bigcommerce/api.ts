import { ok, type Result } from '../../contract/result.ts';
import type { JsonObject } from '../../runtime/json.ts';
import type { ShopFailure } from '../platform.ts';
import { objectsOf } from '../shared/fields/fields.ts';
import { askShop, readExactly, type Shop } from '../shared/http/api.ts';
import { permanent } from '../shared/http/shop-failure.ts';
import { type Entry, type FindOptions, findSource } from '../shared/http/sources.ts';

/** What a store's webhooks are believed by: the client secrets of the app that they may be signed with. */
type Proof = { readonly webhookSecrets: readonly string[] };

/** What a store is asked with: the address and the token of its API. */
type Access = {
  readonly accessToken: string;
  readonly apiUrl: string;
  /** Each store counts its orders by itself. */
  readonly orderPlatform: string;
};

/** Reads the entry of one source. @throws an error that names the faulty field and quotes nothing */
export const readProof = ({ texts }: Entry): Proof => ({ webhookSecrets: texts('webhookSecrets') });

/** Reads the entry of one source. @throws an error that names the faulty field and quotes nothing */
export const readAccess =
  (hash: string) =>
  ({ text, address, orderPlatform }: Entry): Access => ({
    accessToken: text('accessToken'),
    apiUrl: address('apiUrl', `https://api.bigcommerce.com/stores/${hash}`),
    orderPlatform: orderPlatform(),
  });

/**
 * What the store of that hash is believed by, or undefined for one that is not ours; its entry is `{ webhookSecrets }`, the
 * client secrets as BigCommerce shows them.
 */
export const findProof = async (hash: string, options?: FindOptions): Promise<Proof | undefined> =>
  findSource('webhooks/bigcommerce', hash, readProof, options);

/** What the store of that hash is asked with; its entry is `{ accessToken, apiUrl?, orderPlatform? }`. */
export const findAccess = async (hash: string, options?: FindOptions): Promise<Access | undefined> =>
  findSource('api/bigcommerce', hash, readAccess(hash), options);

/**
 * Asks a store's API; numbers of the answer are texts, so that no amount passes through a float.
 * https://docs.bigcommerce.com/developer/api-reference/rest/admin/management/orders
 *
 * @param path behind `/stores/<hash>`, with its query
 */
export const ask = async (shop: Shop, path: string): Promise<Result<unknown, ShopFailure>> =>
  askShop(
    shop,
    findAccess,
    ({ apiUrl, accessToken }) => ({
      method: 'GET',
      url: `${apiUrl}${path}`,
      headers: { accept: 'application/json', 'x-auth-token': accessToken },
    }),
    readExactly,
  );

/** Asks for a list: one without items is answered 204, with nothing. */
export const askList = async (shop: Shop, path: string): Promise<Result<readonly JsonObject[], ShopFailure>> => {
  const read = await ask(shop, path);
  if (!read.ok) return read.failure.reason === 'shop_status_204' ? ok([]) : read;
  return Array.isArray(read.value) ? ok(objectsOf(read.value)) : permanent('list_unreadable');
};
