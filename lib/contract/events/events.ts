import Type from 'typebox';
import { Status } from '../returns/return.ts';
import { closed, Instant, matching, oneOf, orNull, PlatformId, text } from '../scalars.ts';

const { Optional: optional } = Type;

/**
 * What happened: which client did it, the statuses of the return before and after where it is one, and what it changed.
 * `sequence` counts what happened to the subject; an event that tests an endpoint is no part of that and has 0. `change` is missing where the event bus could not carry it.
 */
export const EventData = closed(
  {
    sequence: Type.Integer({ minimum: 0 }),
    actor: closed({ clientId: PlatformId }),
    from: optional(orNull(Status)),
    to: optional(Status),
    policyVersion: optional(orNull(text(100))),
    change: optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { $id: 'EventData' },
);

/** The attributes of an event, without its type and its data. */
export const attributes = {
  specversion: oneOf('1.0'),
  id: Type.String({
    ...matching('^evt_[0-9A-HJKMNP-TV-Z]{26}$', 'an id such as evt_01KAJ3V9Z8QW4T6R2M5N7P0XYB'),
    examples: ['evt_01KAJ3V9Z8QW4T6R2M5N7P0XYB'],
  }),
  source: text(256, { examples: ['urn:returns:prod'] }),
  subject: text(200, { examples: ['ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB'] }),
  time: Instant,
  datacontenttype: oneOf('application/json'),
  /** Ten digits, so that it sorts as text. */
  sequence: Type.String({
    ...matching('^[0-9]{10,}$', 'at least ten digits, such as 0000000003'),
    examples: ['0000000003'],
  }),
  partitionkey: text(200),
  correlationid: text(200),
  causationid: text(200),
};

/** `<prefix>.return.approved`. */
const TypeName = text(200, {
  ...matching('^[A-Za-z0-9._-]+$', 'a type of event such as com.example.returns.return.approved'),
  examples: ['com.example.returns.return.approved'],
});

/**
 * A structured CloudEvent 1.0. `sequence` and `partitionkey`, `correlationid` and `causationid` are extensions: the events of
 * a subject are in order by `sequence`. The same event always has the same `id`.
 */
export const CloudEvent = closed({ ...attributes, type: TypeName, data: EventData }, { $id: 'CloudEvent' });

/**
 * Which events to read. Without a cursor it begins with the oldest that is kept, or at the end with `start` `now`; with a cursor
 * `start` says nothing.
 */
export const EventQuery = closed({
  start: optional(oneOf('oldest', 'now')),
  limit: optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  cursor: optional(text(2000)),
});

/** `nextCursor` is never null: there it goes on, now or once more has happened. It is the cursor itself where nothing has. */
export const EventList = closed({ items: Type.Array(CloudEvent), nextCursor: text(2000) }, { $id: 'EventList' });
