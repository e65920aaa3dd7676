import { findSource, type Entry, type FindOptions } from '../shared/http/sources.ts';

/** What a Saleor's webhooks are believed by: where its keys are, and secrets that webhooks with a `secretKey` are signed with. */
export type Proof = { readonly keyOrigin: string; readonly webhookSecrets: readonly string[] };

/** What a Saleor is asked with: the address and the token of its API. */
export type Access = {
  /** The GraphQL endpoint, with the slash at its end that Saleor asks for. */
  readonly endpoint: string;
  readonly accessToken: string;
};

/** An address for a source that is named by its host; any other source has to give its own. */
const usualAddress = (source: string, path = ''): string | undefined =>
  source.includes('.') ? `https://${source}${path}` : undefined;

const endpointOf = (apiUrl: string): string => `${apiUrl}${URL.parse(apiUrl)?.pathname === '/' ? '/graphql/' : '/'}`;

/** Reads the entry of one source. @throws an error that names the faulty field and quotes nothing */
export const readProof =
  (source: string) =>
  ({ optionalTexts, address }: Entry): Proof => ({
    keyOrigin: address('keyOrigin', usualAddress(source)),
    webhookSecrets: optionalTexts('webhookSecrets'),
  });

/** Reads the entry of one source. @throws an error that names the faulty field and quotes nothing */
export const readAccess =
  (source: string) =>
  ({ text, address }: Entry): Access => ({
    endpoint: endpointOf(address('apiUrl', usualAddress(source, '/graphql'))),
    accessToken: text('accessToken'),
  });

/**
 * What the Saleor `source` is believed by, or undefined for one that is not ours; its entry is
 * `{ keyOrigin?, webhookSecrets? }`. A source that is named by its host needs no `keyOrigin`.
 */
export const findProof = async (source: string, options?: FindOptions): Promise<Proof | undefined> =>
  findSource('webhooks/saleor', source, readProof(source), options);

/**
 * What the Saleor `source` is asked with; its entry is `{ accessToken, apiUrl? }`. A source that is named by its host needs
 * no `apiUrl`.
 */
export const findAccess = async (source: string, options?: FindOptions): Promise<Access | undefined> =>
  findSource('api/saleor', source, readAccess(source), options);
