import { findSource, type Entry, type FindOptions } from '../sources.ts';

/** What we hold of a project: the API client that its orders and payments are read with, and where. */
export type Access = {
  readonly apiUrl: string;
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
};

/** The project of that key, or undefined for one that is not ours; its entry is `{ apiUrl, authUrl, clientId, clientSecret }`. */
export const findAccess = async (key: string, options?: FindOptions): Promise<Access | undefined> =>
  findSource(
    'commercetools',
    key,
    ({ text, address }: Entry): Access => ({
      // Hosts are by region: there is no usual one. https://docs.commercetools.com/api/general-concepts#hosts
      apiUrl: address('apiUrl'),
      authUrl: address('authUrl'),
      clientId: text('clientId'),
      clientSecret: text('clientSecret'),
    }),
    options,
  );
