import type { Closers } from '../../json-file.ts';
import type { Shop } from '../../shop/shop.ts';
import { type Delivered, deliverTo, type Target } from './deliver.ts';
import { startDoor } from './door.ts';
import type { ServedShop, ShopActs, ShopDelivery, StartServedShop } from './served-shop.ts';
import { shopifyActs } from './shopify.ts';

/** The shops of the stack, by platform. Each is loaded only when it is started. */
const servedShops: Readonly<Record<string, () => Promise<StartServedShop>>> = {
  adobe: async () => (await import('./adobe.ts')).startAdobe,
  bigcommerce: async () => (await import('./bigcommerce.ts')).startBigCommerce,
  commercetools: async () => (await import('./commercetools.ts')).startCommercetools,
  medusa: async () => (await import('./medusa.ts')).startMedusa,
  saleor: async () => (await import('./saleor.ts')).startSaleor,
  vtex: async () => (await import('./vtex.ts')).startVtex,
  woocommerce: async () => (await import('./woocommerce.ts')).startWooCommerce,
};

/** A shop of the stack, as stack.json describes it. */
export type ShopInfo = { readonly source: string; readonly url: string };

export type OpenShops = {
  /** The address for what customers and staff do. */
  readonly url: string;
  readonly shops: Readonly<Record<string, ShopInfo>>;
  /** Sets where the shops deliver to, once that has started. */
  readonly aim: (target: Target) => void;
};

export type ShopsOptions = {
  /** The platforms of the shops. Those without a shop for this machine are left out. */
  readonly names: readonly string[];
  readonly port: number;
  readonly storeSecret: (name: string, content: object) => Promise<void>;
  readonly shopify: Shop;
  readonly closers: Closers;
};

const storeSecrets = async (
  storeSecret: ShopsOptions['storeSecret'],
  platform: string,
  { source, entries }: Pick<ServedShop, 'source' | 'entries'>,
): Promise<void> => {
  const { webhooks, api } = entries;
  // A shop of this machine has one token, for reads and writes.
  for (const [half, entry] of Object.entries({ webhooks, api, effects: api }))
    await storeSecret(`returns/platforms/${half}/${platform}`, { sources: { [source]: entry } });
};

/** Starts the shops of platforms, stores their secrets, and opens the address for what happens there. */
export const openShops = async ({ names, port, storeSecret, shopify, closers }: ShopsOptions): Promise<OpenShops> => {
  let target: Target | undefined;
  const deliver = async (delivery: ShopDelivery): Promise<Delivered> => deliverTo(delivery, target);
  const doors = new Map<string, ShopActs>([['shopify', shopifyActs(shopify)]]);
  const infos: Record<string, ShopInfo> = { shopify: { source: shopify.shopDomain, url: shopify.url } };
  for (const name of names) {
    const load = servedShops[name];
    if (load === undefined) continue;
    const start = await load();
    const shop = await start(0, (delivery) => void deliver(delivery));
    closers.add(shop.close);
    await storeSecrets(storeSecret, name, shop);
    doors.set(name, shop);
    infos[name] = { source: shop.source, url: shop.url };
  }
  const door = await startDoor(port, doors, deliver);
  closers.add(door.close);
  return { url: door.url, shops: infos, aim: (aimed) => void (target = aimed) };
};
