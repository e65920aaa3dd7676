import { fail, ok, type Result } from '../../contract/result.ts';
import { isObject, type JsonObject } from '../../runtime/json.ts';
import type { SeenRefund } from '../shared/sync/seen.ts';
import type { Shop } from '../shared/http/api.ts';
import type { OrderFacts, Seen, ShopFailure } from '../platform.ts';
import { ask, unexpected, type Answer } from './api.ts';
import { eachAt, idAt, instantAt, type Read } from './read.ts';
import { seenReturnAt, type Frame } from './seen-return.ts';
import type { Subject } from './translate.ts';

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
export const see = async (shop: Shop, subject: Subject): Promise<Result<Seen, ShopFailure>> => {
  const seenAt = new Date().toISOString();
  const answer = await ask(shop, pathOf(subject));
  if (!answer.ok) return answer;
  const read = snapshotOf(answer.value, seenAt);
  if (!read.ok) return unexpected(read.failure);
  const { order, returns } = read.value;
  if (subject.kind === 'order') return order.orderId === subject.id ? read : unexpected('/order/orderId');
  return returns.some(({ seen }) => seen.externalId === subject.id) ? read : unexpected('/returns');
};
