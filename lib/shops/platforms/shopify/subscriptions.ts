import { fail, ok, type Result } from '../../../runtime/result.ts';
import type { ShopFailure } from '../platform.ts';
import type { Shop } from '../shared/http/api.ts';
import {
  hasOurPath,
  type HookApi,
  hookSubscriptions,
  type ListedHook,
  subscriptionFailure,
} from '../shared/hooks/hook-subscriptions.ts';
import type { ApiVersion, Hook, Subscriptions } from '../subscription.ts';
import { type ApiResponse, apiVersion, callApi, readPages } from './api.ts';
import { topics } from './headers.ts';
import { type Connection, page } from './queries.ts';

/*
 * The subscriptions of a Shopify app at one shop. The API shows only those that it has made itself: neither those of the
 * file of the app, nor those of staff. Shopify does not disable a subscription: it deletes it after eight failures.
 * https://shopify.dev/docs/api/admin-graphql/2026-10/objects/WebhookSubscription
 */

const listQuery = `query Subscriptions($after: String) {
  webhookSubscriptions(first: 100, after: $after) { nodes { id topic uri } ${page} }
}`;

const createMutation = `mutation Subscribe($topic: WebhookSubscriptionTopic!, $input: WebhookSubscriptionInput!) {
  webhookSubscriptionCreate(topic: $topic, webhookSubscription: $input) { webhookSubscription { id } userErrors { field } }
}`;

const updateMutation = `mutation Correct($id: ID!, $input: WebhookSubscriptionInput!) {
  webhookSubscriptionUpdate(id: $id, webhookSubscription: $input) { webhookSubscription { id } userErrors { field } }
}`;

const versionsQuery = 'query Versions { publicApiVersions { handle supported } }';

type Node = { readonly id: string; readonly topic: string; readonly uri: string };
type ListData = { readonly webhookSubscriptions: Connection<Node> };
type WriteData = Readonly<Record<string, { readonly userErrors: readonly unknown[] } | null>>;

/** Returns the name of a topic in the API: `returns/request` is `RETURNS_REQUEST`. */
const enumOf = (topic: string): string => topic.replaceAll('/', '_').toUpperCase();
const topicsByEnum: ReadonlyMap<string, string> = new Map(Object.keys(topics).map((topic) => [enumOf(topic), topic]));

const hookOf = ({ id, topic, uri }: Node): ListedHook => {
  const known = topicsByEnum.get(topic);
  return { id, topics: known === undefined ? [] : [known], address: uri, isActive: true };
};

/** Whether a subscription of our app is one of this service: by its path, or through EventBridge. */
const isOurs = (source: string, { address }: ListedHook): boolean =>
  hasOurPath('shopify', source, address) || address.startsWith('arn:aws:events:');

const fetchPage = async (shop: Shop, after: string | null) => {
  const answer = await callApi<ListData>(shop, listQuery, { after });
  return answer.ok ? ok(answer.value.data.webhookSubscriptions) : answer;
};

const list: HookApi['list'] = async (shop) => {
  const first = await fetchPage(shop, null);
  if (!first.ok) return first;
  const all = await readPages(first.value, async (after) => fetchPage(shop, after));
  return all.ok ? ok(all.value.nodes.map(hookOf)) : all;
};

/** Reads the answer to a mutation. Its errors have texts only, which are not shown. */
const readWrite = (answer: Result<ApiResponse<WriteData>, ShopFailure>): Result<undefined, ShopFailure> => {
  if (!answer.ok) return answer;
  const [written] = Object.values(answer.value.data);
  if (written === null || written === undefined) return fail({ kind: 'retryable', reason: 'shop_denied_access' });
  return written.userErrors.length === 0 ? ok(undefined) : subscriptionFailure('shop_rejected_subscription');
};

const send = async (shop: Shop, mutation: string, variables: Record<string, unknown>) =>
  readWrite(await callApi<WriteData>(shop, mutation, variables, { once: true }));

const inputOf = ({ address }: Hook) => ({ uri: address, format: 'JSON' });

/** A version works for at least a year. https://shopify.dev/docs/api/usage/versioning */
const supportedUntil = `${Number(apiVersion.slice(0, 4)) + 1}${apiVersion.slice(4)}-01`;

type VersionsData = {
  readonly publicApiVersions: readonly { readonly handle: string; readonly supported: boolean }[];
};

const readApiVersion = async (shop: Shop): Promise<Result<ApiVersion, ShopFailure>> => {
  const answer = await callApi<VersionsData>(shop, versionsQuery, {});
  if (!answer.ok) return answer;
  const isSupported = answer.value.data.publicApiVersions.some(
    ({ handle, supported }) => handle === apiVersion && supported,
  );
  return ok({ version: apiVersion, isSupported, supportedUntil });
};

/** The subscriptions of a Shopify shop, to an HTTPS address or the ARN of an event source of EventBridge. */
export const subscriptions: Subscriptions = {
  ...hookSubscriptions({
    platform: 'shopify',
    topics: Object.keys(topics),
    perHook: 'one',
    list,
    isOurs,
    create: async (shop, [topic = ''], hook) =>
      send(shop, createMutation, { topic: enumOf(topic), input: inputOf(hook) }),
    update: async (shop, { id }, hook) => send(shop, updateMutation, { id, input: inputOf(hook) }),
  }),
  readApiVersion: async (source, deadline) => readApiVersion({ source, deadline }),
};
