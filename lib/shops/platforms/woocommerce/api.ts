import type { Input } from '../../../contract/contract.ts';
import type { JsonObject } from '../../../runtime/json.ts';
import type { Result } from '../../../runtime/result.ts';
import type { ShopFailure } from '../platform.ts';
import { optional } from '../shared/fields/fields.ts';
import { callShop, readExactJson, type Shop } from '../shared/http/api.ts';
import { type SourceEntry, type FindOptions, findSource } from '../shared/http/sources.ts';

/** The credentials that verify a site's webhooks: the secrets that may sign them. */
type WebhookCredentials = { readonly webhookSecrets: readonly string[] };

/** The credentials for a site's REST API: its address and key. */
type ApiCredentials = {
  readonly apiUrl: string;
  readonly authorization: string;
  /** Each site numbers its orders itself. */
  readonly orderPlatform: string;
  readonly withdrawals: WithdrawalSettings;
};

/** What the site knows about its order withdrawals, and its API does not show. */
export type WithdrawalSettings = {
  /** The order notes of the site in its language: for a whole order, and for specific items. */
  readonly notes?: { readonly whole: string; readonly specific: string };
  /** The language and the time zone of the receipts. */
  readonly language?: Language;
  readonly timeZone?: string;
};

type Language = NonNullable<Input<'declareWithdrawal'>['language']>;
const languages = ['en', 'pt', 'es', 'de', 'fr'] as const satisfies readonly Language[];

const readWithdrawalSettings = ({ fieldError, optionalText, optionalTexts }: SourceEntry): WithdrawalSettings => {
  const [whole, specific, ...more] = optionalTexts('withdrawalNotes');
  if (more.length > 0 || (whole !== undefined && (specific === undefined || specific === whole)))
    throw fieldError('withdrawalNotes', 'two texts: the order note for a whole order, and that for specific items');
  const word = optionalText('language');
  const language = languages.find((known) => known === word);
  if (word !== undefined && language === undefined) throw fieldError('language', `one of ${languages.join(', ')}`);
  return {
    ...(whole !== undefined && specific !== undefined && { notes: { whole, specific } }),
    ...optional('language', language),
    ...optional('timeZone', optionalText('timeZone')),
  };
};

/** Reads the entry of one source. @throws an error that names the invalid field and quotes nothing */
export const readWebhookCredentials = ({ texts }: SourceEntry): WebhookCredentials => ({
  webhookSecrets: texts('webhookSecrets'),
});

/** Reads the entry of one source. @throws an error that names the invalid field and quotes nothing */
export const readApiCredentials = (entry: SourceEntry): ApiCredentials => ({
  apiUrl: entry.address('apiUrl'),
  authorization: `Basic ${Buffer.from(`${entry.text('consumerKey')}:${entry.text('consumerSecret')}`).toString('base64')}`,
  orderPlatform: entry.orderPlatform(),
  withdrawals: readWithdrawalSettings(entry),
});

/**
 * Returns the webhook credentials of the site `source`, or undefined if it is not ours.
 * Its entry is `{ webhookSecrets }`.
 */
export const findWebhookCredentials = async (
  source: string,
  options?: FindOptions,
): Promise<WebhookCredentials | undefined> =>
  findSource('webhooks/woocommerce', source, readWebhookCredentials, options);

/**
 * Returns the API credentials of the site `source`.
 * Its entry is `{ consumerKey, consumerSecret, apiUrl, orderPlatform?, withdrawalNotes?, language?, timeZone? }`. The key
 * is sent as Basic authentication, which WooCommerce accepts only over HTTPS.
 * https://woocommerce.github.io/woocommerce-rest-api-docs/#authentication-over-https
 */
export const findApiCredentials = async (source: string, options?: FindOptions): Promise<ApiCredentials | undefined> =>
  findSource('api/woocommerce', source, readApiCredentials, options);

/** A call that changes the site: the fields to write. */
type Write = { readonly method: 'POST' | 'PUT'; readonly fields: JsonObject };

/**
 * Calls a site's REST API.
 * Numbers of the response become texts.
 * https://woocommerce.github.io/woocommerce-rest-api-docs/
 *
 * @param path the path after `/wp-json/wc/v3`, with its query
 * @param write what to change; without it the call reads
 */
export const callApi = async (shop: Shop, path: string, write?: Write): Promise<Result<unknown, ShopFailure>> =>
  callShop(
    shop,
    findApiCredentials,
    ({ apiUrl, authorization }) => {
      const url = `${apiUrl}/wp-json/wc/v3${path}`;
      const headers = { accept: 'application/json', authorization };
      return write === undefined
        ? { method: 'GET', url, headers }
        : {
            method: write.method,
            url,
            headers: { ...headers, 'content-type': 'application/json' },
            body: JSON.stringify(write.fields),
            once: true,
          };
    },
    readExactJson,
  );
