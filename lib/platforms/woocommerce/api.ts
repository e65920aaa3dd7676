import type { Result } from '../../contract/result.ts';
import type { ShopFailure } from '../platform.ts';
import { callShop, readExactJson, type Shop } from '../shared/http/api.ts';
import { type SourceEntry, type FindOptions, findSource } from '../shared/http/sources.ts';

/** What a site's webhooks are believed by: the secrets that they may be signed with. */
type WebhookCredentials = { readonly webhookSecrets: readonly string[] };

/** What a site is asked with: the address and the key of its REST API. */
type ApiCredentials = {
  readonly apiUrl: string;
  readonly authorization: string;
  /** Each site counts its orders by itself. */
  readonly orderPlatform: string;
};

/** Reads the entry of one source. @throws an error that names the faulty field and quotes nothing */
export const readWebhookCredentials = ({ texts }: SourceEntry): WebhookCredentials => ({
  webhookSecrets: texts('webhookSecrets'),
});

/** Reads the entry of one source. @throws an error that names the faulty field and quotes nothing */
export const readApiCredentials = ({ text, address, orderPlatform }: SourceEntry): ApiCredentials => ({
  apiUrl: address('apiUrl'),
  authorization: `Basic ${Buffer.from(`${text('consumerKey')}:${text('consumerSecret')}`).toString('base64')}`,
  orderPlatform: orderPlatform(),
});

/** What the site `source` is believed by, or undefined for one that is not ours; its entry is `{ webhookSecrets }`. */
export const findWebhookCredentials = async (
  source: string,
  options?: FindOptions,
): Promise<WebhookCredentials | undefined> =>
  findSource('webhooks/woocommerce', source, readWebhookCredentials, options);

/**
 * What the site `source` is asked with; its entry is `{ consumerKey, consumerSecret, apiUrl, orderPlatform? }`. The key goes as Basic authentication, which WooCommerce takes over HTTPS only.
 * https://woocommerce.github.io/woocommerce-rest-api-docs/#authentication-over-https
 */
export const findApiCredentials = async (source: string, options?: FindOptions): Promise<ApiCredentials | undefined> =>
  findSource('api/woocommerce', source, readApiCredentials, options);

/**
 * Asks a site's REST API; numbers of the answer are texts.
 * https://woocommerce.github.io/woocommerce-rest-api-docs/
 *
 * @param path behind `/wp-json/wc/v3`, with its query
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
