import { findSource, type Entry, type FindOptions } from '../ask/sources.ts';

/** Where Adobe keeps the public keys of I/O Events. https://developer.adobe.com/events/docs/guides/#security-considerations */
const usualKeyOrigin = 'https://static.adobeioevents.com';

/** What we hold of a shop: the client its events are for, and the address and the token of its REST API. */
export type Access = {
  /** The client id of the project in the Adobe Developer Console: what tells events for us from events for others. */
  readonly clientId: string;
  readonly accessToken: string;
  readonly apiUrl: string;
  readonly keyOrigin: string;
  /** Each shop counts its orders by itself. */
  readonly orderPlatform: string;
};

/** Reads the entry of one source. @throws an error that names the faulty field and quotes nothing */
export const readAccess = ({ text, address, orderPlatform }: Entry): Access => ({
  clientId: text('clientId'),
  accessToken: text('accessToken'),
  apiUrl: address('apiUrl'),
  keyOrigin: address('keyOrigin', usualKeyOrigin),
  orderPlatform: orderPlatform(),
});

/**
 * The shop `source`, or undefined for one that is not ours; its entry is `{ clientId, accessToken, apiUrl, orderPlatform? }`,
 * and `keyOrigin` where Adobe's keys are to be had from a place of one's own.
 */
export const findAccess = async (source: string, options?: FindOptions): Promise<Access | undefined> =>
  findSource('adobe', source, readAccess, options);
