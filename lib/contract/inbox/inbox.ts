import Type from 'typebox';
import {
  closed,
  id,
  Instant,
  matching,
  oneOf,
  orNull,
  PageQuery,
  PathId,
  Platform,
  SignedUrl,
  text,
} from '../scalars.ts';

const { Optional: optional, Array: list } = Type;

const DeliveryStatus = oneOf('received', 'done', 'ignored', 'parked', 'failed');

/** Opaque: what a list of deliveries calls them. */
const DeliveryKey = text(1500, {
  ...matching('^[A-Za-z0-9_-]+$', 'the key of a delivery such as c2hvcGlmeSNhLmV4YW1wbGUjdG9waWMjMQ'),
  examples: ['c2hvcGlmeSNhLmV4YW1wbGUjdG9waWMjMQ'],
});

export const DeliveryPath = closed({ deliveryKey: DeliveryKey });

const Words = Type.String();

const head = {
  deliveryKey: DeliveryKey,
  platform: Platform,
  source: Words,
  topic: Words,
  deliveryId: Words,
  eventId: optional(Words),
  triggeredAt: optional(Words),
  apiVersion: optional(Words),
  receivedAt: Instant,
  status: DeliveryStatus,
  attempts: Type.Integer({ minimum: 0 }),
  lastError: optional(Words),
  settledAt: optional(Instant),
  returnId: optional(id('ret')),
  orderId: optional(Words),
  /** Where it is another than `platform`: shops that number their orders alike are kept apart by it. */
  orderPlatform: optional(Platform),
  reason: optional(Words),
  traceId: Words,
};

/**
 * What a shop sent. `received` is worked on, or will be; `done` made the return; `ignored` needs nothing; `parked` is what no
 * repetition can mend, by its `reason`; `failed` was tried for three days, last with `lastError`.
 */
export const DeliverySummary = closed(head, { $id: 'DeliverySummary' });

/** A page of deliveries, eventually consistent; it may be short, or empty, and still have a next one. */
export const DeliveryList = closed(
  { items: list(DeliverySummary), nextCursor: orNull(Type.String()) },
  { $id: 'DeliveryList' },
);

/**
 * A delivery with its headers, credentials apart, and its exact bytes: as text where they are that, else in base64. Where they
 * are many, `url` serves them until `expiresAt`, with `Content-Encoding: gzip`; who holds it needs no token. `runs` says how it
 * ended before it was replayed, the last ten times.
 */
export const Delivery = closed(
  {
    ...head,
    runs: list(
      closed({
        status: DeliveryStatus,
        settledAt: optional(Instant),
        returnId: optional(id('ret')),
        reason: optional(Words),
        lastError: optional(Words),
      }),
    ),
    headers: Type.Record(Type.String(), Type.String()),
    body: Type.Union([
      closed({ encoding: oneOf('utf8', 'base64'), content: Type.String() }),
      closed({ url: SignedUrl, expiresAt: Instant }),
    ]),
  },
  { $id: 'Delivery' },
);

const Total = Type.Integer({ minimum: 0 });

/**
 * Which deliveries to work off once more: those that ended in one of `status`, `parked` and `failed` where it is left out,
 * and were received from `receivedFrom` on and before `receivedTo`. The others narrow together; `orderId` needs `platform`, which is the order's then.
 */
export const ReplayRange = closed(
  {
    receivedFrom: Instant,
    receivedTo: Instant,
    status: optional(
      list(oneOf('done', 'ignored', 'parked', 'failed'), { minItems: 1, maxItems: 4, uniqueItems: true }),
    ),
    platform: optional(Platform),
    source: optional(text(253)),
    topic: optional(text(200)),
    orderId: optional(PathId),
    returnId: optional(id('ret')),
    limit: optional(Type.Integer({ minimum: 1, maximum: 100, default: 100 })),
    cursor: optional(text(2000)),
  },
  { $id: 'ReplayRange' },
);

/** How many deliveries were looked at, the last received first, and how many of them are worked off once more. */
export const ReplayedRange = closed(
  { replayed: Total, looked: Total, nextCursor: orNull(Type.String()) },
  { $id: 'ReplayedRange' },
);

export const Redrive = closed(
  { limit: optional(Type.Integer({ minimum: 1, maximum: 100, default: 100 })) },
  { $id: 'Redrive' },
);

/**
 * What became of messages that had been put aside: how many deliveries are worked off once more, and the messages that
 * were of no use: none of ours, of a delivery that is no longer kept, that ended otherwise since, or that was opened again
 * since and has another message. `remaining` is about how many are left.
 */
export const Redriven = closed(
  {
    moved: Total,
    dropped: list(
      closed({
        messageId: Words,
        deliveryKey: optional(DeliveryKey),
        reason: oneOf('message_invalid', 'delivery_missing', 'delivery_settled', 'delivery_reopened'),
      }),
    ),
    remaining: Total,
  },
  { $id: 'Redriven' },
);

/** Filters narrow together. `orderId` needs `platform`, which is the order's then. */
export const DeliveryQuery = closed({
  status: optional(DeliveryStatus),
  platform: optional(Platform),
  source: optional(text(253)),
  orderId: optional(PathId),
  returnId: optional(id('ret')),
  receivedFrom: optional(Instant),
  ...PageQuery.properties,
});
