import type { Headers, Prepared, Receiver, ShopFailure, Translator, Verdict } from './platform.ts';
import { shopOf } from './shopify/headers.ts';
import { fetchOrder } from './shopify/order.ts';
import { fetchReturn } from './shopify/return.ts';
import { findShop } from './shopify/shops.ts';
import { returnInput, translate, type Requested } from './shopify/translate.ts';
import { verify } from './shopify/verify.ts';

const judge = async (body: Buffer, headers: Headers, fresh: boolean, signal: AbortSignal): Promise<Verdict> => {
  const domain = shopOf(headers);
  const shop = domain && (await findShop(domain, { fresh, signal }));
  if (domain !== undefined && !shop) return { kind: 'refused', reason: 'unknown_shop' };
  return verify(body, headers, shop ? shop.webhookSecrets : []);
};

/** Verifies a delivery; one that does not fit is tried again with the secret read anew, after a rotation. */
const authenticate: Receiver['authenticate'] = async (body, headers, signal) => {
  const verdict = await judge(body, headers, false, signal);
  const mayBeRotated = verdict.kind === 'refused' && verdict.reason !== 'signature_missing';
  return mayBeRotated ? judge(body, headers, true, signal) : verdict;
};

const fromFailure = ({ kind, reason }: ShopFailure): Prepared => ({
  kind: kind === 'permanent' ? 'parked' : 'retry',
  reason,
});

/** The order and the lines, from the delivery where it tells them and from the shop where it does not. */
const referenced = async (source: string, { returnGid, orderGid, lines, complete }: Requested, deadline: number) =>
  complete && orderGid !== undefined
    ? { ok: true as const, value: { orderGid, lines } }
    : fetchReturn(source, returnGid, deadline);

const prepare: Translator['prepare'] = async ({ source, topic, body }, deadline) => {
  const translation = translate(topic, body);
  if (translation.kind !== 'requested') return translation;
  const reference = await referenced(source, translation, deadline);
  if (!reference.ok) return fromFailure(reference.failure);
  const { orderGid, lines } = reference.value;
  const order = await fetchOrder(source, orderGid, deadline);
  if (!order.ok) return fromFailure(order.failure);
  const { returnGid } = translation;
  return {
    kind: 'return',
    externalId: returnGid,
    order: order.value,
    request: returnInput(orderGid, returnGid, lines),
  };
};

/** Shopify's webhooks. */
export const receiver: Receiver = {
  name: 'shopify',
  authenticate,
  // A return is requested once; it may be closed and reopened many times with the same few bytes.
  bodyNamesEvent: (topic) => topic === 'returns/request',
};

/** What they mean, with the Admin GraphQL API for what they leave out. */
export const translator: Translator = { prepare };
