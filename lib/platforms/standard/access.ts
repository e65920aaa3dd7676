import { findSource, type Entry, type FindOptions } from '../shared/http/sources.ts';

/** What a sender is asked with, at its own API; lib/platforms/shared/signatures/standard-receiver.ts reads the keys of its deliveries. */
export type Access = {
  readonly accessToken: string;
  readonly apiUrl: string;
  /** Each sender counts its orders by itself. */
  readonly orderPlatform: string;
};

/** Reads the entry of one source. @throws an error that names the faulty field and quotes nothing */
export const readAccess = ({ text, address, orderPlatform }: Entry): Access => ({
  accessToken: text('accessToken'),
  apiUrl: address('apiUrl'),
  orderPlatform: orderPlatform(),
});

/** The sender `source`, or undefined for one that is not ours; its entry is `{ accessToken, apiUrl, orderPlatform? }`. */
export const findAccess = async (source: string, options?: FindOptions): Promise<Access | undefined> =>
  findSource('api/standard', source, readAccess, options);
