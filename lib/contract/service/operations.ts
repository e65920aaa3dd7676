import Type from 'typebox';
import { adminCommand, reading } from '../entry.ts';
import { Redrive } from '../inbox/inbox.ts';
import { about, closed, matching, oneOf } from '../scalars.ts';

const Health = closed(
  { status: about(oneOf('ok'), 'Always `ok`. A service that cannot serve returns responds with a problem.') },
  { $id: 'Health', description: 'The service can reach the dependencies that it needs to serve returns.' },
);

const info = about(Type.Object({}), 'The title, the version and the introduction of the document.');

const AsyncApiDocument = Type.Object(
  {
    asyncapi: about(
      Type.String(matching('^3\\.0\\.', 'a version such as 3.0.0')),
      'The version of the AsyncAPI Specification.',
    ),
    info,
    channels: about(Type.Object({}), 'The channels of the events, with their messages.'),
  },
  { $id: 'AsyncApiDocument', description: 'The events of the service as AsyncAPI 3.0.' },
);

const OpenApiDocument = Type.Object(
  {
    openapi: about(
      Type.String(matching('^3\\.1\\.', 'a version such as 3.1.0')),
      'The version of the OpenAPI Specification.',
    ),
    info,
    paths: about(Type.Object({}), 'The operations, by path and method.'),
  },
  { $id: 'OpenApiDocument', description: 'The operations of the service as OpenAPI 3.1.' },
);

const queueNames = ['inbox', 'events', 'jobs', 'outbox', 'write-back', 'mails', 'stream'] as const;
const QueueName = about(
  oneOf(...queueNames),
  'The dead-letter queue. The connected mode has `inbox` and `events`, the standalone mode has all.',
);
const Total = Type.Integer({ minimum: 0 });

const DeadLetterQueues = closed(
  {
    queues: about(
      Type.Array(
        closed({
          queue: QueueName,
          messages: about(Total, 'The approximate number of messages in the queue.'),
          effect: about(Type.String(), 'The effect of a redrive, for people.'),
        }),
      ),
      'All dead-letter queues of the deployment.',
    ),
  },
  { $id: 'DeadLetterQueues', description: 'The dead-letter queues of the deployment.' },
);

const RedrivenDeadLetters = closed(
  {
    queue: QueueName,
    moved: about(Total, 'The number of messages whose work is enqueued again.'),
    dropped: about(
      Type.Array(
        closed({
          messageId: about(Type.String(), 'The id of the message in the queue.'),
          deliveryKey: Type.Optional(about(Type.String(), 'The key of the webhook delivery, for the queue `inbox`.')),
          reason: about(
            oneOf(
              'message_invalid',
              'delivery_missing',
              'delivery_settled',
              'delivery_reopened',
              'job_missing',
              'job_ended',
              'not_redrivable',
            ),
            `The reason why the message is useless.

- \`message_invalid\`: The message is not from this service.
- \`delivery_missing\`, \`delivery_settled\`, \`delivery_reopened\`: As for \`redrive\`.
- \`job_missing\`: The job is no longer stored.
- \`job_ended\`: The job is done, cancelled, or too large.
- \`not_redrivable\`: The message holds a position of the stream only. \`repairEvents\` and \`recountReturns\` repair the gap.`,
          ),
        }),
      ),
      'The deleted messages.',
    ),
    remaining: about(Total, 'The approximate number of messages that remain in the queue.'),
  },
  { $id: 'RedrivenDeadLetters', description: 'The result of a redrive of a dead-letter queue.' },
);

/* The operations on the service itself. */

export const listDeadLetters = reading({
  path: '/dead-letters',
  scope: 'returns:admin',
  summary: 'List dead-letter queues',
  description:
    'Returns the dead-letter queues of this deployment, and what a redrive of each does. The connected mode answers from its own queues and does not forward the request.\n\nThe number of messages is approximate. The queue does not report the age of its messages: the metric `ApproximateAgeOfOldestMessage` of CloudWatch does.',
  answers: DeadLetterQueues,
  example: {
    output: {
      queues: [
        {
          queue: 'inbox' as const,
          messages: 4,
          effect: 'Failed webhook deliveries are reopened, and the worker processes them again.',
        },
        { queue: 'events' as const, messages: 0, effect: 'receiveEvents ingests the events and messages again.' },
        {
          queue: 'jobs' as const,
          messages: 0,
          effect: 'Failed jobs are reopened, and continue after their last saved page.',
        },
        { queue: 'outbox' as const, messages: 0, effect: 'deliverEvents processes the messages again.' },
        { queue: 'write-back' as const, messages: 0, effect: 'writeBack asks the shops of the orders again.' },
        { queue: 'mails' as const, messages: 0, effect: 'sendMails tries to send the messages again.' },
        {
          queue: 'stream' as const,
          messages: 0,
          effect:
            'The messages hold positions only and are deleted. repairEvents publishes missing events, and recountReturns counts missing returns.',
        },
      ],
    },
  },
});

export const redriveDeadLetters = adminCommand({
  path: '/dead-letters/{queue}/redrives',
  summary: 'Redrive a dead-letter queue',
  description:
    'Use it after the cause of the failures is fixed. `listDeadLetters` tells what a redrive does for each queue.\n\n- One request takes at most `limit` messages. Repeat it with a new `Idempotency-Key` until `remaining` is 0. The queue gives this number only approximately.\n- Useless messages are deleted. `dropped` lists them with the reason.\n- With `dryRun`, no message is moved or deleted.\n- A queue that the deployment does not have fails with `dead_letter_queue_not_found`.\n\nA request that ends with 503 may have moved some messages. Repeat it to continue.',
  params: closed({ queue: QueueName }),
  body: Redrive,
  answers: RedrivenDeadLetters,
  ifMatch: 'ignored',
  errors: ['dead_letter_queue_not_found'],
  example: {
    body: {},
    output: {
      queue: 'inbox' as const,
      moved: 3,
      dropped: [
        {
          messageId: '0d9a1d2e-6a51-4e0c-9d4f-3f6e2f1b7a90',
          deliveryKey: 'c2hvcGlmeSNhY21lLm15c2hvcGlmeS5jb20jcmV0dXJucyUyRnJlcXVlc3QjYjdk',
          reason: 'delivery_settled' as const,
        },
      ],
      remaining: 0,
    },
  },
});

export const health = reading({
  path: '/health',
  scope: null,
  summary: 'Check the health of the service',
  description: 'The operation checks that the service can reach its dependencies. Otherwise the status is 503.',
  answers: Health,
  example: { output: { status: 'ok' } },
});

export const asyncapi = reading({
  path: '/asyncapi.json',
  scope: null,
  summary: 'Read the AsyncAPI document of the events',
  description:
    'The document has the types of the events and the schemas of their data, as AsyncAPI 3.0. The types and `source` are those of the deployment that emits the events. The server is the one that the caller used.',
  answers: AsyncApiDocument,
  example: { output: { asyncapi: '3.0.0', info: {}, channels: {} } },
});

export const openapi = reading({
  path: '/openapi.json',
  scope: null,
  summary: 'Read the OpenAPI document',
  description:
    'The response is this document, as OpenAPI 3.1. The server is the one that the caller used. The token endpoint is the one of the deployment.',
  answers: OpenApiDocument,
  example: { output: { openapi: '3.1.0', info: {}, paths: {} } },
});
