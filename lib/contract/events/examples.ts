import { at, entry, returnId } from '../example-story.ts';
import type Type from 'typebox';
import type { EventList } from './events.ts';

/** The event of the rejection in the example history. */
export const event: Type.Static<typeof EventList>['items'][number] = {
  specversion: '1.0',
  id: 'evt_01KAJ3V9Z8QW4T6R2M5N7P0XYB',
  source: 'urn:returns:prod',
  type: 'com.example.returns.return.rejected',
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
    change: {
      rejection: { code: 'final_sale' },
      lines: [{ lineId: 'rln_01KAJ3V9Z8QW4T6R2M5N7P0XYB', approved: 0, rejected: 1 }],
    },
  },
};
