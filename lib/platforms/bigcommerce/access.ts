import { findSource, type Entry, type FindOptions } from '../ask/sources.ts';

/** What we hold of a store: the client secrets of the app that its webhooks may be signed with, and the address and the token of its API. */
export type Access = {
  readonly webhookSecrets: readonly string[];
  readonly accessToken: string;
  readonly apiUrl: string;
  /** Each store counts its orders by itself. */
  readonly orderPlatform: string;
};

/** Reads the entry of one source. @throws an error that names the faulty field and quotes nothing */
export const readAccess =
  (hash: string) =>
  ({ text, texts, address, orderPlatform }: Entry): Access => ({
    webhookSecrets: texts('webhookSecrets'),
    accessToken: text('accessToken'),
    apiUrl: address('apiUrl', `https://api.bigcommerce.com/stores/${hash}`),
    orderPlatform: orderPlatform(),
  });

/**
 * The store by its hash, or undefined for one that is not ours; its entry is `{ webhookSecrets, accessToken, apiUrl?,
 * orderPlatform? }`. The secrets are the client secrets as BigCommerce shows them.
 */
export const findAccess = async (hash: string, options?: FindOptions): Promise<Access | undefined> =>
  findSource('bigcommerce', hash, readAccess(hash), options);
