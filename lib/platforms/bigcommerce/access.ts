import { findSource, type Entry, type FindOptions } from '../shared/http/sources.ts';

/** What a store's webhooks are believed by: the client secrets of the app that they may be signed with. */
export type Proof = { readonly webhookSecrets: readonly string[] };

/** What a store is asked with: the address and the token of its API. */
export type Access = {
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
