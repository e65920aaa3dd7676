import { findSource, type Entry, type FindOptions } from '../shared/http/sources.ts';

/** What a shop's webhooks are believed by: the secrets that they may be signed with. */
export type Proof = { readonly webhookSecrets: readonly string[] };

/** What a shop is asked with: the address and the token of its Admin API. */
export type Access = {
  readonly accessToken: string;
  readonly apiUrl: string;
};

/** Reads the entry of one source. @throws an error that names the faulty field and quotes nothing */
export const readProof = ({ texts }: Entry): Proof => ({ webhookSecrets: texts('webhookSecrets') });

/** Reads the entry of one source. @throws an error that names the faulty field and quotes nothing */
export const readAccess =
  (domain: string) =>
  ({ text, address }: Entry): Access => ({
    accessToken: text('accessToken'),
    apiUrl: address('apiUrl', `https://${domain}`),
  });

/** What the shop `domain` is believed by, or undefined for one that is not ours; its entry is `{ webhookSecrets }`. */
export const findProof = async (domain: string, options?: FindOptions): Promise<Proof | undefined> =>
  findSource('webhooks/shopify', domain, readProof, options);

/** What the shop `domain` is asked with; its entry is `{ accessToken, apiUrl? }`. */
export const findAccess = async (domain: string, options?: FindOptions): Promise<Access | undefined> =>
  findSource('api/shopify', domain, readAccess(domain), options);
