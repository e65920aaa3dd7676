import { fail, ok, type Result } from '../../../runtime/result.ts';
import { isObject, type JsonObject } from '../../../runtime/json.ts';
import {
  type WebhookRequest,
  topicsLeadingTo,
  type Receiver,
  type RemoteSnapshot,
  type ShopFailure,
  type AwsDelivery,
  type Translator,
  type VerificationResult,
} from '../platform.ts';
import { withUnread } from '../shared/fields/completeness.ts';
import type { Shop } from '../shared/http/api.ts';
import { prepareDelivery } from '../shared/http/prepare.ts';
import { type PartialRead, readEach } from '../shared/http/read-each.ts';
import { verifyWithRotation } from '../shared/signatures/hmac.ts';
import type { RemoteRefund } from '../shared/sync/remote-return.ts';
import { findWebhookCredentials, missingScopes } from './api.ts';
import { fetchChanges } from './changes.ts';
import { readHeaders, shopOf, type ResourceRef, topics, translate, verify } from './headers.ts';
import { fetchOrder } from './order.ts';
import { fetchRefund, type RefundReading } from './refund.ts';
import { withRemovedUnits } from './removals.ts';
import { fetchReturn, type ReturnReading } from './return.ts';
import { fetchReturnsOf } from './reverse-order.ts';

/** The resources of a delivery: returns of one order, or the order with at most a refund that belongs to no return. */
type AffectedResources =
  | { readonly kind: 'returns'; readonly gids: readonly string[]; readonly refundGid?: string }
  | ({ readonly kind: 'order'; readonly orderGid: string } & PartialRead<RemoteRefund>)
  | { readonly kind: 'nothing' };

type RefundResult = RefundReading['refund'];

/** Returns the refunds that moved money, and why one is unreadable. */
const refundsIn = (results: readonly RefundResult[]): Result<PartialRead<RemoteRefund>, ShopFailure> => {
  const partial = readEach(results, (result) => result);
  return partial.ok
    ? ok({ ...partial.value, read: partial.value.read.filter((refund) => refund !== undefined) })
    : partial;
};

const affectedResourcesOf = async (
  shop: Shop,
  { kind, gid }: ResourceRef,
): Promise<Result<AffectedResources, ShopFailure>> => {
  if (kind === 'Return') return ok({ kind: 'returns', gids: [gid] });
  if (kind === 'Order') return ok({ kind: 'order', orderGid: gid, read: [] });
  if (kind === 'ReverseFulfillmentOrder') {
    const returns = await fetchReturnsOf(shop, gid);
    return returns.ok ? ok({ kind: 'returns', gids: returns.value }) : returns;
  }
  const read = await fetchRefund(shop, gid);
  if (!read.ok) return read;
  const { refund, orderGid, returnGid, removal } = read.value;
  if (refund.ok && refund.value === undefined && removal === undefined) return ok({ kind: 'nothing' });
  if (returnGid !== undefined) return ok({ kind: 'returns', gids: [returnGid], refundGid: gid });
  const own = await withRemovedUnits(shop, gid, read.value);
  if (!own.ok) return own;
  const refunds = refundsIn([own.value]);
  return refunds.ok ? ok({ kind: 'order', orderGid, ...refunds.value }) : refunds;
};

const fetchRefunds = async (
  shop: Shop,
  gids: readonly string[],
): Promise<Result<PartialRead<RemoteRefund>, ShopFailure>> => {
  const results: RefundResult[] = [];
  for (const gid of gids) {
    const read = await fetchRefund(shop, gid);
    if (!read.ok && read.failure.kind === 'retryable') return read;
    results.push(read.ok ? read.value.refund : read);
  }
  return refundsIn(results);
};

type Parts = Pick<RemoteSnapshot, 'returns' | 'refunds' | 'unread'> & { readonly orderGid: string };

const withRefunds = async (shop: Shop, { remote, refundGids }: ReturnReading, others: readonly string[]) => {
  if (!remote.ok) return remote;
  const refunds = await fetchRefunds(shop, [...new Set([...refundGids, ...others])]);
  return refunds.ok ? ok({ remote: remote.value, refunds: refunds.value }) : refunds;
};

/** Fetches returns with their refunds. An unreadable return or refund does not block others. */
const fetchReturns = async (
  shop: Shop,
  gids: readonly string[],
  refundGids: readonly string[],
): Promise<Result<Parts, ShopFailure>> => {
  const returns: RemoteSnapshot['returns'][number][] = [];
  let orderGid: string | undefined;
  let unread: ShopFailure | undefined;
  for (const gid of gids) {
    const read = await fetchReturn(shop, gid);
    if (read.ok) ({ orderGid } = read.value);
    const reading = read.ok ? await withRefunds(shop, read.value, refundGids) : read;
    if (reading.ok) {
      returns.push({ remote: reading.value.remote, refunds: reading.value.refunds.read });
      unread ??= reading.value.refunds.unread;
    } else if (reading.failure.kind === 'retryable') return reading;
    else unread ??= reading.failure;
  }
  if (orderGid === undefined) return fail(unread ?? { kind: 'permanent', reason: 'shop_return_not_found' });
  return ok({ returns, refunds: [], orderGid, ...(unread !== undefined && { unread }) });
};

const fetchParts = async (
  shop: Shop,
  affected: Exclude<AffectedResources, { readonly kind: 'nothing' }>,
): Promise<Result<Parts, ShopFailure>> => {
  if (affected.kind === 'returns')
    return fetchReturns(shop, affected.gids, affected.refundGid === undefined ? [] : [affected.refundGid]);
  const { kind: _, read, ...rest } = affected;
  return ok({ ...rest, returns: [], refunds: read });
};

/**
 * Fetches the current state of a delivery's subject.
 * It is the order with its returns and their refunds, or alone, or with a refund without a return. Undefined for a
 * refund that moved no money and gives no units back. An unreadable return or refund makes its order partial.
 */
const fetchSnapshot = async (
  shop: Shop,
  subject: ResourceRef,
): Promise<Result<RemoteSnapshot | undefined, ShopFailure>> => {
  const affected = await affectedResourcesOf(shop, subject);
  if (!affected.ok) return affected;
  if (affected.value.kind === 'nothing') return ok(undefined);
  const parts = await fetchParts(shop, affected.value);
  if (!parts.ok) return parts;
  const { orderGid, ...rest } = parts.value;
  const read = await fetchOrder(shop, orderGid);
  if (!read.ok) return read;
  const { order, withdrawals } = read.value;
  return ok({
    kind: 'snapshot',
    ...rest,
    order: withUnread(order, rest.unread),
    ...(withdrawals.length > 0 && { withdrawals }),
  });
};

const textsOf = (value: unknown): Record<string, string> =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
      )
    : {};

/**
 * Reads a delivery from EventBridge.
 * Its headers are in `detail.metadata`, in some deliveries in `detail` itself. The body is serialised again, which
 * removes the last digits of numbers above 2^53, as parsing would.
 * https://shopify.dev/docs/apps/build/webhooks/subscribe/get-started?deliveryMethod=eventBridge
 */
export const readEventBridgeDelivery = ({ source, detail }: JsonObject): AwsDelivery | undefined => {
  // Only the AWS partner itself can send from such a source.
  if (typeof source !== 'string' || !source.startsWith('aws.partner/shopify.com/')) return undefined;
  if (!isObject(detail)) return undefined;
  const { metadata, payload } = detail;
  const delivery = readHeaders({ ...textsOf(detail), ...textsOf(metadata) });
  if ('missing' in delivery || payload === undefined) return undefined;
  return { delivery, body: Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload)) };
};

/**
 * The scopes that the token must have.
 * Orders older than 60 days also need `read_all_orders`, which Shopify grants on request. Without it they are not
 * found.
 * https://shopify.dev/docs/api/usage/access-scopes
 */
const neededScopes = ['read_orders', 'read_returns', 'read_customers', 'read_products'] as const;

const verifyRequest = async (
  { body, headers }: WebhookRequest,
  fresh: boolean,
  signal: AbortSignal,
): Promise<VerificationResult> => {
  const domain = shopOf(headers);
  const shop = domain && (await findWebhookCredentials(domain, { fresh, signal }));
  if (domain !== undefined && !shop) return { kind: 'rejected', reason: 'unknown_source' };
  return verify(body, headers, shop ? shop.webhookSecrets : []);
};

const refetchReturn: Translator['refetchReturn'] = async (source, externalId, deadline) => {
  const read = await fetchReturn({ source, deadline }, externalId);
  return read.ok ? read.value.remote : read;
};

/** Receives Shopify's webhooks. */
export const receiver: Receiver = {
  name: 'shopify',
  authenticate: async (request, signal) => verifyWithRotation(verifyRequest, request, signal),
  bodyNamesEvent: (topic) => Object.hasOwn(topics, topic) && topics[topic]?.once === true,
  hasTopic: (topic) => Object.hasOwn(topics, topic),
  readEvent: readEventBridgeDelivery,
};

/** Whether a topic reports a request of the consumer to edit an order. */
const isAboutOrder = (topic: string): boolean => topics[topic]?.about === 'Order';

/** Translates the webhooks, and reads the missing state from the Admin GraphQL API. */
export const translator: Translator = {
  topics: () => ({
    ...topicsLeadingTo(
      Object.keys(topics).filter((topic) => !isAboutOrder(topic)),
      'return',
      'refund',
    ),
    ...topicsLeadingTo(Object.keys(topics).filter(isAboutOrder), 'withdrawal'),
  }),
  prepare: async (delivery, deadline) =>
    prepareDelivery({ translate, fetchSnapshot, nothing: 'nothing_refunded' }, delivery, deadline),
  refetchReturn,
  fetchChanges: async (source, from, deadline) => fetchChanges({ source, deadline }, from),
  missingScopes: async (source, deadline) => missingScopes({ source, deadline }, neededScopes),
};
