import type { Result } from '../../contract/result.ts';
import type { ShopFailure } from '../platform.ts';
import { callShop, readExactJson, type Shop } from '../shared/http/api.ts';
import { type SourceEntry, type FindOptions, findSource } from '../shared/http/sources.ts';

/** The credentials that verify a site's webhooks: the secrets that may sign them. */
type WebhookCredentials = { readonly webhookSecrets: readonly string[] };

/** The credentials for a site's REST API: its address and key. */
type ApiCredentials = {
  readonly apiUrl: string;
  readonly authorization: string;
  /** Each site numbers its orders itself. */
  readonly orderPlatform: string;
};

/** Reads the entry of one source. @throws an error that names the invalid field and quotes nothing */
export const readWebhookCredentials = ({ texts }: SourceEntry): WebhookCredentials => ({
  webhookSecrets: texts('webhookSecrets'),
});

/** Reads the entry of one source. @throws an error that names the invalid field and quotes nothing */
export const readApiCredentials = ({ text, address, orderPlatform }: SourceEntry): ApiCredentials => ({
  apiUrl: address('apiUrl'),
  authorization: `Basic ${Buffer.from(`${text('consumerKey')}:${text('consumerSecret')}`).toString('base64')}`,
  orderPlatform: orderPlatform(),
});

/**
 * Returns the webhook credentials of the site `source`, or undefined if it is not ours.
 * Its entry is `{ webhookSecrets }`.
 */
export const findWebhookCredentials = async (
  source: string,
  options?: FindOptions,
): Promise<WebhookCredentials | undefined> =>
  findSource('webhooks/woocommerce', source, readWebhookCredentials, options);

/**
 * Returns the API credentials of the site `source`.
 * Its entry is `{ consumerKey, consumerSecret, apiUrl, orderPlatform? }`. The key is sent as Basic authentication,
 * which WooCommerce accepts only over HTTPS.
 * https://woocommerce.github.io/woocommerce-rest-api-docs/#authentication-over-https
 */
export const findApiCredentials = async (source: string, options?: FindOptions): Promise<ApiCredentials | undefined> =>
  findSource('api/woocommerce', source, readApiCredentials, options);

/**
 * Calls a site's REST API.
 * Numbers of the response become texts.
 * https://woocommerce.github.io/woocommerce-rest-api-docs/
 *
 * @param path the path after `/wp-json/wc/v3`, with its query
 */
export const callApi = async (shop: Shop, path: string): Promise<Result<unknown, ShopFailure>> =>
  callShop(
    shop,
    findApiCredentials,
    ({ apiUrl, authorization }) => ({
      method: 'GET',
      url: `${apiUrl}/wp-json/wc/v3${path}`,
      headers: { accept: 'application/json', authorization },
    }),
    readExactJson,
  );
