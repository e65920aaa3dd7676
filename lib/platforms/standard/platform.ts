import { fail, ok, type Result } from '../../contract/result.ts';
import { sha256 } from '../../runtime/hash.ts';
import { isObject, type JsonObject } from '../../runtime/json.ts';
import {
  type Change,
  type Changes,
  type From,
  leadingTo,
  type OrderFacts,
  type Receiver,
  type Seen,
  type ShopFailure,
  type Translator,
  type Untold,
} from '../platform.ts';
import { askShop, readJson, type Shop } from '../shared/http/api.ts';
import { prepareBy } from '../shared/http/prepare.ts';
import { permanent } from '../shared/http/shop-failure.ts';
import { standardReceiver } from '../shared/signatures/standard-receiver.ts';
import type { SeenRefund } from '../shared/sync/seen.ts';
import { eachAt, findAccess, idAt, instantAt, type Read } from './read.ts';
import { type Frame, seenReturnAt } from './seen-return.ts';

/** What a sender answered, and the platform that its orders are registered under. */
type Answer = { readonly platform: string; readonly value: JsonObject };

/** Asks a sender's own API, which is described in lib/examples/standard-sender.md. */
const ask = async (
  shop: Shop,
  path: string,
  query: Readonly<Record<string, string>> = {},
): Promise<Result<Answer, ShopFailure>> => {
  let platform = 'standard';
  const asked = new URLSearchParams(query).toString();
  const answer = await askShop(
    shop,
    findAccess,
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
  return isObject(answer.value) ? ok({ platform, value: answer.value }) : unexpected('');
};

/** An answer that is not as agreed, with a JSON Pointer into it: for people to see. */
const unexpected = (pointer: string): Result<never, ShopFailure> => permanent(`snapshot_unexpected:${pointer || '/'}`);

/** What a delivery is about. */
type Subject = { readonly kind: 'return' | 'order'; readonly id: string };

/** What a sender may tell of. Each only says where to look. */
const topics: ReadonlySet<string> = new Set(['return.changed', 'refund.changed', 'order.changed']);

/** Reads what a verified delivery is about: a return where it names one, else an order. */
const translate = (topic: string, body: unknown): Subject | Untold => {
  if (!topics.has(topic)) return { kind: 'ignored', reason: 'topic_not_handled' };
  const data = isObject(body) ? body['data'] : undefined;
  if (!isObject(data)) return { kind: 'parked', reason: 'payload_unexpected', path: isObject(body) ? '/data' : '' };
  const { returnId, orderId } = data;
  const kind = returnId === undefined && topic !== 'return.changed' ? 'order' : 'return';
  const id = idAt(kind === 'return' ? returnId : orderId, `/data/${kind}Id`);
  return id.ok ? { kind, id: id.value } : { kind: 'parked', reason: 'payload_unexpected', path: id.failure };
};

const refundAt =
  ({ platform, orderId }: Frame) =>
  (value: JsonObject, at: string): Read<SeenRefund> => {
    const externalId = idAt(value['externalId'], `${at}/externalId`);
    if (!externalId.ok) return externalId;
    const occurredAt = instantAt(value['occurredAt'], `${at}/occurredAt`);
    if (!occurredAt.ok) return occurredAt;
    const { returnId: _, ...facts } = value;
    // What was paid is checked by recordRefund.
    const refund = { ...facts, platform, orderId, externalId: externalId.value, occurredAt: occurredAt.value };
    return ok(refund as unknown as SeenRefund);
  };

const returnAt =
  (frame: Frame) =>
  (value: JsonObject, at: string): Read<Seen['returns'][number]> => {
    const refunds = eachAt(value['refunds'], `${at}/refunds`, refundAt(frame));
    if (!refunds.ok) return refunds;
    const seen = seenReturnAt(frame, value, at);
    return seen.ok ? ok({ seen: seen.value, refunds: refunds.value }) : seen;
  };

/** An answer in our words; what it says of the order is checked by registerOrder. */
const snapshotOf = ({ platform, value }: Answer, seenAt: string): Read<Seen> => {
  const { order } = value;
  if (!isObject(order)) return fail('/order');
  const orderId = idAt(order['orderId'], '/order/orderId');
  if (!orderId.ok) return orderId;
  const frame: Frame = { platform, orderId: orderId.value, seenAt };
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

const pathOf = ({ kind, id }: Subject): string =>
  `${kind === 'return' ? 'returns' : 'orders'}/${encodeURIComponent(id)}`;

/**
 * Sees how that which a delivery is about stands at its sender now. What it answers must be of that, and not of something
 * else.
 */
const see = async (shop: Shop, subject: Subject): Promise<Result<Seen, ShopFailure>> => {
  const seenAt = new Date().toISOString();
  const answer = await ask(shop, pathOf(subject));
  if (!answer.ok) return answer;
  const read = snapshotOf(answer.value, seenAt);
  if (!read.ok) return unexpected(read.failure);
  const { order, returns } = read.value;
  if (subject.kind === 'order') return order.orderId === subject.id ? read : unexpected('/order/orderId');
  return returns.some(({ seen }) => seen.externalId === subject.id) ? read : unexpected('/returns');
};

/**
 * One that nobody can look at becomes a delivery all the same, which is parked: people see it there, and the changes that
 * come after it are found. It is known by what it says.
 */
const unreadable = (topic: string, change: JsonObject, at: string): Change => ({
  topic,
  deliveryId: `unreadable:${sha256(JSON.stringify(change), 'base64url')}`,
  body: { type: topic, unreadable: at },
});

/** A change that is none that we know is passed over: nothing when the sender tells of more than was agreed. */
const changeAt = (change: JsonObject, at: string): Read<readonly Change[]> => {
  const { type, version, data } = change;
  if (typeof type !== 'string' || !topics.has(type)) return ok([]);
  const subject = translate(type, { data });
  if (subject.kind === 'parked' || subject.kind === 'ignored') return ok([unreadable(type, change, `${at}/data`)]);
  const of = idAt(version, `${at}/version`);
  if (!of.ok) return ok([unreadable(type, change, of.failure)]);
  const { kind, id } = subject;
  const named = kind === 'return' ? { returnId: id } : { orderId: id };
  return ok([{ topic: type, deliveryId: `${type}:${kind}:${id}@${of.value}`, body: { type, data: named } }]);
};

/** What changed at a sender, by its own cursor. */
const changedSince = async (shop: Shop, { cursor, since }: From): Promise<Result<Changes, ShopFailure>> => {
  const answer = await ask(shop, 'changes', cursor === undefined ? { since } : { cursor });
  if (!answer.ok) return answer;
  const { changes, cursor: next, more } = answer.value.value;
  const found = eachAt(changes, '/changes', changeAt);
  if (!found.ok) return unexpected(found.failure);
  if (typeof next !== 'string' || next === '' || next.length > 2000) return unexpected('/cursor');
  return ok({ found: found.value.flat(), cursor: next, more: more === true && next !== cursor });
};

const look: Translator['look'] = async (source, externalId, deadline) => {
  const read = await see({ source, deadline }, { kind: 'return', id: externalId });
  if (!read.ok) return read;
  const found = read.value.returns.find(({ seen }) => seen.externalId === externalId);
  return found === undefined ? permanent('shop_return_not_found') : ok(found.seen);
};

/** Any sender that keeps to what is agreed in lib/examples/standard-sender.md: Standard Webhooks, and three paths. */
export const receiver: Receiver = standardReceiver('standard');

/** What it tells of, with its own API for how that stands. */
export const translator: Translator = {
  topics: () => leadingTo(topics, 'return', 'refund'),
  prepare: async (delivery, deadline) => prepareBy({ translate, see }, delivery, deadline),
  look,
  changedSince: async (source, from, deadline) => changedSince({ source, deadline }, from),
};
