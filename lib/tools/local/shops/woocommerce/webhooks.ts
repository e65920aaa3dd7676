import type { ShopReply, ShopRequest } from '../shop-server.ts';
import type { Json } from './refunds.ts';

/*
 * The webhooks of a WooCommerce site in its REST API. It shows no secret, and makes its own where a request has none.
 * https://woocommerce.github.io/woocommerce-rest-api-docs/#webhooks
 */

/** A webhook, with what the API does not show. */
export type Webhook = {
  readonly id: number;
  readonly name: string;
  readonly status: string;
  readonly topic: string;
  readonly delivery_url: string;
  readonly secret: string;
};

type Books = {
  readonly webhooks: Map<string, Webhook>;
  readonly nextId: () => number;
  readonly mayWrite: boolean;
};

const json = (value: unknown, status = 200): ShopReply => ({ status, body: JSON.stringify(value) });
const error = (status: number, code: string): ShopReply => json({ code, message: '', data: { status } }, status);
const shown = (webhook: Webhook): Json => ({ ...webhook, secret: undefined });

const isTopic = (topic: unknown): boolean =>
  typeof topic === 'string' && /^(?:order|product|customer|coupon)\.[a-z]+$/.test(topic);
const isAddress = (address: unknown): boolean => typeof address === 'string' && /^https?:\/\//.test(address);

/** Returns the error of fields that are present and invalid. */
const errorIn = ({ topic = 'order.created', delivery_url: address = 'https://', status = 'active' }: Json) => {
  if (!isTopic(topic)) return error(400, 'woocommerce_rest_shop_webhook_invalid_topic');
  if (!isAddress(address)) return error(400, 'woocommerce_rest_shop_webhook_invalid_delivery_url');
  return ['active', 'paused', 'disabled'].includes(String(status))
    ? undefined
    : error(400, 'woocommerce_rest_shop_webhook_invalid_status');
};

const create = (fields: Json, { webhooks, nextId }: Books): ShopReply => {
  const id = nextId();
  const { topic = '', delivery_url: address = '', secret = `generated-by-woocommerce-${id}`, name = '' } = fields;
  const failure = errorIn({ ...fields, topic, delivery_url: address });
  if (failure !== undefined) return failure;
  const webhook = {
    id,
    name: String(name),
    status: 'active',
    topic: String(topic),
    delivery_url: String(address),
    secret: String(secret),
  };
  webhooks.set(String(id), webhook);
  return json(shown(webhook), 201);
};

/** Answers a request for the webhooks of the site. */
export const answerWebhooks = ({ method, path, body }: ShopRequest, books: Books): ShopReply => {
  const { pathname, searchParams } = new URL(path, 'http://site.invalid');
  const [, id] = pathname.replace('/wp-json/wc/v3/webhooks', '').split('/');
  if (method === 'GET') {
    const [size, page] = [Number(searchParams.get('per_page') ?? 10), Number(searchParams.get('page') ?? 1)];
    return json([...books.webhooks.values()].slice((page - 1) * size, page * size).map(shown));
  }
  if (!books.mayWrite) return error(401, 'woocommerce_rest_cannot_create');
  const fields = JSON.parse(body) as Json;
  if (id === undefined) return create(fields, books);
  const found = books.webhooks.get(id);
  if (found === undefined) return error(400, 'woocommerce_rest_shop_webhook_invalid_id');
  const failure = errorIn(fields);
  if (failure !== undefined) return failure;
  const changed: Webhook = { ...found, ...fields };
  books.webhooks.set(id, changed);
  return json(shown(changed));
};
