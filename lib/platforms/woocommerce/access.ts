import { findSource, type Entry, type FindOptions } from '../ask/sources.ts';

/** What we hold of a site: the secrets its webhooks may be signed with, and the address and the key of its REST API. */
export type Access = {
  readonly webhookSecrets: readonly string[];
  readonly apiUrl: string;
  readonly authorization: string;
  /** Each site counts its orders by itself. */
  readonly orderPlatform: string;
};

/** Reads the entry of one source. @throws an error that names the faulty field and quotes nothing */
export const readAccess = ({ text, texts, address, orderPlatform }: Entry): Access => ({
  webhookSecrets: texts('webhookSecrets'),
  apiUrl: address('apiUrl'),
  authorization: `Basic ${Buffer.from(`${text('consumerKey')}:${text('consumerSecret')}`).toString('base64')}`,
  orderPlatform: orderPlatform(),
});

/**
 * The site `source`, or undefined for one that is not ours; its entry is `{ webhookSecrets, consumerKey, consumerSecret,
 * apiUrl, orderPlatform? }`. The key goes as Basic authentication, which WooCommerce takes over HTTPS only.
 * https://woocommerce.github.io/woocommerce-rest-api-docs/#authentication-over-https
 */
export const findAccess = async (source: string, options?: FindOptions): Promise<Access | undefined> =>
  findSource('woocommerce', source, readAccess, options);
