import Type from 'typebox';
import {
  about,
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

/** Opaque to clients: they take the key from a list of deliveries. */
const DeliveryKey = text(1500, {
  ...matching('^[A-Za-z0-9_-]+$', 'the key of a delivery such as c2hvcGlmeSNhLmV4YW1wbGUjdG9waWMjMQ'),
  examples: ['c2hvcGlmeSNhLmV4YW1wbGUjdG9waWMjMQ'],
});

export const DeliveryPath = closed({ deliveryKey: DeliveryKey });

const Words = Type.String();

const deliveryKey = about(DeliveryKey, 'The key of the delivery, which identifies it in paths.');

/** The fields that describe the end of a run. */
const ending = {
  settledAt: optional(about(Instant, 'When the delivery was settled. Absent when it is not settled.')),
  returnId: optional(about(id('ret'), 'The return that the delivery led to.')),
  reason: optional(
    about(Words, 'The reason why the delivery is ignored or parked: a code, and the path of the wrong field if any.'),
  ),
  lastError: optional(about(Words, 'The code of the last failed attempt.')),
};

const head = {
  deliveryKey,
  platform: about(Platform, 'The platform that sent the webhook.'),
  source: about(Words, 'The shop, site, store, project or account that sent the webhook.'),
  topic: about(Words, 'The topic of the webhook, as the platform names it.'),
  deliveryId: about(
    Words,
    "The platform's id of the delivery, or a digest of the body when the platform gives none. Repeats have the same id.",
  ),
  eventId: optional(about(Words, "The platform's id of the event behind the delivery.")),
  triggeredAt: optional(about(Words, 'When the platform triggered the webhook, in the notation of the platform.')),
  apiVersion: optional(about(Words, 'The API version of the platform in which the body is written.')),
  receivedAt: about(Instant, 'When the deployment received the delivery.'),
  status: about(
    DeliveryStatus,
    `The state of processing.

- \`received\`: The delivery waits for a worker, or a worker retries it.
- \`done\`: The worker has processed the delivery. See \`returnId\`.
- \`ignored\`: The delivery needs no action.
- \`parked\`: A repetition cannot fix the delivery. See \`reason\`.
- \`failed\`: The worker retried for about three days. See \`lastError\`.`,
  ),
  attempts: about(Type.Integer({ minimum: 0 }), 'The number of attempts so far. A replay continues the count.'),
  lastError: ending.lastError,
  settledAt: ending.settledAt,
  returnId: ending.returnId,
  orderId: optional(about(Words, 'The id of the order at its platform. Set once the worker has found it.')),
  // Shops may number their orders alike: such a shop has a platform name of its own for them.
  orderPlatform: optional(
    about(Platform, 'The platform name under which the order is registered. Absent when it equals `platform`.'),
  ),
  reason: ending.reason,
  traceId: about(Words, 'The trace id of the request that brought the delivery. The log has the same id.'),
};

export const DeliverySummary = closed(head, {
  $id: 'DeliverySummary',
  description: 'A webhook that a shop sent, without its headers and its body.',
});

const nextCursor = about(orNull(Type.String()), 'The cursor of the next page. Null on the last page.');

/** A page of deliveries. It is eventually consistent. */
export const DeliveryList = closed(
  {
    items: about(list(DeliverySummary), 'The deliveries of the page. A page may be short or empty.'),
    nextCursor,
  },
  { $id: 'DeliveryList', description: 'A page of deliveries. The newest delivery is first.' },
);

const InlineBody = closed(
  {
    encoding: about(
      oneOf('utf8', 'base64'),
      'The encoding of `content`. It is `base64` when the bytes are no plain UTF-8 text.',
    ),
    content: about(Type.String(), 'The exact bytes of the body.'),
  },
  { description: 'A body in the response.' },
);

/** A large body has a link, because a response of Lambda has at most 6 MB. */
const LinkedBody = closed(
  {
    url: about(
      SignedUrl,
      'The URL of the body. It needs no token, and responds with `Content-Encoding: gzip`. Handle it like a secret.',
    ),
    expiresAt: about(Instant, 'Until when the URL is valid.'),
  },
  { description: 'A large body behind a URL.' },
);

export const Delivery = closed(
  {
    ...head,
    runs: about(
      list(
        closed({
          status: about(DeliveryStatus, 'The status at the end of the run.'),
          settledAt: ending.settledAt,
          returnId: ending.returnId,
          reason: ending.reason,
          lastError: ending.lastError,
        }),
      ),
      'The ends of the earlier runs, before each replay. The list has the last ten, oldest first.',
    ),
    headers: about(
      Type.Record(Type.String(), Type.String()),
      'The headers of the webhook without credentials. Their names are in lower case.',
    ),
    body: about(Type.Union([InlineBody, LinkedBody]), 'The exact body that the shop sent, or a link to it.'),
  },
  { $id: 'Delivery', description: 'A webhook that a shop sent, with its headers and its body.' },
);

const Total = Type.Integer({ minimum: 0 });

/** The settled deliveries to reprocess. All filters must match. */
export const ReplayRange = closed(
  {
    receivedFrom: about(Instant, 'Select deliveries received at this time or later.'),
    receivedTo: about(Instant, 'Select deliveries received before this time.'),
    status: optional(
      about(
        list(oneOf('done', 'ignored', 'parked', 'failed'), { minItems: 1, maxItems: 4, uniqueItems: true }),
        'Select deliveries in one of these statuses. Absent means `parked` and `failed`.',
      ),
    ),
    platform: optional(
      about(Platform, 'Select deliveries of this platform. With `orderId`, it is the platform of the order.'),
    ),
    source: optional(about(text(253), 'Select deliveries of this shop.')),
    topic: optional(about(text(200), 'Select deliveries with this topic.')),
    orderId: optional(about(PathId, 'Select deliveries about this order. It needs `platform`.')),
    returnId: optional(about(id('ret'), 'Select deliveries that led to this return.')),
    limit: optional(
      about(
        Type.Integer({ minimum: 1, maximum: 100, default: 100 }),
        'The maximum number of deliveries that the request examines.',
      ),
    ),
    cursor: optional(about(text(2000), 'The `nextCursor` of the previous response, with the same filters.')),
  },
  { $id: 'ReplayRange', description: 'The deliveries to reprocess. All filters must match.' },
);

export const ReplayedRange = closed(
  {
    replayed: about(Total, 'The number of reopened deliveries. With `dryRun`, the number that would be reopened.'),
    looked: about(Total, 'The number of examined deliveries.'),
    nextCursor,
  },
  { $id: 'ReplayedRange', description: 'The result of one page of a replay.' },
);

export const Redrive = closed(
  {
    limit: optional(
      about(
        Type.Integer({ minimum: 1, maximum: 100, default: 100 }),
        'The maximum number of messages that the request takes from the dead-letter queue.',
      ),
    ),
  },
  { $id: 'Redrive', description: 'The number of messages to redrive.' },
);

export const Redriven = closed(
  {
    moved: about(Total, 'The number of messages whose deliveries are processed again.'),
    dropped: about(
      list(
        closed({
          messageId: about(Words, 'The id of the message in the queue.'),
          deliveryKey: optional(
            about(DeliveryKey, 'The key of the delivery. Absent when the message is not from this service.'),
          ),
          reason: about(
            oneOf('message_invalid', 'delivery_missing', 'delivery_settled', 'delivery_reopened'),
            `The reason why the message is useless.

- \`message_invalid\`: The message is not from this service.
- \`delivery_missing\`: The delivery is no longer stored.
- \`delivery_settled\`: The delivery has settled since.
- \`delivery_reopened\`: The delivery was reopened since, and has another message.`,
          ),
        }),
      ),
      'The deleted messages.',
    ),
    remaining: about(Total, 'The approximate number of messages that remain in the queue.'),
  },
  { $id: 'Redriven', description: 'The result of a redrive.' },
);

/** The filters of the inbox. All filters must match. `orderId` needs `platform`, the platform of the order. */
export const DeliveryQuery = closed({
  status: optional(DeliveryStatus),
  platform: optional(Platform),
  source: optional(text(253)),
  orderId: optional(PathId),
  returnId: optional(id('ret')),
  receivedFrom: optional(Instant),
  ...PageQuery.properties,
});
