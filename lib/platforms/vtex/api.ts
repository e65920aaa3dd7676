import type { Result } from '../../contract/result.ts';
import type { ShopFailure } from '../platform.ts';
import { callShop, readJson, type Shop } from '../shared/http/api.ts';
import { type SourceEntry, type FindOptions, findSource } from '../shared/http/sources.ts';

/** What an account's deliveries are believed by: the tokens that they may carry. */
type WebhookCredentials = { readonly webhookSecrets: readonly string[] };

/** What an account is asked with: the addresses and the key of its APIs. */
type ApiCredentials = {
  readonly appKey: string;
  readonly appToken: string;
  readonly apiUrl: string;
  /** Of the return app, which answers at the account's own workspace and not where the Orders API does. */
  readonly returnsUrl: string;
  /** Ids of orders are told apart within one account only. */
  readonly orderPlatform: string;
};

/** Reads the entry of one source. @throws an error that names the faulty field and quotes nothing */
export const readWebhookCredentials = ({ texts }: SourceEntry): WebhookCredentials => ({
  webhookSecrets: texts('webhookSecrets'),
});

/** Reads the entry of one source. @throws an error that names the faulty field and quotes nothing */
export const readApiCredentials =
  (name: string) =>
  ({ text, address, orderPlatform }: SourceEntry): ApiCredentials => ({
    appKey: text('appKey'),
    appToken: text('appToken'),
    apiUrl: address('apiUrl', `https://${name}.vtexcommercestable.com.br`),
    returnsUrl: address('returnsUrl', `https://${name}.myvtex.com`),
    orderPlatform: orderPlatform(),
  });

/** What the account `name` is believed by, or undefined for one that is not ours; its entry is `{ webhookSecrets }`. */
export const findWebhookCredentials = async (
  name: string,
  options?: FindOptions,
): Promise<WebhookCredentials | undefined> => findSource('webhooks/vtex', name, readWebhookCredentials, options);

/** What the account `name` is asked with; its entry is `{ appKey, appToken, apiUrl?, returnsUrl?, orderPlatform? }`. */
export const findApiCredentials = async (name: string, options?: FindOptions): Promise<ApiCredentials | undefined> =>
  findSource('api/vtex', name, readApiCredentials(name), options);

/**
 * Asks one of an account's APIs.
 * https://developers.vtex.com/docs/guides/api-authentication-using-api-keys
 *
 * @param at which of them: the Orders API or the return app
 * @param path begins with a slash
 */
export const callApi = async (
  shop: Shop,
  at: 'apiUrl' | 'returnsUrl',
  path: string,
): Promise<Result<unknown, ShopFailure>> =>
  callShop(
    shop,
    findApiCredentials,
    ({ [at]: url, appKey, appToken }) => ({
      method: 'GET',
      url: `${url}${path}`,
      headers: { accept: 'application/json', 'x-vtex-api-appkey': appKey, 'x-vtex-api-apptoken': appToken },
    }),
    readJson,
  );
