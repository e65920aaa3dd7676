import { findSource, type Entry, type FindOptions } from '../ask/sources.ts';

/** What we hold of a shop: the secrets its webhooks may be signed with, and the address and the token of its Admin API. */
export type Access = {
  readonly webhookSecrets: readonly string[];
  readonly accessToken: string;
  readonly apiUrl: string;
};

/** Reads the entry of one source. @throws an error that names the faulty field and quotes nothing */
export const readAccess =
  (domain: string) =>
  ({ text, texts, address }: Entry): Access => ({
    webhookSecrets: texts('webhookSecrets'),
    accessToken: text('accessToken'),
    apiUrl: address('apiUrl', `https://${domain}`),
  });

/** The shop `domain`, or undefined for one that is not ours; its entry is `{ webhookSecrets, accessToken, apiUrl? }`. */
export const findAccess = async (domain: string, options?: FindOptions): Promise<Access | undefined> =>
  findSource('shopify', domain, readAccess(domain), options);
