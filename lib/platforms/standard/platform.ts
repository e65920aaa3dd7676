import { fail, ok, type Result } from '../../contract/result.ts';
import { sha256 } from '../../runtime/hash.ts';
import { isObject, type JsonObject } from '../../runtime/json.ts';
import {
  type PlatformChange,
  type ChangeBatch,
  type ChangeQuery,
  topicsLeadingTo,
  type OrderFacts,
  type Receiver,
  type RemoteSnapshot,
  type ShopFailure,
  type Translator,
  type SkippedDelivery,
} from '../platform.ts';
import { callShop, readJson, type Shop } from '../shared/http/api.ts';
import { prepareDelivery } from '../shared/http/prepare.ts';
import { permanentFailure } from '../shared/http/shop-failure.ts';
import { standardReceiver } from '../shared/signatures/standard-receiver.ts';
import type { RemoteRefund } from '../shared/sync/remote-return.ts';
import { eachAt, findApiCredentials, idAt, instantAt, type ParseResult } from './read.ts';
import { type SnapshotContext, remoteReturnAt } from './remote-return.ts';

/** What a sender answered, and the platform that its orders are registered under. */
type ApiResponse = { readonly platform: string; readonly value: JsonObject };

/** Asks a sender's own API, which is described in lib/examples/standard-sender.md. */
const callApi = async (
  shop: Shop,
  path: string,
  query: Readonly<Record<string, string>> = {},
): Promise<Result<ApiResponse, ShopFailure>> => {
  let platform = 'standard';
  const asked = new URLSearchParams(query).toString();
  const answer = await callShop(
    shop,
    findApiCredentials,
    ({ apiUrl, accessToken, orderPlatform }) => {
      platform = orderPlatform;
      return {
        method: 'GET',
        url: `${apiUrl}/${path}${asked === '' ? '' : `?${asked}`}`,
        headers: { accept: 'application/json', authorization: `Bearer ${accessToken}` },
      };
    },
    readJson,
  );
  if (!answer.ok) return answer;
  return isObject(answer.value) ? ok({ platform, value: answer.value }) : unexpectedSnapshot('');
};

/** An answer that is not as agreed, with a JSON Pointer into it: for people to see. */
const unexpectedSnapshot = (pointer: string): Result<never, ShopFailure> =>
  permanentFailure(`snapshot_unexpected:${pointer || '/'}`);

/** What a delivery is about. */
type ResourceRef = { readonly kind: 'return' | 'order'; readonly id: string };

/** What a sender may tell of. Each only says where to look. */
const topics: ReadonlySet<string> = new Set(['return.changed', 'refund.changed', 'order.changed']);

/** Reads what a verified delivery is about: a return where it names one, else an order. */
const translate = (topic: string, body: unknown): ResourceRef | SkippedDelivery => {
  if (!topics.has(topic)) return { kind: 'ignored', reason: 'topic_not_handled' };
  const data = isObject(body) ? body['data'] : undefined;
  if (!isObject(data)) return { kind: 'parked', reason: 'payload_unexpected', path: isObject(body) ? '/data' : '' };
  const { returnId, orderId } = data;
  const kind = returnId === undefined && topic !== 'return.changed' ? 'order' : 'return';
  const id = idAt(kind === 'return' ? returnId : orderId, `/data/${kind}Id`);
  return id.ok ? { kind, id: id.value } : { kind: 'parked', reason: 'payload_unexpected', path: id.failure };
};

const refundAt =
  ({ platform, orderId }: SnapshotContext) =>
  (value: JsonObject, at: string): ParseResult<RemoteRefund> => {
    const externalId = idAt(value['externalId'], `${at}/externalId`);
    if (!externalId.ok) return externalId;
    const occurredAt = instantAt(value['occurredAt'], `${at}/occurredAt`);
    if (!occurredAt.ok) return occurredAt;
    const { returnId: _, ...facts } = value;
    // What was paid is checked by recordRefund.
    const refund = { ...facts, platform, orderId, externalId: externalId.value, occurredAt: occurredAt.value };
    return ok(refund as unknown as RemoteRefund);
  };

const returnAt =
  (frame: SnapshotContext) =>
  (value: JsonObject, at: string): ParseResult<RemoteSnapshot['returns'][number]> => {
    const refunds = eachAt(value['refunds'], `${at}/refunds`, refundAt(frame));
    if (!refunds.ok) return refunds;
    const seen = remoteReturnAt(frame, value, at);
    return seen.ok ? ok({ seen: seen.value, refunds: refunds.value }) : seen;
  };

/** An answer in our words; what it says of the order is checked by registerOrder. */
const snapshotOf = ({ platform, value }: ApiResponse, seenAt: string): ParseResult<RemoteSnapshot> => {
  const { order } = value;
  if (!isObject(order)) return fail('/order');
  const orderId = idAt(order['orderId'], '/order/orderId');
  if (!orderId.ok) return orderId;
  const frame: SnapshotContext = { platform, orderId: orderId.value, seenAt };
  const returns = eachAt(value['returns'], '/returns', returnAt(frame));
  if (!returns.ok) return returns;
  const refunds = eachAt(value['refunds'], '/refunds', refundAt(frame));
  if (!refunds.ok) return refunds;
  const facts = { observedAt: seenAt, ...order, platform, orderId: orderId.value };
  return ok({
    kind: 'seen',
    order: facts as unknown as OrderFacts,
    returns: returns.value,
    refunds: refunds.value,
  });
};

const pathOf = ({ kind, id }: ResourceRef): string =>
  `${kind === 'return' ? 'returns' : 'orders'}/${encodeURIComponent(id)}`;

/**
 * Sees how that which a delivery is about stands at its sender now. What it answers must be of that, and not of something
 * else.
 */
const fetchSnapshot = async (shop: Shop, subject: ResourceRef): Promise<Result<RemoteSnapshot, ShopFailure>> => {
  const seenAt = new Date().toISOString();
  const answer = await callApi(shop, pathOf(subject));
  if (!answer.ok) return answer;
  const read = snapshotOf(answer.value, seenAt);
  if (!read.ok) return unexpectedSnapshot(read.failure);
  const { order, returns } = read.value;
  if (subject.kind === 'order') return order.orderId === subject.id ? read : unexpectedSnapshot('/order/orderId');
  return returns.some(({ seen }) => seen.externalId === subject.id) ? read : unexpectedSnapshot('/returns');
};

/**
 * One that nobody can look at becomes a delivery all the same, which is parked: people see it there, and the changes that
 * come after it are found. It is known by what it says.
 */
const unreadableChange = (topic: string, change: JsonObject, at: string): PlatformChange => ({
  topic,
  deliveryId: `unreadable:${sha256(JSON.stringify(change), 'base64url')}`,
  body: { type: topic, unreadable: at },
});

/** A change that is none that we know is passed over: nothing when the sender tells of more than was agreed. */
const changeAt = (change: JsonObject, at: string): ParseResult<readonly PlatformChange[]> => {
  const { type, version, data } = change;
  if (typeof type !== 'string' || !topics.has(type)) return ok([]);
  const subject = translate(type, { data });
  if (subject.kind === 'parked' || subject.kind === 'ignored')
    return ok([unreadableChange(type, change, `${at}/data`)]);
  const of = idAt(version, `${at}/version`);
  if (!of.ok) return ok([unreadableChange(type, change, of.failure)]);
  const { kind, id } = subject;
  const named = kind === 'return' ? { returnId: id } : { orderId: id };
  return ok([{ topic: type, deliveryId: `${type}:${kind}:${id}@${of.value}`, body: { type, data: named } }]);
};

/** What changed at a sender, by its own cursor. */
const fetchChanges = async (shop: Shop, { cursor, since }: ChangeQuery): Promise<Result<ChangeBatch, ShopFailure>> => {
  const answer = await callApi(shop, 'changes', cursor === undefined ? { since } : { cursor });
  if (!answer.ok) return answer;
  const { changes, cursor: next, more } = answer.value.value;
  const found = eachAt(changes, '/changes', changeAt);
  if (!found.ok) return unexpectedSnapshot(found.failure);
  if (typeof next !== 'string' || next === '' || next.length > 2000) return unexpectedSnapshot('/cursor');
  return ok({ found: found.value.flat(), cursor: next, more: more === true && next !== cursor });
};

const refetchReturn: Translator['refetchReturn'] = async (source, externalId, deadline) => {
  const read = await fetchSnapshot({ source, deadline }, { kind: 'return', id: externalId });
  if (!read.ok) return read;
  const found = read.value.returns.find(({ seen }) => seen.externalId === externalId);
  return found === undefined ? permanentFailure('shop_return_not_found') : ok(found.seen);
};

/** Any sender that keeps to what is agreed in lib/examples/standard-sender.md: Standard Webhooks, and three paths. */
export const receiver: Receiver = standardReceiver('standard');

/** What it tells of, with its own API for how that stands. */
export const translator: Translator = {
  topics: () => topicsLeadingTo(topics, 'return', 'refund'),
  prepare: async (delivery, deadline) => prepareDelivery({ translate, fetchSnapshot }, delivery, deadline),
  refetchReturn,
  fetchChanges: async (source, from, deadline) => fetchChanges({ source, deadline }, from),
};
