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
export const readAccess = (entry: Entry): Access => ({
  clientId: entry.text('clientId'),
  accessToken: entry.text('accessToken'),
  apiUrl: shopAddress(entry),
  keyOrigin: entry.address('keyOrigin', usualKeyOrigin),
  orderPlatform: entry.orderPlatform(),
});

/**
 * The shop `source`, or undefined for one that is not ours; its entry is `{ clientId, accessToken, apiUrl, orderPlatform? }`,
 * and `keyOrigin` where Adobe's keys are to be had from a place of one's own.
 */
export const findAccess = async (source: string, options?: FindOptions): Promise<Access | undefined> =>
  findSource('adobe', source, readAccess, options);
