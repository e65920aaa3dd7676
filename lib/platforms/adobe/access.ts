import { findSource, type Entry, type FindOptions } from '../shared/http/sources.ts';

/** Where Adobe keeps the public keys of I/O Events. https://developer.adobe.com/events/docs/guides/#security-considerations */
const usualKeyOrigin = 'https://static.adobeioevents.com';

/** What a shop's events are believed by: the client that they are for, and where the keys of their signatures are. */
export type Proof = {
  /** The client id of the project in the Adobe Developer Console: what tells events for us from events for others. */
  readonly clientId: string;
  readonly keyOrigin: string;
};

/** What a shop is asked with: the address and the token of its REST API. */
export type Access = {
  readonly accessToken: string;
  readonly apiUrl: string;
  /** Each shop counts its orders by itself. */
  readonly orderPlatform: string;
};

/**
 * Adobe Commerce as a Cloud Service has another base path, and tokens of IMS that end after a day. We have no such
 * tokens, so a shop there is refused by name instead of failing with 401 a day later.
 * https://developer.adobe.com/commerce/webapi/rest/authentication/server-to-server/
 */
const isCloudService = (apiUrl: string): boolean =>
  /(?:^|\.)api\.commerce\.adobe\.com$/i.test(new URL(apiUrl).hostname);

const shopAddress = ({ address, fault }: Entry): string => {
  const apiUrl = address('apiUrl');
  if (isCloudService(apiUrl))
    throw fault('apiUrl', 'of a shop on PaaS or on premises: Adobe Commerce as a Cloud Service is not supported');
  return apiUrl;
};

/** Reads the entry of one source. @throws an error that names the faulty field and quotes nothing */
export const readProof = ({ text, address }: Entry): Proof => ({
  clientId: text('clientId'),
  keyOrigin: address('keyOrigin', usualKeyOrigin),
});

/** Reads the entry of one source. @throws an error that names the faulty field and quotes nothing */
export const readAccess = (entry: Entry): Access => ({
  accessToken: entry.text('accessToken'),
  apiUrl: shopAddress(entry),
  orderPlatform: entry.orderPlatform(),
});

/**
 * What the shop `source` is believed by, or undefined for one that is not ours; its entry is `{ clientId }`, and `keyOrigin`
 * where Adobe's keys are to be had from a place of one's own.
 */
export const findProof = async (source: string, options?: FindOptions): Promise<Proof | undefined> =>
  findSource('webhooks/adobe', source, readProof, options);

/** What the shop `source` is asked with; its entry is `{ accessToken, apiUrl, orderPlatform? }`. */
export const findAccess = async (source: string, options?: FindOptions): Promise<Access | undefined> =>
  findSource('api/adobe', source, readAccess, options);
