import type { Result } from '../../contract/result.ts';
import type { ShopFailure } from '../platform.ts';
import { askShop, readJson, type Shop } from '../shared/http/api.ts';
import { type Entry, type FindOptions, findSource } from '../shared/http/sources.ts';

/** What an account's deliveries are believed by: the tokens that they may carry. */
type Proof = { readonly webhookSecrets: readonly string[] };

/** What an account is asked with: the addresses and the key of its APIs. */
type Access = {
  readonly appKey: string;
  readonly appToken: string;
  readonly apiUrl: string;
  /** Of the return app, which answers at the account's own workspace and not where the Orders API does. */
  readonly returnsUrl: string;
  /** Ids of orders are told apart within one account only. */
  readonly orderPlatform: string;
};

/** Reads the entry of one source. @throws an error that names the faulty field and quotes nothing */
export const readProof = ({ texts }: Entry): Proof => ({ webhookSecrets: texts('webhookSecrets') });

/** Reads the entry of one source. @throws an error that names the faulty field and quotes nothing */
export const readAccess =
  (name: string) =>
  ({ text, address, orderPlatform }: Entry): Access => ({
    appKey: text('appKey'),
    appToken: text('appToken'),
    apiUrl: address('apiUrl', `https://${name}.vtexcommercestable.com.br`),
    returnsUrl: address('returnsUrl', `https://${name}.myvtex.com`),
    orderPlatform: orderPlatform(),
  });

/** What the account `name` is believed by, or undefined for one that is not ours; its entry is `{ webhookSecrets }`. */
export const findProof = async (name: string, options?: FindOptions): Promise<Proof | undefined> =>
  findSource('webhooks/vtex', name, readProof, options);

/** What the account `name` is asked with; its entry is `{ appKey, appToken, apiUrl?, returnsUrl?, orderPlatform? }`. */
export const findAccess = async (name: string, options?: FindOptions): Promise<Access | undefined> =>
  findSource('api/vtex', name, readAccess(name), options);

/**
 * Asks one of an account's APIs.
 * https://developers.vtex.com/docs/guides/api-authentication-using-api-keys
 *
 * @param at which of them: the Orders API or the return app
 * @param path begins with a slash
 */
export const ask = async (
  shop: Shop,
  at: 'apiUrl' | 'returnsUrl',
  path: string,
): Promise<Result<unknown, ShopFailure>> =>
  askShop(
    shop,
    findAccess,
    ({ [at]: url, appKey, appToken }) => ({
      method: 'GET',
      url: `${url}${path}`,
      headers: { accept: 'application/json', 'x-vtex-api-appkey': appKey, 'x-vtex-api-apptoken': appToken },
    }),
    readJson,
  );
