import Type from 'typebox';
import { eventPatterns, eventTypes, type EventPattern } from '../events/event-types.ts';
import { closed, id, Instant, matching, oneOf, orNull, PageQuery, text, Url } from '../scalars.ts';

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

/** Where to send events to, and which: all of them where `eventTypes` is left out. */
export const NewWebhookEndpoint = closed(
  { url: Url, eventTypes: optional(EventPatterns), description: optional(Description) },
  { $id: 'NewWebhookEndpoint' },
);

/** What is to be otherwise (RFC 7396). `enabled` says whether anything is sent. */
export const WebhookEndpointPatch = closed(
  {
    url: optional(Url),
    eventTypes: optional(EventPatterns),
    description: optional(orNull(Description)),
    enabled: optional(Type.Boolean()),
  },
  { $id: 'WebhookEndpointPatch', minProperties: 1 },
);

const endpoint = {
  endpointId: EndpointId,
  url: Url,
  description: optional(Description),
  eventTypes: EventPatterns,
  enabled: Type.Boolean(),
  disabled: optional(closed({ at: Instant, reason: oneOf('gone', 'failing', 'requested') })),
  secrets: list(closed({ createdAt: Instant, expiresAt: optional(Instant) })),
  createdAt: Instant,
  updatedAt: Instant,
  version: Type.Integer({ minimum: 1 }),
};

/**
 * Where events are sent to. `disabled` says since when nothing is, and why: the receiver said that it is gone (410), it
 * failed for 72 hours, or somebody wanted so. `secrets` tells of the keys that sign, the newest first, and never tells one.
 */
export const WebhookEndpoint = closed(endpoint, { $id: 'WebhookEndpoint' });

/**
 * An endpoint with its newest secret, which is told once. Left out in a trial, which makes none, and in a repeat that comes
 * when the secret is not in use any more.
 */
export const WebhookEndpointWithSecret = closed(
  {
    ...endpoint,
    secret: optional(
      Type.String(matching('^whsec_[A-Za-z0-9+/]{43}=$', 'a secret such as whsec_ and 32 bytes in base64')),
    ),
  },
  { $id: 'WebhookEndpointWithSecret' },
);

/** All of them, by their ids. */
export const WebhookEndpointList = closed(
  { items: list(WebhookEndpoint), nextCursor: Type.Null() },
  { $id: 'WebhookEndpointList' },
);

/** For how long the secret before signs too. */
export const SecretRotation = closed(
  { overlapHours: optional(Type.Integer({ minimum: 0, maximum: 72, default: 24 })) },
  { $id: 'SecretRotation' },
);

/**
 * A request and what came of it: the `status` of the answer and what that began with, or why there was no usable one.
 * `redelivery`: somebody asked for it.
 */
const WebhookAttempt = closed(
  {
    at: Instant,
    ms: Type.Integer({ minimum: 0 }),
    status: optional(Type.Integer({ minimum: 100, maximum: 599 })),
    error: optional(Type.String()),
    response: optional(Type.String()),
    redelivery: optional(Type.Boolean()),
  },
  { $id: 'WebhookAttempt' },
);

export const WebhookTest = closed({ delivered: Type.Boolean(), attempt: WebhookAttempt }, { $id: 'WebhookTest' });

const DeliveryState = oneOf('delivered', 'retrying', 'failed');

const sent = {
  eventId: EventId,
  type: Type.String(),
  subject: Type.String(),
  sequence: Type.Integer({ minimum: 0 }),
  status: DeliveryState,
  updatedAt: Instant,
};

/** An event for an endpoint and what became of it: it was `delivered`, is tried again, or `failed` for 24 hours. */
export const WebhookDeliverySummary = closed(
  { ...sent, lastAttempt: optional(WebhookAttempt) },
  { $id: 'WebhookDeliverySummary' },
);

/** A page, the newest event first; it may be short, or empty, and still have a next one. */
export const WebhookDeliveryList = closed(
  { items: list(WebhookDeliverySummary), nextCursor: orNull(Type.String()) },
  { $id: 'WebhookDeliveryList' },
);

/**
 * With its last attempts, oldest first, and the request that is sent, without its signature: a signature is of its second.
 * There is no `request` where what happened is not kept any more.
 */
export const WebhookDelivery = closed(
  {
    ...sent,
    attempts: list(WebhookAttempt),
    request: optional(closed({ url: Url, headers: Type.Record(Type.String(), Type.String()), body: Type.String() })),
  },
  { $id: 'WebhookDelivery' },
);

/** Filters narrow together. */
export const WebhookDeliveryQuery = closed({
  status: optional(DeliveryState),
  type: optional(oneOf(...eventTypes)),
  from: optional(Instant),
  ...PageQuery.properties,
});

/** Which events to send once more: those that happened from a time on and before another, failed ones unless `any`. */
export const Redelivery = closed(
  {
    from: Instant,
    until: Instant,
    status: optional(oneOf('failed', 'any')),
    limit: optional(Type.Integer({ minimum: 1, maximum: 100, default: 100 })),
    cursor: optional(text(2000)),
  },
  { $id: 'Redelivery' },
);

const Total = Type.Integer({ minimum: 0 });

/** How many deliveries were looked at, the newest first, and how many of them are sent once more. */
export const Redelivered = closed(
  { redelivered: Total, looked: Total, nextCursor: orNull(Type.String()) },
  { $id: 'Redelivered' },
);
