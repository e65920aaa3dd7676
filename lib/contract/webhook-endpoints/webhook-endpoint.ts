import Type from 'typebox';
import { eventPatterns, eventTypes, type EventPattern } from '../events/event-types.ts';
import { about, closed, id, Instant, matching, oneOf, orNull, PageQuery, text, Url } from '../scalars.ts';

const { Optional: optional, Array: list } = Type;

const EndpointId = id('whk');
const EventId = id('evt');
export const EndpointPath = closed({ endpointId: EndpointId });
export const EndpointDeliveryPath = closed({ endpointId: EndpointId, eventId: EventId });

const EventPatterns = list(Type.Unsafe<EventPattern>({ type: 'string', enum: [...eventPatterns()] }), {
  minItems: 1,
  maxItems: eventPatterns().length,
  uniqueItems: true,
  examples: [['return.approved', 'refund.*']],
});
const Description = text(500);

const url = about(Url, 'The https URL at a public host that receives the events.');
const eventTypesText = 'The event types to send. `refund.*` selects a group, and `*` selects all types.';

export const NewWebhookEndpoint = closed(
  {
    url,
    eventTypes: optional(about(EventPatterns, `${eventTypesText} Absent means all types.`)),
    description: optional(about(Description, 'A text for people.')),
  },
  { $id: 'NewWebhookEndpoint', description: 'A new receiver of events.' },
);

/** A merge patch (RFC 7396). */
export const WebhookEndpointPatch = closed(
  {
    url: optional(url),
    eventTypes: optional(about(EventPatterns, `${eventTypesText} The list replaces the present one.`)),
    description: optional(about(orNull(Description), 'A text for people. `null` removes it.')),
    enabled: optional(
      about(Type.Boolean(), 'Whether the endpoint receives events. `true` continues with the events that wait.'),
    ),
  },
  { $id: 'WebhookEndpointPatch', minProperties: 1, description: 'The fields to change. Absent fields stay unchanged.' },
);

const endpoint = {
  endpointId: about(EndpointId, 'The id of the endpoint.'),
  url,
  description: optional(about(Description, 'A text for people.')),
  eventTypes: about(EventPatterns, eventTypesText),
  enabled: about(Type.Boolean(), 'Whether the endpoint receives events.'),
  disabled: optional(
    about(
      closed({
        at: about(Instant, 'When the endpoint was disabled.'),
        reason: about(
          oneOf('gone', 'failing', 'requested'),
          `The cause.

- \`gone\`: The receiver answered 410.
- \`failing\`: All attempts failed for 72 hours.
- \`requested\`: An administrator disabled the endpoint.`,
        ),
      }),
      'When and why the endpoint was disabled. Absent when it is enabled.',
    ),
  ),
  secrets: about(
    list(
      closed({
        createdAt: about(Instant, 'When the secret was created.'),
        expiresAt: optional(about(Instant, 'Until when the secret signs. Absent for the newest secret.')),
      }),
    ),
    'The secrets that sign deliveries, newest first. The secrets themselves are not shown.',
  ),
  createdAt: about(Instant, 'When the endpoint was created.'),
  updatedAt: about(Instant, 'When the endpoint was last changed.'),
  version: about(Type.Integer({ minimum: 1 }), 'The number of changes of the endpoint, and its ETag.'),
};

export const WebhookEndpoint = closed(endpoint, { $id: 'WebhookEndpoint', description: 'A receiver of events.' });

/** A response for a repeat finds the secret again, as long as it signs. */
export const WebhookEndpointWithSecret = closed(
  {
    ...endpoint,
    secret: optional(
      about(
        Type.String(matching('^whsec_[A-Za-z0-9+/]{43}=$', 'a secret such as whsec_ and 32 bytes in base64')),
        'The newest secret. Store it at once. Absent with `dryRun`, and in a repeat after the secret has expired.',
      ),
    ),
  },
  { $id: 'WebhookEndpointWithSecret', description: 'A receiver of events with its newest secret.' },
);

export const WebhookEndpointList = closed(
  {
    items: about(list(WebhookEndpoint), 'All endpoints, in the order of their ids.'),
    nextCursor: about(Type.Null(), 'Always null, because the list has one page.'),
  },
  { $id: 'WebhookEndpointList', description: 'All webhook endpoints.' },
);

export const SecretRotation = closed(
  {
    overlapHours: optional(
      about(
        Type.Integer({ minimum: 0, maximum: 72, default: 24 }),
        'Hours in which the previous secret also signs. With 0 it stops at once.',
      ),
    ),
  },
  { $id: 'SecretRotation', description: 'The overlap of the old secret and the new one.' },
);

const WebhookAttempt = closed(
  {
    at: about(Instant, 'When the attempt began.'),
    ms: about(Type.Integer({ minimum: 0 }), 'The duration of the attempt in milliseconds.'),
    status: optional(
      about(
        Type.Integer({ minimum: 100, maximum: 599 }),
        'The HTTP status of the response. Absent when no usable response arrived.',
      ),
    ),
    error: optional(
      about(
        Type.String(),
        'The code of the error when no usable response arrived, such as `timeout`, `reset` or `address_forbidden`.',
      ),
    ),
    response: optional(about(Type.String(), 'The first part of the response body, as text. Absent when it is empty.')),
    redelivery: optional(about(Type.Boolean(), 'True when a client requested this attempt.')),
  },
  { $id: 'WebhookAttempt', description: 'One request to an endpoint, and its result.' },
);

export const WebhookTest = closed(
  {
    delivered: about(Type.Boolean(), 'Whether the receiver answered with 2xx within 15 seconds.'),
    attempt: about(WebhookAttempt, 'The request and its result.'),
  },
  { $id: 'WebhookTest', description: 'The result of a test event.' },
);

const DeliveryState = oneOf('delivered', 'retrying', 'failed');

const sent = {
  eventId: about(EventId, 'The id of the event.'),
  type: about(Type.String(), 'The type of the event, without its prefix.'),
  subject: about(Type.String(), 'The id of the resource that the event is about, such as a return.'),
  sequence: about(Type.Integer({ minimum: 0 }), 'The number of the event among the events of its subject.'),
  status: about(
    DeliveryState,
    `The state of the delivery.

- \`delivered\`: The receiver answered with 2xx.
- \`retrying\`: The service retries the delivery.
- \`failed\`: All attempts failed for 24 hours. The service stops the retries.`,
  ),
  updatedAt: about(Instant, 'When the delivery last changed.'),
};

export const WebhookDeliverySummary = closed(
  { ...sent, lastAttempt: optional(about(WebhookAttempt, 'The last attempt. Absent before the first one.')) },
  { $id: 'WebhookDeliverySummary', description: 'The delivery of one event to one endpoint.' },
);

const nextCursor = about(orNull(Type.String()), 'The cursor of the next page. Null on the last page.');

export const WebhookDeliveryList = closed(
  {
    items: about(list(WebhookDeliverySummary), 'The deliveries of the page. A page may be short or empty.'),
    nextCursor,
  },
  { $id: 'WebhookDeliveryList', description: 'A page of deliveries. The newest event is first.' },
);

/** The request has no signature, because a signature is valid only for the second of its attempt. */
export const WebhookDelivery = closed(
  {
    ...sent,
    attempts: about(list(WebhookAttempt), 'The last attempts, oldest first.'),
    request: optional(
      about(
        closed({
          url: about(Url, 'The present URL of the endpoint.'),
          headers: about(Type.Record(Type.String(), Type.String()), 'The headers without the signature.'),
          body: about(Type.String(), 'The exact body, as text.'),
        }),
        'The request that the service sends, without its signature. Absent when the event is no longer stored.',
      ),
    ),
  },
  { $id: 'WebhookDelivery', description: 'The delivery of one event to one endpoint, with its attempts.' },
);

/** The filters of deliveries. All filters must match. */
export const WebhookDeliveryQuery = closed({
  status: optional(DeliveryState),
  type: optional(oneOf(...eventTypes)),
  from: optional(Instant),
  ...PageQuery.properties,
});

export const Redelivery = closed(
  {
    from: about(Instant, 'Select events that occurred at this time or later.'),
    until: about(Instant, 'Select events that occurred before this time.'),
    status: optional(
      about(oneOf('failed', 'any'), 'The status of the deliveries to send again. Absent means `failed`.'),
    ),
    limit: optional(
      about(
        Type.Integer({ minimum: 1, maximum: 100, default: 100 }),
        'The maximum number of deliveries that the request examines.',
      ),
    ),
    cursor: optional(about(text(2000), 'The `nextCursor` of the previous response, with the same filters.')),
  },
  { $id: 'Redelivery', description: 'The events to send again.' },
);

const Total = Type.Integer({ minimum: 0 });

export const Redelivered = closed(
  {
    redelivered: about(Total, 'The number of events to send again. With `dryRun`, the number that would be sent.'),
    looked: about(Total, 'The number of examined deliveries.'),
    nextCursor,
  },
  { $id: 'Redelivered', description: 'The result of one page of redeliveries.' },
);
