import { findSource, type Entry, type FindOptions } from '../ask/sources.ts';

/** What we hold of a sender for its own API; lib/platforms/proof/standard-receiver.ts reads the keys of its deliveries. */
export type Access = {
  readonly accessToken: string;
  readonly apiUrl: string;
  /** Each sender counts its orders by itself. */
  readonly orderPlatform: string;
};

/**
 * The sender `source`, or undefined for one that is not ours; its entry is `{ webhookSecrets, accessToken, apiUrl,
 * orderPlatform? }`.
 */
export const findAccess = async (source: string, options?: FindOptions): Promise<Access | undefined> =>
  findSource(
    'standard',
    source,
    ({ text, address, orderPlatform }: Entry): Access => ({
      accessToken: text('accessToken'),
      apiUrl: address('apiUrl'),
      orderPlatform: orderPlatform(),
    }),
    options,
  );
