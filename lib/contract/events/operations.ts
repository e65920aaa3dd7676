import { reading } from '../entry.ts';
import { EventList, EventQuery } from './events.ts';
import { event } from './examples.ts';

/* The operation that lists events. */

export const listEvents = reading({
  path: '/events',
  scope: 'returns:read',
  summary: 'List events page by page',
  description:
    'The pages contain each event once, with none left out. The events of one return are in order. Events of different returns have no order.\n\n- Without `cursor`, `start` selects the first event. With `cursor`, the service ignores `start`.\n- `nextCursor` is never null. Store it, and continue from it later.\n- When `nextCursor` equals the cursor that you sent, no event has occurred since.\n- A page may be short or empty.\n\nA cursor is valid for 30 days. Then the response is 410 `cursor_expired`. The service stores events for at least 30 days. The histories of returns contain older events.',
  query: EventQuery,
  answers: EventList,
  errors: ['invalid_cursor', 'cursor_expired'],
  example: { output: { items: [event], nextCursor: 'bWk1LjEuMw.q2l0Z3hQ' } },
});
