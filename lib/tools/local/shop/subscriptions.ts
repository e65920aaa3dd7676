import { connection, type PageArguments } from './order-graph.ts';

/*
 * The subscriptions that an app has made by the Admin API, version 2026-10. Each is one address for one topic.
 * https://shopify.dev/docs/api/admin-graphql/2026-10/mutations/webhookSubscriptionCreate
 */

export const subscriptionTypes = /* GraphQL */ `
  enum WebhookSubscriptionTopic {
    APP_UNINSTALLED
    ORDERS_UPDATED
    RETURNS_REQUEST
    RETURNS_APPROVE
    RETURNS_DECLINE
    RETURNS_CANCEL
    RETURNS_CLOSE
    RETURNS_REOPEN
    RETURNS_UPDATE
    RETURNS_PROCESS
    REVERSE_DELIVERIES_ATTACH_DELIVERABLE
    REVERSE_FULFILLMENT_ORDERS_DISPOSE
    REFUNDS_CREATE
    REQUESTED_ORDER_EDIT_CREATED
    REQUESTED_ORDER_EDIT_RESOLVED
    REQUESTED_ORDER_EDIT_DECLINED
  }
  enum WebhookSubscriptionFormat {
    JSON
    XML
  }
  type ApiVersion {
    handle: String!
    displayName: String!
    supported: Boolean!
  }
  type WebhookSubscription {
    id: ID!
    topic: WebhookSubscriptionTopic!
    uri: String!
    format: WebhookSubscriptionFormat!
    apiVersion: ApiVersion!
  }
  type WebhookSubscriptionConnection {
    nodes: [WebhookSubscription!]!
    pageInfo: PageInfo!
  }
  input WebhookSubscriptionInput {
    uri: String
    format: WebhookSubscriptionFormat
  }
  type WebhookSubscriptionPayload {
    webhookSubscription: WebhookSubscription
    userErrors: [UserError!]!
  }
  extend type QueryRoot {
    publicApiVersions: [ApiVersion!]!
    webhookSubscriptions(first: Int, after: String): WebhookSubscriptionConnection!
  }
  extend type Mutation {
    webhookSubscriptionCreate(
      topic: WebhookSubscriptionTopic!
      webhookSubscription: WebhookSubscriptionInput!
    ): WebhookSubscriptionPayload
    webhookSubscriptionUpdate(id: ID!, webhookSubscription: WebhookSubscriptionInput!): WebhookSubscriptionPayload
  }
`;

type Subscription = { readonly id: string; readonly topic: string; readonly uri: string; readonly format: string };
type Input = { readonly uri?: string; readonly format?: string };

const supported = ['2026-01', '2026-04', '2026-07', '2026-10'];
const versionOf = (handle: string, versions: readonly string[]) => ({
  handle,
  displayName: handle,
  supported: versions.includes(handle),
});

/** Opens the subscriptions of the app. */
export const openSubscriptions = () => {
  let last = 0;
  return {
    byId: new Map<string, Subscription>(),
    nextId: () => `gid://shopify/WebhookSubscription/${(last += 1)}`,
    /** The supported versions of the API, which a test may change. */
    versions: [...supported],
  };
};

export type SubscriptionBooks = ReturnType<typeof openSubscriptions>;

/** Shopify accepts HTTPS and the event sources of AWS. The local stack has no TLS. */
const isDeliverable = (uri: string): boolean =>
  /^(?:https:\/\/|arn:aws:events:|http:\/\/(?:127\.0\.0\.1|localhost):)/.test(uri);

const rejected = (message: string) => ({
  webhookSubscription: null,
  userErrors: [{ field: ['webhookSubscription', 'uri'], message }],
});

/** The queries and mutations for graphql-js. */
export const subscriptionRoot = ({ byId, nextId, versions }: SubscriptionBooks) => {
  const graphOf = (found: Subscription) => ({ ...found, apiVersion: versionOf('2026-10', versions) });
  const put = (subscription: Subscription) => {
    const { id, topic, uri } = subscription;
    if (!isDeliverable(uri)) return rejected('Address is invalid');
    const isTaken = [...byId.values()].some((other) => other.id !== id && other.topic === topic && other.uri === uri);
    if (isTaken) return rejected('Address for this topic has already been taken');
    byId.set(id, subscription);
    return { webhookSubscription: graphOf(subscription), userErrors: [] };
  };
  return {
    publicApiVersions: () => [...new Set([...supported, ...versions])].map((handle) => versionOf(handle, versions)),
    webhookSubscriptions: (page: PageArguments) => connection([...byId.values()].map(graphOf))(page),
    webhookSubscriptionCreate: ({ topic, webhookSubscription: input }: { topic: string; webhookSubscription: Input }) =>
      put({ id: nextId(), topic, uri: input.uri ?? '', format: input.format ?? 'JSON' }),
    webhookSubscriptionUpdate: ({ id, webhookSubscription: input }: { id: string; webhookSubscription: Input }) => {
      const found = byId.get(id);
      return found === undefined ? rejected('Webhook subscription does not exist') : put({ ...found, ...input });
    },
  };
};
