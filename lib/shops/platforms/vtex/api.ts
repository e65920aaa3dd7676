import type { JsonObject } from '../../../runtime/json.ts';
import type { Result } from '../../../runtime/result.ts';
import type { ShopFailure } from '../platform.ts';
import { callShop, putOnce, readJson, type Shop } from '../shared/http/api.ts';
import { type SourceEntry, type FindOptions, findSource } from '../shared/http/sources.ts';

/** The credentials that verify an account's deliveries: the tokens that they may carry. */
type WebhookCredentials = { readonly webhookSecrets: readonly string[] };

/** The credentials for an account's APIs: the addresses and the key. */
type ApiCredentials = {
  readonly appKey: string;
  readonly appToken: string;
  readonly apiUrl: string;
  /** The address of the return app: the account's own workspace, not that of the Orders API. */
  readonly returnsUrl: string;
  /** Order ids are unique only within one account. */
  readonly orderPlatform: string;
};

/** Reads the entry of one source. @throws an error that names the invalid field and quotes nothing */
export const readWebhookCredentials = ({ texts }: SourceEntry): WebhookCredentials => ({
  webhookSecrets: texts('webhookSecrets'),
});

/** Reads the entry of one source. @throws an error that names the invalid field and quotes nothing */
export const readApiCredentials =
  (name: string) =>
  ({ text, address, orderPlatform }: SourceEntry): ApiCredentials => ({
    appKey: text('appKey'),
    appToken: text('appToken'),
    apiUrl: address('apiUrl', `https://${name}.vtexcommercestable.com.br`),
    returnsUrl: address('returnsUrl', `https://${name}.myvtex.com`),
    orderPlatform: orderPlatform(),
  });

/**
 * Returns the webhook credentials of the account `name`, or undefined if it is not ours.
 * Its entry is `{ webhookSecrets }`.
 */
export const findWebhookCredentials = async (
  name: string,
  options?: FindOptions,
): Promise<WebhookCredentials | undefined> => findSource('webhooks/vtex', name, readWebhookCredentials, options);

/**
 * Returns the API credentials of the account `name`.
 * Its entry is `{ appKey, appToken, apiUrl?, returnsUrl?, orderPlatform? }`.
 */
export const findApiCredentials = async (name: string, options?: FindOptions): Promise<ApiCredentials | undefined> =>
  findSource('api/vtex', name, readApiCredentials(name), options);

/**
 * Calls one of an account's APIs.
 * https://developers.vtex.com/docs/guides/api-authentication-using-api-keys
 *
 * @param at the Orders API or the return app
 * @param path begins with a slash
 * @param fields what to store there; without it the call reads
 */
export const callApi = async (
  shop: Shop,
  at: 'apiUrl' | 'returnsUrl',
  path: string,
  fields?: JsonObject,
): Promise<Result<unknown, ShopFailure>> =>
  callShop(
    shop,
    findApiCredentials,
    ({ [at]: origin, appKey, appToken }) => {
      const url = `${origin}${path}`;
      const headers = { accept: 'application/json', 'x-vtex-api-appkey': appKey, 'x-vtex-api-apptoken': appToken };
      return fields === undefined ? { method: 'GET', url, headers } : putOnce(url, headers, fields);
    },
    readJson,
  );
