import { isObject } from '../../runtime/json.ts';
import type { Parked } from '../platform.ts';
import type { Untold } from '../topics.ts';

/** What a delivery is about. */
export type Subject =
  | { readonly kind: 'order'; readonly orderId: string }
  | { readonly kind: 'return-request'; readonly requestId: string };

type Translation = Subject | Untold;

const parked = (path: string): Parked => ({ kind: 'parked', reason: 'payload_unexpected', path });

const orderIdForm = /^[A-Za-z0-9][\w.-]{0,99}$/;
const requestIdForm = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;

/** Whether a value is the id of an order, as it stands in paths. */
export const isOrderId = (value: unknown): value is string => typeof value === 'string' && orderIdForm.test(value);

/** Whether a value is the id of a document in Master Data; a field of a template that was not filled in is none. */
export const isRequestId = (value: unknown): value is string => typeof value === 'string' && requestIdForm.test(value);

/**
 * What an order goes through before there is anything to give back. A hook that hears of every state sends most of its
 * deliveries for these: they are left without a question to the API. One that filters by an expression says `unknow`.
 * https://developers.vtex.com/docs/guides/orders-overview#order-flow-and-status
 */
const beforeInvoice: ReadonlySet<unknown> = new Set([
  'order-created',
  'order-completed',
  'on-order-completed',
  'on-order-completed-ffm',
  'order-accepted',
  'order-created-error',
  'order-creation-error',
  'waiting-for-seller-confirmation',
  'waiting-for-sellers-confirmation',
  'waiting-for-order-authorization',
  'waiting-for-authorization',
  'waiting-for-manual-authorization',
  'waiting-for-fulfillment',
  'waiting-ffmt-authorization',
  'authorize-fulfillment',
  'payment-pending',
  'approve-payment',
  'payment-approved',
  'payment-denied',
  'window-to-cancel',
  'window-to-change-seller',
  'ready-for-handling',
  'start-handling',
]);

/** Reads what a verified delivery is about. */
export const translate = (topic: string, payload: unknown): Translation => {
  if (!isObject(payload)) return parked('');
  if (topic === 'order') {
    const { OrderId: orderId, State: state } = payload;
    if (!isOrderId(orderId)) return parked('/OrderId');
    return beforeInvoice.has(state) ? { kind: 'ignored', reason: 'state_not_handled' } : { kind: 'order', orderId };
  }
  if (topic !== 'return-request') return { kind: 'ignored', reason: 'topic_not_handled' };
  const { id: requestId } = payload;
  return isRequestId(requestId) ? { kind: 'return-request', requestId } : parked('/id');
};
