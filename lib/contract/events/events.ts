import Type from 'typebox';
import { Status } from '../returns/return-head.ts';
import { about, ActorUser, closed, Instant, matching, oneOf, orNull, PlatformId, text } from '../scalars.ts';

const { Optional: optional } = Type;

export const MessageName = oneOf('withdrawal_receipt', 'return_approved', 'return_rejected', 'refund_paid');

export const EventData = closed(
  {
    sequence: about(
      Type.Integer({ minimum: 0 }),
      'The number of the event among the events of its subject. A test event of an endpoint has 0.',
    ),
    actor: about(
      closed({
        clientId: about(PlatformId, 'The client id of the access token, or the name of the internal worker.'),
        user: optional(about(ActorUser, 'The signed-in user, without the name. Absent for a client.')),
      }),
      'The client or the user that caused the event.',
    ),
    from: optional(
      about(
        orNull(Status),
        'The status of the return before the event. Null when the event created the return. Absent for other subjects.',
      ),
    ),
    to: optional(about(Status, 'The status of the return after the event. Absent for other subjects.')),
    policyVersion: optional(
      about(
        orNull(text(100)),
        'The policy version behind the event, as the id of the policy and its number. Null when no policy applies.',
      ),
    ),
    messageName: optional(
      about(
        MessageName,
        'The message that tells the event to the customer. `getMessage` returns its text. Absent for other events.',
      ),
    ),
    change: optional(
      about(
        Type.Record(Type.String(), Type.Unknown()),
        'The change, with fields by the type of the event. Absent when it is too large for the event bus.',
      ),
    ),
  },
  { $id: 'EventData', description: 'The cause and the effect of the event.' },
);

/** The attributes of an event, without its type and its data. */
export const attributes = {
  specversion: about(oneOf('1.0'), 'The version of CloudEvents.'),
  id: about(
    Type.String({
      ...matching('^evt_[0-9A-HJKMNP-TV-Z]{26}$', 'an id such as evt_01KAJ3V9Z8QW4T6R2M5N7P0XYB'),
      examples: ['evt_01KAJ3V9Z8QW4T6R2M5N7P0XYB'],
    }),
    'The id of the event. Every repeat of the event has the same id.',
  ),
  source: about(text(256, { examples: ['urn:returns:prod'] }), 'The deployment that emits the event.'),
  subject: about(
    text(200, { examples: ['ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB'] }),
    'The id of the changed resource, such as a return.',
  ),
  time: about(Instant, 'When the event occurred.'),
  datacontenttype: about(oneOf('application/json'), 'The media type of `data`.'),
  sequence: about(
    Type.String({
      ...matching('^[0-9]{10,}$', 'at least ten digits, such as 0000000003'),
      examples: ['0000000003'],
    }),
    'The same number as `data.sequence`, with leading zeros, so that it sorts as text.',
  ),
  partitionkey: about(text(200), 'The key for ordered processing. It equals `subject`.'),
  correlationid: about(
    text(200),
    'The id that related events share. It is the trace id of a request, or the id of a job.',
  ),
  causationid: about(text(200), 'The id of the direct cause, such as a request, an inbox delivery or a job.'),
};

const TypeName = text(200, {
  ...matching('^[A-Za-z0-9._-]+$', 'a type of event such as com.example.returns.return.approved'),
  examples: ['com.example.returns.return.approved'],
});

/** A structured CloudEvent 1.0. `sequence`, `partitionkey`, `correlationid` and `causationid` are its extensions. */
export const CloudEvent = closed(
  {
    ...attributes,
    type: about(TypeName, 'The type of the event, with the prefix of the deployment.'),
    data: about(EventData, 'The cause and the effect of the event.'),
  },
  {
    $id: 'CloudEvent',
    description:
      'A structured CloudEvent 1.0. The events of one subject are in order by `sequence`. The same event always has the same `id`.',
  },
);

/** Where the first page starts. A cursor takes precedence over `start`. */
export const EventQuery = closed({
  start: optional(oneOf('oldest', 'now')),
  limit: optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  cursor: optional(text(2000)),
});

export const EventList = closed(
  {
    items: about(Type.Array(CloudEvent), 'The events of the page. It may be empty.'),
    nextCursor: about(
      text(2000),
      'The cursor of the next page, never null. It equals the cursor that you sent when no event has occurred since.',
    ),
  },
  { $id: 'EventList', description: 'A page of events.' },
);
