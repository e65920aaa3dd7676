import { findSource, type Entry, type FindOptions } from '../shared/http/sources.ts';

/** What a shop is asked with, at its Admin API; lib/platforms/shared/signatures/standard-receiver.ts reads the secrets of its deliveries. */
export type Access = { readonly apiKey: string; readonly apiUrl: string };

/** Reads the entry of one source. @throws an error that names the faulty field and quotes nothing */
export const readAccess = ({ text, address }: Entry): Access => ({
  apiKey: text('secretApiKey'),
  apiUrl: address('apiUrl'),
});

/** The shop `source`, or undefined for one that is not ours; its entry is `{ secretApiKey, apiUrl }`. */
export const findAccess = async (source: string, options?: FindOptions): Promise<Access | undefined> =>
  findSource('api/medusa', source, readAccess, options);
