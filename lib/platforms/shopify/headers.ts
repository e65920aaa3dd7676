import type { Delivery, Headers } from '../platform.ts';

/*
 * Shopify sends webhooks with an X- family of headers; its newer "Events" deliveries use the same names without it.
 * https://shopify.dev/docs/apps/build/webhooks/verify-deliveries
 */
const prefixes = ['x-shopify-', 'shopify-'] as const;

const forms = {
  topic: /^[A-Za-z0-9_./-]{1,100}$/,
  'shop-domain': /^[a-z0-9][a-z0-9-]{0,62}\.myshopify\.com$/,
  'webhook-id': /^[\w.:-]{1,100}$/,
  'event-id': /^[\w.:-]{1,100}$/,
  'triggered-at': /^[\w.:+-]{1,40}$/,
  'api-version': /^[\w-]{1,20}$/,
} as const;
type Name = keyof typeof forms;

/** The values of a header: a proxy that repeats it makes API Gateway join them by commas, which no value contains. */
const values = (headers: Headers, name: string): readonly string[] => {
  const found = prefixes
    .flatMap((prefix) => Object.entries(headers).filter(([key]) => key.toLowerCase() === prefix + name))
    .flatMap(([, value]) => (value ?? '').split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '');
  return [...new Set(found)];
};

/** One well-formed value, or nothing: two different ones are nobody's word. */
const single = (headers: Headers, name: Name): string | undefined => {
  const [value, ...others] = values(headers, name);
  return value !== undefined && others.length === 0 && forms[name].test(value) ? value : undefined;
};

/** The domain of the shop that a delivery claims to come from: whose secrets are to verify it. */
export const shopOf = (headers: Headers): string | undefined => {
  const [value, ...others] = values(headers, 'shop-domain').map((domain) => domain.toLowerCase());
  return value !== undefined && others.every((other) => other === value) && forms['shop-domain'].test(value)
    ? value
    : undefined;
};

/** Every signature that came along; one of them must fit. */
export const signaturesOf = (headers: Headers): readonly string[] => values(headers, 'hmac-sha256');

/** What the headers claim, or the name of the first one that is missing or malformed. */
export const readHeaders = (headers: Headers): Delivery | { readonly missing: string } => {
  const source = shopOf(headers);
  const topic = single(headers, 'topic');
  const deliveryId = single(headers, 'webhook-id');
  if (source === undefined) return { missing: 'X-Shopify-Shop-Domain' };
  if (topic === undefined) return { missing: 'X-Shopify-Topic' };
  if (deliveryId === undefined) return { missing: 'X-Shopify-Webhook-Id' };
  const eventId = single(headers, 'event-id');
  const triggeredAt = single(headers, 'triggered-at');
  const apiVersion = single(headers, 'api-version');
  return {
    source,
    topic,
    deliveryId,
    ...(eventId !== undefined && { eventId }),
    ...(triggeredAt !== undefined && { triggeredAt }),
    ...(apiVersion !== undefined && { apiVersion }),
  };
};
