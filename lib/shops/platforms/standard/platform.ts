import { fail, ok, type Result } from '../../../runtime/result.ts';
import { sha256 } from '../../../runtime/hash.ts';
import { isObject, type JsonObject } from '../../../runtime/json.ts';
import {
  type PlatformChange,
  type ChangeBatch,
  type ChangeQuery,
  topicsLeadingTo,
  type OrderFacts,
  type Receiver,
  type OrderCancellation,
  type RemoteSnapshot,
  type RemoteWithdrawal,
  type ShopFailure,
  type Translator,
  type SkippedDelivery,
  permanentFailure,
} from '../platform.ts';
import { callShop, readJson, type Shop } from '../shared/http/api.ts';
import { prepareDelivery } from '../shared/http/prepare.ts';
import { standardReceiver } from '../shared/signatures/standard-webhooks.ts';
import type { RemoteRefund } from '../shared/sync/remote-return.ts';
import { eachAt, findApiCredentials, idAt, instantAt, type ParseResult } from './read.ts';
import { contentAt, type SnapshotContext, remoteReturnAt } from './remote-return.ts';

/** A sender's response, and the platform under which its orders are registered. */
type ApiResponse = { readonly platform: string; readonly value: JsonObject };

/**
 * Calls a sender's own API, which lib/tools/guides/examples/standard-sender.md describes.
 *
 * @param write a POST, which is sent once
 */
const callApi = async (
  shop: Shop,
  path: string,
  query: Readonly<Record<string, string>> = {},
  write = false,
): Promise<Result<ApiResponse, ShopFailure>> => {
  let platform = 'standard';
  const queryText = new URLSearchParams(query).toString();
  const answer = await callShop(
    shop,
    findApiCredentials,
    ({ apiUrl, accessToken, orderPlatform }) => {
      platform = orderPlatform;
      return {
        ...(write ? { method: 'POST', once: true } : { method: 'GET' }),
        url: `${apiUrl}/${path}${queryText === '' ? '' : `?${queryText}`}`,
        headers: { accept: 'application/json', authorization: `Bearer ${accessToken}` },
      };
    },
    readJson,
  );
  if (!answer.ok) return answer;
  return isObject(answer.value) ? ok({ platform, value: answer.value }) : unexpectedSnapshot('');
};

/** Returns the failure of an unexpected response, with a JSON Pointer into it for people. */
const unexpectedSnapshot = (pointer: string): Result<never, ShopFailure> =>
  permanentFailure(`snapshot_unexpected:${pointer || '/'}`);

/** The subject of a delivery. */
type ResourceRef = { readonly kind: 'return' | 'order'; readonly id: string };

/** The topics of a sender. Each is only a hint. */
const topics: ReadonlySet<string> = new Set([
  'return.changed',
  'refund.changed',
  'order.changed',
  'withdrawal.changed',
]);

/** Reads the subject of a verified delivery: a return if it names one, else an order. */
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
    // recordRefund validates the amount.
    const refund = { ...facts, platform, orderId, externalId: externalId.value, occurredAt: occurredAt.value };
    return ok(refund as unknown as RemoteRefund);
  };

const returnAt =
  (frame: SnapshotContext) =>
  (value: JsonObject, at: string): ParseResult<RemoteSnapshot['returns'][number]> => {
    const refunds = eachAt(value['refunds'], `${at}/refunds`, refundAt(frame));
    if (!refunds.ok) return refunds;
    const remote = remoteReturnAt(frame, value, at);
    return remote.ok ? ok({ remote: remote.value, refunds: refunds.value }) : remote;
  };

const declaredTexts = ['name', 'email', 'contract', 'lines', 'language', 'timeZone'] as const;

/**
 * Reads a declaration of withdrawal that names this order. With the consumer's words on the lines, it means the units of
 * `orderLines`, or units that staff finds. declareWithdrawal validates the texts.
 */
const withdrawalAt =
  ({ platform, fetchedAt }: SnapshotContext) =>
  (value: JsonObject, at: string): ParseResult<RemoteWithdrawal> => {
    const externalId = idAt(value['externalId'], `${at}/externalId`);
    if (!externalId.ok) return externalId;
    const declaredAt = instantAt(value['declaredAt'], `${at}/declaredAt`);
    if (!declaredAt.ok) return declaredAt;
    const units = eachAt(value['orderLines'], `${at}/orderLines`, contentAt);
    if (!units.ok) return units;
    const texts = Object.fromEntries(
      declaredTexts.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]]])),
    );
    const isWhole = value['lines'] === undefined && value['orderLines'] === undefined;
    const covers = isWhole ? 'whole_order' : units.value.length > 0 ? units.value : undefined;
    const declaration = {
      ...texts,
      platform,
      // The clock of the sender may be ahead.
      declaredAt: declaredAt.value < fetchedAt ? declaredAt.value : fetchedAt,
      source: { platform, externalId: externalId.value },
    };
    return ok({ declaration: declaration as RemoteWithdrawal['declaration'], ...(covers !== undefined && { covers }) });
  };

/** Converts a response to a snapshot. registerOrder validates the order in it. */
const snapshotOf = ({ platform, value }: ApiResponse, fetchedAt: string): ParseResult<RemoteSnapshot> => {
  const { order } = value;
  if (!isObject(order)) return fail('/order');
  const orderId = idAt(order['orderId'], '/order/orderId');
  if (!orderId.ok) return orderId;
  const frame: SnapshotContext = { platform, orderId: orderId.value, fetchedAt };
  const returns = eachAt(value['returns'], '/returns', returnAt(frame));
  if (!returns.ok) return returns;
  const refunds = eachAt(value['refunds'], '/refunds', refundAt(frame));
  if (!refunds.ok) return refunds;
  const withdrawals = eachAt(value['withdrawals'], '/withdrawals', withdrawalAt(frame));
  if (!withdrawals.ok) return withdrawals;
  const facts = { observedAt: fetchedAt, ...order, platform, orderId: orderId.value };
  return ok({
    kind: 'snapshot',
    order: facts as unknown as OrderFacts,
    returns: returns.value,
    refunds: refunds.value,
    ...(withdrawals.value.length > 0 && { withdrawals: withdrawals.value }),
  });
};

const pathOf = ({ kind, id }: ResourceRef): string =>
  `${kind === 'return' ? 'returns' : 'orders'}/${encodeURIComponent(id)}`;

type OrderState = { readonly isCancelled: boolean; readonly snapshot: RemoteSnapshot };

/** Fetches the current state of a subject from its sender. The response must be about that subject. */
const fetchState = async (shop: Shop, subject: ResourceRef): Promise<Result<OrderState, ShopFailure>> => {
  const fetchedAt = new Date().toISOString();
  const answer = await callApi(shop, pathOf(subject));
  if (!answer.ok) return answer;
  const read = snapshotOf(answer.value, fetchedAt);
  if (!read.ok) return unexpectedSnapshot(read.failure);
  const { order, returns } = read.value;
  const state = { isCancelled: answer.value.value['cancelled'] === true, snapshot: read.value };
  if (subject.kind === 'order') return order.orderId === subject.id ? ok(state) : unexpectedSnapshot('/order/orderId');
  return returns.some(({ remote }) => remote.externalId === subject.id) ? ok(state) : unexpectedSnapshot('/returns');
};

const fetchSnapshot = async (shop: Shop, subject: ResourceRef): Promise<Result<RemoteSnapshot, ShopFailure>> => {
  const read = await fetchState(shop, subject);
  return read.ok ? ok(read.value.snapshot) : read;
};

/** Cancels orders at a sender that offers it. */
export const cancellation: OrderCancellation = {
  fetchState: async (source, id, deadline) => fetchState({ source, deadline }, { kind: 'order', id }),
  cancel: async (source, id, deadline) => {
    const answer = await callApi({ source, deadline }, `${pathOf({ kind: 'order', id })}/cancel`, {}, true);
    return answer.ok ? ok(undefined) : answer;
  },
};

/**
 * Returns a delivery for an unreadable change, which is parked for people to check.
 * So it does not block later changes. Its content is its id.
 */
const unreadableChange = (topic: string, change: JsonObject, at: string): PlatformChange => ({
  topic,
  deliveryId: `unreadable:${sha256(JSON.stringify(change), 'base64url')}`,
  body: { type: topic, unreadable: at },
});

/** Reads a change. Unknown types are skipped, because a sender may report more than specified. */
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

/** Returns the changes at a sender, by its own cursor. */
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
  const found = read.value.returns.find(({ remote }) => remote.externalId === externalId);
  return found === undefined ? permanentFailure('shop_return_not_found') : ok(found.remote);
};

/**
 * Receives webhooks of any sender that follows lib/tools/guides/examples/standard-sender.md.
 * That is Standard Webhooks, and three paths.
 */
export const receiver: Receiver = standardReceiver('standard');

/** Translates the webhooks, with the current state from the sender's API. */
export const translator: Translator = {
  topics: () => topicsLeadingTo(topics, 'return', 'refund', 'withdrawal'),
  prepare: async (delivery, deadline) => prepareDelivery({ translate, fetchSnapshot }, delivery, deadline),
  refetchReturn,
  fetchChanges: async (source, from, deadline) => fetchChanges({ source, deadline }, from),
};
