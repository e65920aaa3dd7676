import { findSource, type Entry, type FindOptions } from '../sources.ts';

/** What we hold of a project: the API client that its orders and payments are read with, and where. */
export type Project = {
  readonly apiUrl: string;
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
};

/** The project of that key, or undefined for one that is not ours; its entry is `{ apiUrl, authUrl, clientId, clientSecret }`. */
export const findProject = async (key: string, options?: FindOptions): Promise<Project | undefined> =>
  findSource(
    'commercetools',
    key,
    ({ text, address }: Entry): Project => ({
      // Hosts are by region: there is no usual one. https://docs.commercetools.com/api/general-concepts#hosts
      apiUrl: address('apiUrl'),
      authUrl: address('authUrl'),
      clientId: text('clientId'),
      clientSecret: text('clientSecret'),
    }),
    options,
  );
