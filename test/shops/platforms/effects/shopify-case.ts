import { afterAll, beforeEach, vi } from 'vitest';
import { startContainer } from '../../../../lib/runtime/container.ts';
import type {
  Effect,
  Effects,
  Wanted,
  WantedLine,
  WantedRefund,
  WantedReturn,
} from '../../../../lib/shops/platforms/effect.ts';
import { effects } from '../../../../lib/shops/platforms/shopify/effects.ts';
import { worthOf } from '../../../../lib/tools/local/shop/amounts.ts';
import type { ShopOrder } from '../../../../lib/tools/local/shop/orders.ts';
import { startShop } from '../../../../lib/tools/local/shop/shop.ts';
import { shopifyEntry, startPlatformSecret } from '../platform-secret.ts';
import { acceptedLine, keyOf, wantedRefund, wantedReturn } from './wanted.ts';
import { drive, type Options, type Outcome, startClock } from './drive-intent.ts';

const digits: Readonly<Record<string, number>> = { EUR: 2, USD: 2, JPY: 0, KWD: 3 };

/** What units of a line are worth to the shop, in minor units. */
export const worth = (order: ShopOrder, line: number, units: number, before = 0): number =>
  worthOf(order, order.lines[line]?.id ?? '', before, units) / 10 ** (3 - (digits[order.currency] ?? 2));

let count = 0;
/** Returns the id of another intent. */
export const nextKey = (): string => keyOf((count += 1));

export const ownReturn = (lines: readonly WantedLine[], externalId?: string): WantedReturn =>
  wantedReturn(lines, externalId === undefined ? {} : { externalId });

export const refundOf = (
  { currency }: ShopOrder,
  lines: WantedRefund['lines'],
  more: Parameters<typeof wantedRefund>[2] = {},
): WantedRefund => wantedRefund(currency, lines, more);

/** Returns the index of the first line with so many units. */
export const lineWith = ({ lines }: ShopOrder, quantity: number): number =>
  lines.findIndex((item) => item.quantity >= quantity);

/** Returns the sent units of a line. */
const sentUnits = ({ lines, fulfillments }: ShopOrder, index: number): number =>
  fulfillments
    .filter(({ status }) => status === 'SUCCESS')
    .flatMap(({ units }) => units)
    .find(({ lineId }) => lineId === lines[index]?.id)?.quantity ?? 0;

/** Starts a shop for the tests of a file, and asks it as the worker does. */
export const openShopifyCase = async () => {
  const requests: { query: string; variables: unknown }[] = [];
  const shop = await startShop({ port: 0, onRequest: (request) => void requests.push(request) });
  const store = await startPlatformSecret();
  const entry = { ...shopifyEntry(shop), restockLocation: 'gid://shopify/Location/1' };
  store.put({ [shop.shopDomain]: entry });
  afterAll(async () => {
    vi.useRealTimers();
    await shop.close();
    await store.close();
  });
  beforeEach(() => {
    startClock('2026-11-29T12:00:00Z');
    startContainer();
    store.put({ [shop.shopDomain]: entry });
    for (const scope of ['write_orders', 'write_returns']) shop.scopes.add(scope);
    shop.gateway.status = 'SUCCESS';
    requests.splice(0);
  });
  const orderOf = (id: string): ShopOrder => shop.order(id);
  const lineIdOf = (orderId: string, index = 0): string => orderOf(orderId).lines[index]?.id ?? '';
  /** Sells an order that has sent so many units of one line. */
  const sellLike = (quantity: number): ShopOrder => {
    const sold = shop.sell(5).map(orderOf);
    const found = sold.find((order) => sentUnits(order, lineWith(order, quantity)) >= quantity);
    if (found === undefined) throw new Error(`no order has ${quantity} units of a line`);
    return found;
  };
  const sell = (): ShopOrder => orderOf(shop.sell(1)[0] ?? '');
  const wantedOf = (
    action: keyof Effects,
    orderId: string,
    own: WantedReturn,
    changes: Partial<Wanted> = {},
  ): Wanted => ({ key: nextKey(), action, orderId, return: own, paysRefunds: false, ...changes });
  const effectOf = (action: keyof Effects): Effect => {
    const effect = effects[action];
    if (effect === undefined) throw new Error(`Shopify has no ${action}`);
    return effect;
  };
  const ask = async (wanted: Wanted, before?: Options['before']): Promise<Outcome> =>
    drive(effectOf(wanted.action), shop.shopDomain, wanted, before === undefined ? {} : { before });
  return {
    shop,
    store,
    entry,
    requests,
    mutations: () => requests.filter(({ query }) => query.startsWith('mutation')),
    /** Sells an order whose units are all sent, in euro. */
    sell,
    sellLike,
    orderOf,
    lineIdOf,
    /** A return that a customer requested at the shop. */
    requested: (quantity = 1) => {
      const { id: orderId } = sell();
      const { returnGid } = shop.webhook(orderId, { quantity });
      return { orderId, own: ownReturn([acceptedLine(lineIdOf(orderId), quantity)], returnGid) };
    },
    /** An open return at the shop with units of one line. */
    opened: (quantity: number, changes: Partial<WantedLine> = {}) => {
      const order = sellLike(quantity);
      const at = lineWith(order, quantity);
      const gid = shop.makeReturn(order.id, { quantity, line: at });
      return {
        order,
        at,
        orderId: order.id,
        own: ownReturn([acceptedLine(lineIdOf(order.id, at), quantity, changes)], gid),
      };
    },
    wantedOf,
    effectOf,
    ask,
    /** Asks for an action on a return. */
    act: async (action: keyof Effects, orderId: string, own: WantedReturn, changes: Partial<Wanted> = {}) =>
      ask(wantedOf(action, orderId, own, changes)),
  };
};
