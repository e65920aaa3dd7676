import { reading } from '../entry.ts';
import { customer, facts, summary } from '../example-story.ts';
import { EventList, EventQuery } from './events.ts';
import { event } from './examples.ts';
import { Message, MessagePath, MessageQuery } from './message.ts';

/* The operations on events. */

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

export const getMessage = reading({
  path: '/events/{resourceId}/{sequence}/message',
  scope: 'returns:read',
  summary: 'Read the message of an event for the customer',
  description:
    'The event has `data.messageName`. `resourceId` is its `subject`, and `sequence` its `data.sequence`. The event is one of a return or of a withdrawal.\n\nReturns the address, the subject and the text. The service sends no mail for this request. The text is about the event, with the dates and items of the return as they are now.\n\nWithout `language`, the text has the language of the declaration of withdrawal. Otherwise it has the usual language of the country of the order, or `en`. A receipt always has the language of its declaration, because it is signed.\n\nA return that a platform manages has no messages, because the platform informs the customer. Without a message, the response is `message_not_found`. After an erasure of the person, a receipt is `receipt_erased`, and another message has no address.',
  params: MessagePath,
  query: MessageQuery,
  answers: Message,
  errors: ['message_not_found', 'receipt_erased'],
  example: {
    output: {
      name: 'return_rejected',
      eventId: event.id,
      language: 'en',
      to: { email: customer.email },
      subject: `Your return ${summary.rmaNumber} is declined`,
      text: `Your return ${summary.rmaNumber} for the order ${facts.number} is declined.\n`,
    },
  },
});
