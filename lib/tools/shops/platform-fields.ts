import { randomBytes } from 'node:crypto';
import type { PlatformName } from '../../runtime/platform-names.ts';

/*
 * The fields of a source in the secrets of its platform, as an operator gives them. The readers of the platforms decide
 * whether a value is right (lib/shops/platforms/entry-readers.ts). A test compares both.
 */

/** A field, and the secret that has it. */
export type Field = {
  readonly half: 'webhooks' | 'api';
  /** What it is, and where people find it. */
  readonly about: string;
  /** @default 'text' */
  readonly type?: 'text' | 'texts';
  readonly isOptional?: true;
  /** Whether the prompt hides what is typed. */
  readonly isHidden?: true;
  /** Returns the value of a source for which nothing is given or stored; undefined when there is none. */
  readonly fallback?: (source: string) => unknown;
};

/** Letters and digits: WordPress escapes other signs. */
const randomSecret = () => [randomBytes(32).toString('hex')];
/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
const randomStandardSecret = () => [`whsec_${randomBytes(32).toString('base64')}`];

const hidden = (about: string): Field => ({ half: 'api', about, isHidden: true });
const option = (about: string, half: Field['half'] = 'api'): Field => ({ half, about, isOptional: true });
const generated = (fallback: () => unknown, about: string): Field => ({
  half: 'webhooks',
  type: 'texts',
  about,
  isHidden: true,
  fallback,
});
const listOf = (about: string): Field => ({ half: 'webhooks', type: 'texts', about, isHidden: true });

const originOf = (source: string): string | undefined => (source.includes('.') ? `https://${source}` : undefined);
const apiUrl: Field = { half: 'api', about: 'the address of the shop', fallback: originOf };
const orderPlatform = option('the platform name of its orders: needed for every shop after the first');

type Fields = Readonly<Record<string, Field>>;

/** The fields that every platform has. */
const sharedFields: Fields = {
  hookAddress: option('the address of the webhooks, where a front is before the hooks API'),
};

const ownFields: Readonly<Record<PlatformName, Fields>> = {
  shopify: {
    accessToken: hidden('the Admin API access token of the app'),
    webhookSecrets: listOf('the client secret of the app'),
    apiUrl: option('an address in place of that of the shop'),
    cancellationRefund: option('none or original'),
    restockLocation: option('the global id of the location that restocks'),
  },
  woocommerce: {
    consumerKey: hidden('the consumer key of a REST API key'),
    consumerSecret: hidden('the consumer secret of that key'),
    apiUrl,
    webhookSecrets: generated(randomSecret, 'the secret of the webhooks'),
    orderPlatform,
    withdrawalNotes: { ...option('the order notes of withdrawals'), type: 'texts' },
    language: option('the language of receipts of withdrawals'),
    timeZone: option('the time zone of these receipts'),
  },
  bigcommerce: {
    accessToken: hidden('the access token of the API account'),
    webhookSecrets: listOf('the client secret of the API account'),
    apiUrl: option('an address in place of that of BigCommerce'),
    orderPlatform,
  },
  commercetools: {
    apiUrl: { half: 'api', about: 'the address of the API in the region of the project' },
    authUrl: { half: 'api', about: 'the address of the authorization in that region' },
    clientId: { half: 'api', about: 'the id of the API client' },
    clientSecret: hidden('the secret of the API client'),
    topicArn: option('the ARN of the SNS topic, where SNS delivers', 'webhooks'),
    snsOrigin: option('another origin of SNS', 'webhooks'),
  },
  saleor: {
    accessToken: hidden('the token of the app'),
    apiUrl: option('the address of the API, if the source is no host'),
    keyOrigin: option('the origin of its keys, if the source is no host', 'webhooks'),
    webhookSecrets: { ...option('the secretKey of its webhooks', 'webhooks'), type: 'texts' },
  },
  vtex: {
    appKey: hidden('the application key'),
    appToken: hidden('the application token'),
    webhookSecrets: generated(randomSecret, 'the value of the header x-webhook-token'),
    apiUrl: option('an address in place of that of the Orders API'),
    returnsUrl: option('an address in place of that of the return app'),
    orderPlatform,
  },
  medusa: {
    secretApiKey: hidden('a secret API key'),
    apiUrl,
    webhookSecrets: generated(randomStandardSecret, 'RETURNS_WEBHOOK_SECRET of the subscriber'),
  },
  adobe: {
    accessToken: hidden('the access token of the integration'),
    apiUrl,
    clientId: { half: 'webhooks', about: 'the client id of the project in the Adobe Developer Console' },
    keyOrigin: option('another origin of the keys of Adobe', 'webhooks'),
    orderPlatform,
  },
  standard: {
    accessToken: hidden('the token of its API'),
    apiUrl,
    webhookSecrets: generated(randomStandardSecret, 'the secret with which it signs'),
    orderPlatform,
  },
};

/** Returns the fields of a platform, in the order of the prompt. */
export const fieldsOf = (platform: PlatformName): Fields => ({ ...ownFields[platform], ...sharedFields });

/** Returns the names of the fields of one secret. */
export const fieldNamesOf = (platform: PlatformName, half: Field['half']): readonly string[] =>
  Object.entries(fieldsOf(platform)).flatMap(([name, field]) => (field.half === half ? [name] : []));
