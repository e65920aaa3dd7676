import { isObject } from '../../runtime/json.ts';
import type { Untold } from '../topics.ts';
import { idAt } from './read.ts';

/** What a delivery is about. */
export type Subject = { readonly kind: 'return' | 'order'; readonly id: string };

/** What a sender may tell of. Each only says where to look. */
export const topics: ReadonlySet<string> = new Set(['return.changed', 'refund.changed', 'order.changed']);

/** Reads what a verified delivery is about: a return where it names one, else an order. */
export const translate = (topic: string, body: unknown): Subject | Untold => {
  if (!topics.has(topic)) return { kind: 'ignored', reason: 'topic_not_handled' };
  const data = isObject(body) ? body['data'] : undefined;
  if (!isObject(data)) return { kind: 'parked', reason: 'payload_unexpected', path: isObject(body) ? '/data' : '' };
  const { returnId, orderId } = data;
  const kind = returnId === undefined && topic !== 'return.changed' ? 'order' : 'return';
  const id = idAt(kind === 'return' ? returnId : orderId, `/data/${kind}Id`);
  return id.ok ? { kind, id: id.value } : { kind: 'parked', reason: 'payload_unexpected', path: id.failure };
};
