import { at, entry, lineId, nothing, returnId } from '../example-story.ts';
import type Type from 'typebox';
import { examplePrefix } from './example-prefix.ts';
import type { EventList } from './events.ts';

/** The event of the rejection in the example history. */
export const event: Type.Static<typeof EventList>['items'][number] = {
  specversion: '1.0',
  id: 'evt_01KAJ3V9Z8QW4T6R2M5N7P0XYB',
  source: 'urn:returns:prod',
  type: `${examplePrefix}.return.rejected`,
  subject: returnId,
  time: at.decided,
  datacontenttype: 'application/json',
  sequence: '0000000002',
  partitionkey: returnId,
  correlationid: entry.correlationId,
  causationid: entry.causationId,
  data: {
    sequence: 2,
    actor: { clientId: entry.actor.clientId },
    from: 'requested',
    to: 'rejected',
    policyVersion: null,
    messageName: 'return_rejected',
    change: {
      rejection: { code: 'final_sale' },
      lines: [{ lineId, approved: 0, rejected: 1 }],
      amounts: [{ lineId, amounts: nothing }],
    },
  },
};

/** The event of the approval of the same return. */
export const approvedEvent: typeof event = {
  ...event,
  id: 'evt_01KAJ3X5D2ZC8V4H6B9GQ1WTSN',
  type: `${examplePrefix}.return.approved`,
  data: {
    ...event.data,
    to: 'approved',
    messageName: 'return_approved',
    change: { lines: [{ lineId, approved: 1, rejected: 0 }] },
  },
};
