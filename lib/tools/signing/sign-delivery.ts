import { createHmac, createSign, type KeyObject, randomUUID } from 'node:crypto';

/*
 * How the platforms sign their deliveries, for shops of this machine and for deliveries by hand. It shares no code with
 * the functions that verify them, so that each checks the other.
 */

/** What a delivery is signed with. */
export type Signing = {
  readonly secret: string;
  /** The topic, for platforms that name it in a header. */
  readonly topic: string;
  /** The shop, for platforms that name it in a header. */
  readonly source: string;
  /** The id of the delivery, the same in each attempt. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
};

export type DeliveryHeaders = Readonly<Record<string, string>>;

const hmacOf = (body: Buffer, key: string | Buffer, encoding: 'base64' | 'hex' = 'base64'): string =>
  createHmac('sha256', key).update(body).digest(encoding);

/** Returns the headers of Standard Webhooks. BigCommerce signs with the bytes of its secret, others with its key. */
export const standardHeaders = (
  body: Buffer,
  key: string | Buffer,
  { id, at }: Pick<Signing, 'id' | 'at'>,
): DeliveryHeaders => {
  const timestamp = String(Math.floor(at / 1000));
  const signature = hmacOf(Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]), key);
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
};

const shopifyHeaders = (body: Buffer, { secret, topic, source, id, at }: Signing): DeliveryHeaders => ({
  'x-shopify-topic': topic,
  'x-shopify-shop-domain': source,
  'x-shopify-api-version': '2026-10',
  'x-shopify-hmac-sha256': hmacOf(body, secret),
  'x-shopify-webhook-id': id,
  'x-shopify-event-id': randomUUID(),
  'x-shopify-triggered-at': new Date(at).toISOString(),
});

const woocommerceHeaders = (body: Buffer, { secret, topic, id }: Signing): DeliveryHeaders => {
  const [resource = '', event = ''] = topic.split('.');
  return {
    'x-wc-webhook-topic': topic,
    'x-wc-webhook-resource': resource,
    'x-wc-webhook-event': event,
    'x-wc-webhook-signature': hmacOf(body, secret),
    'x-wc-webhook-id': '1',
    'x-wc-webhook-delivery-id': id,
  };
};

/** The headers of a Saleor. Its signature is by its key, or is an HMAC where the webhook has a secret. */
export const saleorHeaders = (
  signature: string,
  { topic, source }: Pick<Signing, 'topic' | 'source'>,
): DeliveryHeaders => ({ 'saleor-event': topic, 'saleor-domain': source, 'saleor-signature': signature });

const keyIn = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64');

type Signer = (body: Buffer, signing: Signing) => DeliveryHeaders;

/** The platforms whose deliveries a shared secret proves. */
const signers = {
  bigcommerce: (body, signing) => standardHeaders(body, signing.secret, signing),
  medusa: (body, signing) => standardHeaders(body, keyIn(signing.secret), signing),
  saleor: (body, signing) => saleorHeaders(hmacOf(body, signing.secret, 'hex'), signing),
  shopify: shopifyHeaders,
  standard: (body, signing) => standardHeaders(body, keyIn(signing.secret), signing),
  vtex: (_body, { secret }) => ({ 'x-webhook-token': secret }),
  woocommerce: woocommerceHeaders,
} as const satisfies Record<string, Signer>;

export type SignedPlatform = keyof typeof signers;

export const signedPlatforms = Object.keys(signers) as readonly SignedPlatform[];

/** Returns the headers of a delivery, as its platform posts it. */
export const signDelivery = (platform: SignedPlatform, body: Buffer, signing: Signing): DeliveryHeaders => ({
  'content-type': 'application/json',
  ...signers[platform](body, signing),
});

/** Returns a signature by RSA-SHA256, as Adobe writes it. */
export const rsaSignature = (body: Buffer, key: KeyObject): string =>
  createSign('RSA-SHA256').update(body).sign(key, 'base64');

/** The protected header of a signature of Saleor, as its library writes it. */
export const saleorHeader = { alg: 'RS256', b64: false, crit: ['b64'], kid: '1', typ: 'JWT' };

/** Returns the detached JWS of a body, as Saleor writes it. */
export const saleorSignature = (body: Buffer, key: KeyObject, header: unknown = saleorHeader): string => {
  const head = Buffer.from(JSON.stringify(header)).toString('base64url');
  const signature = createSign('RSA-SHA256').update(`${head}.`).update(body).sign(key, 'base64url');
  return `${head}..${signature}`;
};
