import type * as backend from '../../../lib/service/operations/events.ts';
import type { Output } from '../../../lib/contract/contract.ts';
import type { CloudEvent } from '../../../lib/domain/events/cloud-event.ts';
import { readerCall } from './support.ts';

/** Creates a reader of all events, which reads a page on request. */
export const walker = ({ listEvents }: typeof backend, limitOf: () => number = () => 50) => {
  const events: CloudEvent[] = [];
  let cursor: string | undefined;
  const step = async (start?: 'now'): Promise<Output<'listEvents'>> => {
    const answer = await listEvents(
      { limit: limitOf(), ...(start && { start }), ...(cursor !== undefined && { cursor }) },
      readerCall(),
    );
    if (!answer.ok) throw new Error(answer.failure.code);
    const { body } = answer.value;
    events.push(...(body.items as CloudEvent[]));
    return body;
  };
  return {
    events,
    /** Reads a page. Returns whether there may be more: where nothing has happened the cursor is the same. */
    step: async (start?: 'now'): Promise<boolean> => {
      const { nextCursor } = await step(start);
      const moved = nextCursor !== cursor;
      cursor = nextCursor;
      return moved;
    },
    /** Reads until there are no new events. */
    finish: async () => {
      for (let more = true; more;) {
        const { nextCursor } = await step();
        more = nextCursor !== cursor;
        cursor = nextCursor;
      }
    },
    cursor: () => cursor,
  };
};
