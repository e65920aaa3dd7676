import { findSource, type Entry, type FindOptions } from '../ask/sources.ts';

/** What we hold of an account: the tokens its deliveries may carry, and the addresses and the key of its APIs. */
export type Access = {
  readonly webhookSecrets: readonly string[];
  readonly appKey: string;
  readonly appToken: string;
  readonly apiUrl: string;
  /** Of the return app, which answers at the account's own workspace and not where the Orders API does. */
  readonly returnsUrl: string;
  /** Ids of orders are told apart within one account only. */
  readonly orderPlatform: string;
};

/** Reads the entry of one source. @throws an error that names the faulty field and quotes nothing */
export const readAccess =
  (name: string) =>
  ({ text, texts, address, orderPlatform }: Entry): Access => ({
    webhookSecrets: texts('webhookSecrets'),
    appKey: text('appKey'),
    appToken: text('appToken'),
    apiUrl: address('apiUrl', `https://${name}.vtexcommercestable.com.br`),
    returnsUrl: address('returnsUrl', `https://${name}.myvtex.com`),
    orderPlatform: orderPlatform(),
  });

/**
 * The account `name`, or undefined for one that is not ours; its entry is
 * `{ webhookSecrets, appKey, appToken, apiUrl?, returnsUrl?, orderPlatform? }`.
 */
export const findAccess = async (name: string, options?: FindOptions): Promise<Access | undefined> =>
  findSource('vtex', name, readAccess(name), options);
