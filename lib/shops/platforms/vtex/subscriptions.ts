import { ok, type Result } from '../../../runtime/result.ts';
import { parseJson } from '../../../runtime/json.ts';
import type { ShopFailure } from '../platform.ts';
import { objectOf } from '../shared/fields/fields.ts';
import { attemptFailure, callShop, type Shop } from '../shared/http/api.ts';
import { hasOurPath, type HookApi, hookSubscriptions, secretMissing } from '../shared/hooks/hook-subscriptions.ts';
import type { Hook, Subscriptions } from '../subscription.ts';
import { findApiCredentials } from './api.ts';
import { webhookTokenHeader } from './platform.ts';

/*
 * The order hook of a VTEX account. An app key has one hook: a second configuration replaces the first. VTEX removes it
 * after three days of failures. Triggers of the return app are no hooks, so people make them.
 * https://developers.vtex.com/docs/api-reference/orders-api#post-/api/orders/hook/config
 */

const path = '/api/orders/hook/config';

/** Reports each invoice of returned goods. Such an invoice may have no restitutions. */
const filter = {
  type: 'FromOrders',
  expression: '$count(packageAttachment.packages[type = "Input"]) > 0',
  // Without it, an order is reported once only.
  disableSingleFire: true,
};

/** Calls the configuration of the hook. An account without a hook answers with an empty body, or with 404. */
const callConfig = async (shop: Shop, body?: string): Promise<Result<unknown, ShopFailure>> =>
  callShop(
    shop,
    findApiCredentials,
    ({ apiUrl, appKey, appToken }) => ({
      method: body === undefined ? 'GET' : 'POST',
      url: `${apiUrl}${path}`,
      headers: {
        accept: 'application/json',
        'x-vtex-api-appkey': appKey,
        'x-vtex-api-apptoken': appToken,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body, once: true }),
    }),
    ({ body: answer }) => {
      const text = answer.toString();
      const value = text.trim() === '' ? null : parseJson(text);
      return value === undefined ? attemptFailure('retryable', 'shop_reply_unreadable') : ok(value);
    },
  );

/** Returns the token in the headers of a hook. Their names may have any case. */
const tokenIn = (headers: unknown): unknown =>
  Object.entries(objectOf(headers)).find(([name]) => name.toLowerCase() === webhookTokenHeader)?.[1];

const list: HookApi['list'] = async (shop, { address, secret }) => {
  const read = await callConfig(shop);
  if (!read.ok) return read.failure.reason === 'shop_status_404' ? ok([]) : read;
  const { url, headers } = objectOf(objectOf(read.value)['hook']);
  if (typeof url !== 'string' || url === '') return ok([]);
  const token = tokenIn(headers);
  const isTokenOf = secret === undefined ? typeof token === 'string' : token === secret;
  const isAt = address === undefined ? hasOurPath('vtex', shop.source, url) : url === address;
  return ok([
    {
      id: path,
      topics: ['order'],
      address: url,
      isActive: true,
      ...(!(isTokenOf && isAt) && { isOther: true as const }),
    },
  ]);
};

const configure = async (shop: Shop, { address, secret }: Hook): Promise<Result<unknown, ShopFailure>> =>
  // VTEX signs nothing: without a token, every delivery would be rejected.
  secret === undefined
    ? secretMissing
    : callConfig(shop, JSON.stringify({ filter, hook: { url: address, headers: { [webhookTokenHeader]: secret } } }));

/** The order hook of a VTEX account. */
export const subscriptions: Subscriptions = hookSubscriptions({
  platform: 'vtex',
  topics: ['order'],
  perHook: 'one',
  list,
  create: async (shop, _topics, hook) => configure(shop, hook),
  update: async (shop, _listed, hook) => configure(shop, hook),
});
