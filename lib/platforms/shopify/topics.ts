import type { Kind } from './gid.ts';

/** What a topic's deliveries are about, and where in their bodies its id stands. */
export type Topic = {
  readonly about: Extract<Kind, 'Return' | 'ReverseFulfillmentOrder' | 'Refund'>;
  readonly at: readonly string[];
  /** Whether a body can only ever mean one event; close and reopen come as often as they like in the same few bytes. */
  readonly once?: true;
};

/**
 * The topics that are understood. A delivery only says where to look: what it tells of may have moved on since.
 * https://shopify.dev/docs/api/webhooks/2026-07
 */
export const topics: Readonly<Record<string, Topic>> = {
  'returns/request': { about: 'Return', at: [], once: true },
  'returns/approve': { about: 'Return', at: [] },
  'returns/decline': { about: 'Return', at: [] },
  'returns/cancel': { about: 'Return', at: [] },
  'returns/close': { about: 'Return', at: [] },
  'returns/reopen': { about: 'Return', at: [] },
  'returns/update': { about: 'Return', at: [] },
  'returns/process': { about: 'Return', at: [] },
  'reverse_deliveries/attach_deliverable': { about: 'Return', at: ['return'] },
  'reverse_fulfillment_orders/dispose': { about: 'ReverseFulfillmentOrder', at: [] },
  'refunds/create': { about: 'Refund', at: [], once: true },
};
