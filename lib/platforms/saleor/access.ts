import { findSource, type Entry, type FindOptions } from '../ask/sources.ts';

/** What we hold of a Saleor: the address and the token of its API, and secrets that webhooks with a `secretKey` are signed with. */
export type Access = {
  /** The GraphQL endpoint, with the slash at its end that Saleor asks for. */
  readonly endpoint: string;
  readonly accessToken: string;
  readonly webhookSecrets: readonly string[];
};

const endpointOf = (apiUrl: string): string => `${apiUrl}${URL.parse(apiUrl)?.pathname === '/' ? '/graphql/' : '/'}`;

/** Reads the entry of one source. @throws an error that names the faulty field and quotes nothing */
export const readAccess =
  (source: string) =>
  ({ text, optionalTexts, address }: Entry): Access => ({
    endpoint: endpointOf(source.includes('.') ? address('apiUrl', `https://${source}/graphql`) : address('apiUrl')),
    accessToken: text('accessToken'),
    webhookSecrets: optionalTexts('webhookSecrets'),
  });

/**
 * The Saleor `source`, or undefined for one that is not ours; its entry is `{ accessToken, apiUrl?, webhookSecrets? }`. A
 * source that is named by its host needs no `apiUrl`.
 */
export const findAccess = async (source: string, options?: FindOptions): Promise<Access | undefined> =>
  findSource('saleor', source, readAccess(source), options);
