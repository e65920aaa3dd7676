import { fail, ok, type Result } from '../../../runtime/result.ts';
import type { ShopFailure } from '../platform.ts';
import type { Shop } from '../shared/http/api.ts';
import {
  type HookApi,
  hookSubscriptions,
  type ListedHook,
  subscriptionFailure,
} from '../shared/hooks/hook-subscriptions.ts';
import type { Hook, Subscriptions } from '../subscription.ts';
import { type ApiResponse, callApi } from './api.ts';
import { events } from './platform.ts';

/*
 * The webhooks of our app in Saleor. An app may list and change its own without a permission. Saleor itself stops none:
 * staff may. A webhook without a secret key is signed by the key of the shop.
 * https://docs.saleor.io/api-reference/webhooks/mutations/webhook-create
 */

const topics = [...events];
const enumOf = (event: string): string => event.toUpperCase();
const eventOf = (name: string): string => name.toLowerCase();

/** Returns the type of an event in a subscription: `order_fully_paid` is `OrderFullyPaid`. */
const typeOf = (event: string): string =>
  event
    .split('_')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');

/** What a delivery has: the time of its event, which marks retries, and the order. */
const payloadQuery = `subscription { event { issuedAt ${topics
  .map((event) => `... on ${typeOf(event)} { order { id } }`)
  .join(' ')} } }`;

const listQuery = 'query Webhooks { app { webhooks { id isActive targetUrl asyncEvents { eventType } } } }';

const createMutation = `mutation Subscribe($input: WebhookCreateInput!) {
  webhookCreate(input: $input) { webhook { id } errors { code } }
}`;

const updateMutation = `mutation Correct($id: ID!, $input: WebhookUpdateInput!) {
  webhookUpdate(id: $id, input: $input) { webhook { id } errors { code } }
}`;

type Node = {
  readonly id: string;
  readonly isActive: boolean;
  readonly targetUrl: string;
  readonly asyncEvents: readonly { readonly eventType: string }[];
};
type ListData = { readonly app: { readonly webhooks: readonly Node[] | null } | null };
type WriteData = Readonly<Record<string, { readonly errors: readonly { readonly code: string }[] } | null>>;

const denied: ShopFailure = { kind: 'retryable', reason: 'shop_denied_access' };

const hookOf = ({ id, isActive, targetUrl, asyncEvents }: Node): ListedHook => {
  const reported = new Set(asyncEvents.map(({ eventType }) => eventOf(eventType)));
  return { id, topics: topics.filter((event) => reported.has(event)), address: targetUrl, isActive };
};

const list: HookApi['list'] = async (shop) => {
  const answer = await callApi<ListData>(shop, listQuery, {});
  if (!answer.ok) return answer;
  const { app } = answer.value.data;
  // The token of a person belongs to no app.
  if (app === null) return answer.value.denied ? fail(denied) : subscriptionFailure('token_of_no_app');
  return app.webhooks === null ? fail(denied) : ok(app.webhooks.map(hookOf));
};

const readWrite = (answer: Result<ApiResponse<WriteData>, ShopFailure>): Result<undefined, ShopFailure> => {
  if (!answer.ok) return answer;
  const [written] = Object.values(answer.value.data);
  if (written === null || written === undefined) return fail(denied);
  const [error] = written.errors;
  return error === undefined ? ok(undefined) : subscriptionFailure(`shop_rejected:${error.code}`);
};

const send = async (shop: Shop, mutation: string, variables: object) =>
  readWrite(await callApi<WriteData>(shop, mutation, variables));

const inputOf = ({ address }: Hook) => ({
  targetUrl: address,
  asyncEvents: topics.map(enumOf),
  query: payloadQuery,
  isActive: true,
});

/** The webhook of a Saleor app: one for all events. */
export const subscriptions: Subscriptions = hookSubscriptions({
  platform: 'saleor',
  topics,
  perHook: 'all',
  list,
  create: async (shop, _topics, hook) => send(shop, createMutation, { input: { name: 'Returns', ...inputOf(hook) } }),
  update: async (shop, { id }, hook) => send(shop, updateMutation, { id, input: inputOf(hook) }),
});
