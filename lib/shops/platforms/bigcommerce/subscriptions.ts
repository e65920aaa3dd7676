import { ok, type Result } from '../../../runtime/result.ts';
import type { JsonObject } from '../../../runtime/json.ts';
import type { ShopFailure } from '../platform.ts';
import { idOf, objectOf, objectsOf } from '../shared/fields/fields.ts';
import type { Shop } from '../shared/http/api.ts';
import {
  type HookApi,
  hookSubscriptions,
  type ListedHook,
  subscriptionFailure,
} from '../shared/hooks/hook-subscriptions.ts';
import type { Subscriptions } from '../subscription.ts';
import { callApi } from './api.ts';
import { orderIdFields } from './translate.ts';

/*
 * The hooks of the app at a BigCommerce store. BigCommerce deactivates a hook after 48 hours of failures, or 90 days
 * without an event. Its list has the hooks of our app only.
 * https://docs.bigcommerce.com/developer/docs/integrations/webhooks/https-webhooks
 */

const topics = [...orderIdFields.keys()];
const pageSize = 250;
/** The limit ends a listing whose pages never end. */
const maxPages = 10;

/** Whether a scope such as `store/order/*` reports a topic. */
const covers = (scope: string, topic: string): boolean =>
  scope === topic || (scope.endsWith('/*') && topic.startsWith(scope.slice(0, -1)));

const hookOf = ({ id, scope, destination, is_active: isActive }: JsonObject): readonly ListedHook[] => {
  const known = idOf(id);
  if (known === undefined || typeof scope !== 'string' || typeof destination !== 'string') return [];
  const covered = topics.filter((topic) => covers(scope, topic));
  return [{ id: known, topics: covered, address: destination, isActive: isActive === true }];
};

/** Reads a page of hooks. An empty list may be a 204 without a body. */
const fetchPage = async (shop: Shop, page: number): Promise<Result<readonly JsonObject[], ShopFailure>> => {
  const read = await callApi(shop, `/v3/hooks?limit=${pageSize}&page=${page}`);
  if (!read.ok) return read.failure.reason === 'shop_status_204' ? ok([]) : read;
  const { data } = objectOf(read.value);
  return Array.isArray(data) ? ok(objectsOf(data)) : subscriptionFailure('subscriptions_unreadable');
};

const list: HookApi['list'] = async (shop) => {
  const hooks: ListedHook[] = [];
  for (let page = 1; page <= maxPages; page += 1) {
    const read = await fetchPage(shop, page);
    if (!read.ok) return read;
    hooks.push(...read.value.flatMap(hookOf));
    if (read.value.length < pageSize) break;
  }
  return ok(hooks);
};

const send = async (shop: Shop, method: 'POST' | 'PUT', path: string, fields: JsonObject) =>
  callApi(shop, path, { method, body: JSON.stringify(fields), once: true });

/** The hooks of a BigCommerce store. They need no secret: BigCommerce signs with that of the app. */
export const subscriptions: Subscriptions = hookSubscriptions({
  platform: 'bigcommerce',
  topics,
  perHook: 'one',
  list,
  create: async (shop, [scope = ''], { address }) =>
    send(shop, 'POST', '/v3/hooks', { scope, destination: address, is_active: true }),
  update: async (shop, { id }, { address }) =>
    send(shop, 'PUT', `/v3/hooks/${id}`, { destination: address, is_active: true }),
});
