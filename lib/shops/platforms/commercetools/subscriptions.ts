import { ok, type Result } from '../../../runtime/result.ts';
import { awsPartition, awsSuffix } from '../../../runtime/address.ts';
import { sha256 } from '../../../runtime/hash.ts';
import type { JsonObject } from '../../../runtime/json.ts';
import type { ShopFailure } from '../platform.ts';
import { objectOf, objectsOf } from '../shared/fields/fields.ts';
import type { Shop } from '../shared/http/api.ts';
import { hookSubscriptions, type ListedHook, subscriptionFailure } from '../shared/hooks/hook-subscriptions.ts';
import type { Hook, Subscriptions } from '../subscription.ts';
import { callSubscriptions } from './api.ts';
import { topics } from './notification.ts';

/*
 * The subscription of a commercetools project, to a queue, a topic or a bus of AWS. commercetools has no webhooks. It
 * stops the delivery some time after an error of the destination, and a new destination starts it again.
 * https://docs.commercetools.com/api/projects/subscriptions
 */

/** No message reports the payment state of a return, so changes of orders are subscribed to as well. */
const change = 'ResourceUpdated';

const messages = Object.entries(topics).map(([resourceTypeId, types]) => ({
  resourceTypeId,
  types: [...types].filter((type) => type !== change),
}));
const subscribed = { messages, changes: [{ resourceTypeId: 'order' }] };
const needed = [...messages.flatMap(({ types }) => types), change];

/** The status of a subscription that delivers, perhaps after an outage of its destination. */
const delivering: ReadonlySet<unknown> = new Set(['Healthy', 'TemporaryError']);

/** Returns the ARN of a destination of AWS; undefined for another one. An event bus is one of region and account. */
const arnOf = (destination: JsonObject): string | undefined => {
  const { type, queueUrl, topicArn, region, accountId } = destination;
  if (type === 'SNS') return typeof topicArn === 'string' ? topicArn : undefined;
  if (type === 'EventBridge')
    return `arn:${awsPartition(String(region))}:events:${String(region)}:${String(accountId)}`;
  return type === 'SQS' && typeof queueUrl === 'string' ? arnIn(queueUrl) : undefined;
};

/** Returns the ARN that an address means: itself, or that of the queue at a URL. */
const arnIn = (address: string): string | undefined => {
  const [, region = '', account = '', name] =
    /^https:\/\/sqs\.([\w-]+)\.amazonaws\.com(?:\.cn)?\/(\d{12})\/([\w-]{1,80})$/.exec(address) ?? [];
  if (name !== undefined) return `arn:${awsPartition(region)}:sqs:${region}:${account}:${name}`;
  const [, bus] = /^(arn:aws[\w-]*:events:[\w-]+:\d{12})(?::.*)?$/.exec(address) ?? [];
  return bus ?? (/^arn:aws[\w-]*:(?:sqs|sns):[\w-]+:\d{12}:[\w.-]+$/.test(address) ? address : undefined);
};

/** Returns the destination of an ARN. AWS lets commercetools write there, so it needs no keys. */
const destinationOf = (arn: string): JsonObject => {
  const [, , service = '', region = '', account = '', name = ''] = arn.split(':');
  if (service === 'events') return { type: 'EventBridge', region, accountId: account };
  if (service === 'sns') return { type: 'SNS', topicArn: arn, authenticationMode: 'IAM' };
  const queueUrl = `https://sqs.${region}.${awsSuffix(region)}/${account}/${name}`;
  return { type: 'SQS', queueUrl, region, authenticationMode: 'IAM' };
};

/** Returns the needed topics that a subscription reports. Messages without types are all of their resource. */
const reportedBy = (subscription: JsonObject): readonly string[] => {
  const reported = objectsOf(subscription['messages']).flatMap(({ resourceTypeId, types }) =>
    messages
      .filter((wanted) => wanted.resourceTypeId === resourceTypeId)
      .flatMap((wanted) =>
        wanted.types.filter((type) => !Array.isArray(types) || types.length === 0 || types.includes(type)),
      ),
  );
  const hasChanges = objectsOf(subscription['changes']).some(({ resourceTypeId }) => resourceTypeId === 'order');
  return hasChanges ? [...reported, change] : reported;
};

const ownKey = /^returns-/;
const keyOf = ({ address }: Hook): string => `returns-${sha256(address, 'hex').slice(0, 12)}`;

/** A subscription of the list. An update needs its version, and its key marks it as ours. */
type Found = ListedHook & { readonly version: number; readonly isOwn: boolean };

const foundIn = (subscription: JsonObject): readonly Found[] => {
  const { id, version, key, status } = subscription;
  const address = arnOf(objectOf(subscription['destination']));
  if (typeof id !== 'string' || typeof version !== 'number' || address === undefined) return [];
  const isOwn = typeof key === 'string' && ownKey.test(key);
  const isActive = delivering.has(status);
  return [{ id, version, address, topics: reportedBy(subscription), isActive, isOwn }];
};

/** A project has 50 subscriptions at most. */
const fetchAll = async (shop: Shop): Promise<Result<readonly Found[], ShopFailure>> => {
  const read = await callSubscriptions(shop, '?limit=100');
  if (!read.ok) return read;
  const { results } = objectOf(read.value);
  return Array.isArray(results)
    ? ok(objectsOf(results).flatMap(foundIn))
    : subscriptionFailure('subscriptions_unreadable');
};

const actionsFor = ({ address }: Hook) => [
  { action: 'setMessages', messages: subscribed.messages },
  { action: 'setChanges', changes: subscribed.changes },
  // It sends a test, and starts a stopped delivery again.
  { action: 'changeDestination', destination: destinationOf(address) },
];

const hooks = hookSubscriptions({
  platform: 'commercetools',
  topics: needed,
  perHook: 'all',
  list: async (shop) => fetchAll(shop),
  isOurs: (_source, { isOwn }) => isOwn,
  create: async (shop, _topics, hook) =>
    callSubscriptions(shop, '', { key: keyOf(hook), destination: destinationOf(hook.address), ...subscribed }),
  update: async (shop, { id, version }, hook) =>
    callSubscriptions(shop, `/${id}`, { version, actions: actionsFor(hook) }),
});

const unsupported = subscriptionFailure('address_unsupported');

/** The subscription of a commercetools project. Its address is an ARN, or the URL of a queue. */
export const subscriptions: Subscriptions = {
  read: async (source, { address }, deadline) => {
    if (address === undefined) return hooks.read(source, {}, deadline);
    const arn = arnIn(address);
    return arn === undefined ? unsupported : hooks.read(source, { address: arn }, deadline);
  },
  repair: async (source, { address }, deadline) => {
    const arn = arnIn(address);
    return arn === undefined ? unsupported : hooks.repair(source, { address: arn }, deadline);
  },
};
