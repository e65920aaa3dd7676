import { ok, type Result } from '../../../runtime/result.ts';
import type { JsonObject } from '../../../runtime/json.ts';
import type { ShopFailure } from '../platform.ts';
import { idOf, objectsOf } from '../shared/fields/fields.ts';
import type { Shop } from '../shared/http/api.ts';
import {
  type HookApi,
  hookSubscriptions,
  type ListedHook,
  secretMissing,
  subscriptionFailure,
} from '../shared/hooks/hook-subscriptions.ts';
import type { Hook, Subscriptions } from '../subscription.ts';
import { callApi } from './api.ts';
import { orderTopics } from './translate.ts';

/*
 * The webhooks of a WooCommerce site. WooCommerce disables a webhook after five failures in a row, and never enables it
 * again. It shows no secret. https://woocommerce.github.io/woocommerce-rest-api-docs/#webhooks
 */

const pageSize = 100;
/** The limit ends a listing whose pages never end. */
const maxPages = 10;

const hookOf = ({ id, topic, delivery_url: address, status }: JsonObject): readonly ListedHook[] => {
  const known = idOf(id);
  if (known === undefined || typeof topic !== 'string' || typeof address !== 'string') return [];
  return [{ id: known, topics: [topic], address, isActive: status === 'active' }];
};

const list: HookApi['list'] = async (shop) => {
  const hooks: ListedHook[] = [];
  for (let page = 1; page <= maxPages; page += 1) {
    const read = await callApi(shop, `/webhooks?per_page=${pageSize}&page=${page}`);
    if (!read.ok) return read;
    if (!Array.isArray(read.value)) return subscriptionFailure('subscriptions_unreadable');
    hooks.push(...objectsOf(read.value).flatMap(hookOf));
    if (read.value.length < pageSize) break;
  }
  return ok(hooks);
};

const create = async (shop: Shop, topic: string, { address, secret }: Hook): Promise<Result<unknown, ShopFailure>> => {
  // WooCommerce would make a secret of its own, and show it to no one.
  if (secret === undefined) return secretMissing;
  const fields = { name: `Returns: ${topic}`, topic, delivery_url: address, secret, status: 'active' };
  return callApi(shop, '/webhooks', { method: 'POST', fields });
};

/** The webhooks of a WooCommerce site. A key that may only read lists them, and changes none. */
export const subscriptions: Subscriptions = hookSubscriptions({
  platform: 'woocommerce',
  topics: [...orderTopics],
  perHook: 'one',
  list,
  create: async (shop, [topic = ''], hook) => create(shop, topic, hook),
  update: async (shop, { id }, { address, secret }) => {
    const fields = { delivery_url: address, status: 'active', ...(secret !== undefined && { secret }) };
    return callApi(shop, `/webhooks/${id}`, { method: 'PUT', fields });
  },
});
