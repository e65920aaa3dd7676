import { reading } from '../entry.ts';
import { EventList, EventQuery } from './events.ts';
import { event } from './examples.ts';

/* The operation on events. */

export const listEvents = reading({
  path: '/events',
  scope: 'returns:read',
  summary: 'Read what happened, each event once',
  description:
    'Every event once in a walk, those of a return in their order, none left out; among returns there is no order. `nextCursor` is never null: keep it, and go on there whenever you like within 30 days, then it is 410. A page may be short or empty; where `nextCursor` is the cursor that was sent, nothing has happened since. Events are kept for 30 days and some: older ones stand in the histories.',
  query: EventQuery,
  answers: EventList,
  refuses: ['invalid_cursor', 'cursor_expired'],
  example: { output: { items: [event], nextCursor: 'bWk1LjEuMw.q2l0Z3hQ' } },
});
