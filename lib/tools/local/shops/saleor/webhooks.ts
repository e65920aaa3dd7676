import { buildSchema, parse, validate } from 'graphql';
import type { Json } from './refunds.ts';

/*
 * The webhooks of an app in Saleor, and the permissions of the app. Saleor rejects a subscription that it cannot parse.
 * https://docs.saleor.io/api-reference/webhooks/mutations/webhook-create
 */

/** The events of orders, by the names of their types. */
const eventTypes = {
  ORDER_UPDATED: 'OrderUpdated',
  ORDER_FULFILLED: 'OrderFulfilled',
  ORDER_PAID: 'OrderPaid',
  ORDER_FULLY_PAID: 'OrderFullyPaid',
  ORDER_REFUNDED: 'OrderRefunded',
  ORDER_FULLY_REFUNDED: 'OrderFullyRefunded',
  FULFILLMENT_CREATED: 'FulfillmentCreated',
  FULFILLMENT_APPROVED: 'FulfillmentApproved',
  FULFILLMENT_CANCELED: 'FulfillmentCanceled',
  FULFILLMENT_METADATA_UPDATED: 'FulfillmentMetadataUpdated',
  FULFILLMENT_TRACKING_NUMBER_UPDATED: 'FulfillmentTrackingNumberUpdated',
};

export const webhookTypes = `
enum WebhookEventTypeAsyncEnum { ANY_EVENTS ORDER_CREATED ${Object.keys(eventTypes).join(' ')} }
enum WebhookErrorCode { INVALID NOT_FOUND REQUIRED SYNTAX MISSING_SUBSCRIPTION UNABLE_TO_PARSE MISSING_EVENT }
enum PermissionEnum { MANAGE_ORDERS MANAGE_APPS HANDLE_PAYMENTS }
type Permission { code: PermissionEnum! name: String! }
type WebhookEventAsync { name: String! eventType: WebhookEventTypeAsyncEnum! }
type Webhook {
  id: ID! name: String targetUrl: String! isActive: Boolean! asyncEvents: [WebhookEventAsync!]! subscriptionQuery: String
}
type App { id: ID! permissions: [Permission!] webhooks: [Webhook!] }
type WebhookError { field: String message: String code: WebhookErrorCode! }
input WebhookCreateInput {
  name: String targetUrl: String asyncEvents: [WebhookEventTypeAsyncEnum!] isActive: Boolean query: String
}
input WebhookUpdateInput {
  name: String targetUrl: String asyncEvents: [WebhookEventTypeAsyncEnum!] isActive: Boolean query: String
}
type WebhookCreate { webhook: Webhook errors: [WebhookError!]! }
type WebhookUpdate { webhook: Webhook errors: [WebhookError!]! }`;

const eventDefinitions = Object.values(eventTypes).map(
  (name) => `type ${name} implements Event { issuedAt: String version: String order: Order }`,
);

/** The events of subscriptions, so that a query for an unknown type fails. */
const eventSchema = buildSchema(`
type Order { id: ID! }
interface Event { issuedAt: String version: String }
${eventDefinitions.join('\n')}
type Query { event: Event }
type Subscription { event: Event }`);

type Input = {
  readonly name?: string;
  readonly targetUrl?: string;
  readonly asyncEvents?: readonly string[];
  readonly isActive?: boolean;
  readonly query?: string;
};

/** A webhook of the app. */
export type SaleorWebhook = { readonly id: string; readonly targetUrl: string; readonly isActive: boolean } & Input;

const error = (code: string) => ({ webhook: null, errors: [{ code, field: null, message: code }] });

const isReadable = (query: string): boolean => {
  try {
    return validate(eventSchema, parse(query)).length === 0;
  } catch {
    return false;
  }
};

const graphOf = ({ query, asyncEvents = [], ...webhook }: SaleorWebhook): Json => ({
  ...webhook,
  subscriptionQuery: query ?? null,
  asyncEvents: asyncEvents.map((eventType) => ({ name: eventType, eventType })),
});

/** Opens the app of a shop. */
export const openWebhooks = (nextId: (type: string) => string) => {
  const webhooks = new Map<string, SaleorWebhook>();
  const permissions = new Set(['MANAGE_ORDERS']);
  const save = (webhook: SaleorWebhook) => {
    const { targetUrl, asyncEvents = [], query } = webhook;
    if (!/^(?:https?|awssqs|gcpubsub):\/\//.test(targetUrl)) return error('INVALID');
    if (query !== undefined && !isReadable(query)) return error('UNABLE_TO_PARSE');
    if (asyncEvents.length === 0) return error('MISSING_EVENT');
    webhooks.set(webhook.id, webhook);
    return { webhook: graphOf(webhook), errors: [] };
  };
  return {
    webhooks,
    permissions,
    root: {
      app: () => ({
        id: 'QXBwOjE=',
        permissions: [...permissions].map((code) => ({ code, name: code })),
        webhooks: [...webhooks.values()].map(graphOf),
      }),
      webhookCreate: ({ input }: { input: Input }) =>
        save({ isActive: true, targetUrl: '', ...input, id: nextId('Webhook') }),
      webhookUpdate: ({ id, input }: { id: string; input: Input }) => {
        const found = webhooks.get(id);
        return found === undefined ? error('NOT_FOUND') : save({ ...found, ...input });
      },
    },
  };
};
