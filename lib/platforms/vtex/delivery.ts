import { sha256 } from '../../runtime/hash.ts';
import { parseObject, type JsonObject } from '../../runtime/json.ts';
import { objectOf } from '../shared/fields/fields.ts';
import type { Delivery } from '../platform.ts';
import { utcInstant } from '../shared/fields/instants.ts';

/*
 * Two senders, one address. The order hook sends what VTEX defines:
 *
 *   { "Domain": "Fulfillment", "OrderId": "v40484048naf-01", "State": "invoiced", "LastChange": "…",
 *     "CurrentChange": "…", "Origin": { "Account": "acme", "Key": "vtexappkey-acme-XXXXXX" } }
 *
 * The return app sends nothing. Its documents are in Master Data, where the operator adds a trigger to the schema of
 * `returnRequest`, with this for its action (and his own account, address and token):
 *
 *   { "type": "http", "method": "POST", "uri": "https://…/webhooks/vtex/acme",
 *     "headers": { "content-type": "application/json", "x-webhook-token": "…" },
 *     "body": { "topic": "return-request", "id": "{!id}", "status": "{!status}", "changedAt": "{!lastInteractionIn}",
 *               "Origin": { "Account": "acme" } } }
 *
 * https://developers.vtex.com/docs/guides/orders-feed#hook-notifications
 * https://developers.vtex.com/docs/guides/setting-up-triggers-in-master-data-v2
 */

/** What VTEX posts when a hook is configured: `{ "hookConfig": "ping" }`. */
export const isPing = (body: Buffer): boolean =>
  body.length <= 1000 && parseObject(body.toString())?.['hookConfig'] === 'ping';

/** Texts that are all there and short enough to be an id together. */
const joined = (parts: readonly unknown[]): string | undefined => {
  const texts = parts.filter((part) => typeof part === 'string');
  const id = texts.join(':');
  return texts.length === parts.length && /^[\w.:+-]{1,200}$/.test(id) ? id : undefined;
};

const idOf = (topic: string, body: JsonObject): string | undefined =>
  topic === 'order'
    ? joined([body['OrderId'], body['State'], body['LastChange'], body['CurrentChange'] ?? ''])
    : joined([body['id'], body['status'], body['changedAt']]);

const topicOf = ({ topic }: JsonObject): string =>
  typeof topic === 'string' && /^[\w.-]{1,60}$/.test(topic) ? topic : 'order';

/** Whether a body names that account as its origin. One that is no object names nothing, and is kept to be seen. */
const isOf = (source: string, body: JsonObject | undefined): boolean => {
  const account = objectOf(body?.['Origin'])['Account'];
  return body === undefined || (typeof account === 'string' && account.toLowerCase() === source);
};

/**
 * What a delivery that came with a valid token is, or undefined where it does not name the account whose token it is.
 * VTEX gives deliveries no id: it is what happened, and when, or else the digest of the bytes.
 */
export const readDelivery = (source: string, bytes: Buffer): Delivery | undefined => {
  const told = parseObject(bytes.toString());
  if (!isOf(source, told)) return undefined;
  const body = told ?? {};
  const topic = topicOf(body);
  const changes = topic === 'order' ? [body['CurrentChange'], body['LastChange']] : [body['changedAt']];
  const [triggeredAt] = changes.flatMap((change) => utcInstant(change) ?? []);
  return {
    source,
    topic,
    deliveryId: idOf(topic, body) ?? sha256(bytes, 'base64url'),
    ...(triggeredAt !== undefined && { triggeredAt }),
  };
};
