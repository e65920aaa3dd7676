import { GetQueueAttributesCommand, type QueueAttributeName, type SQSClient } from '@aws-sdk/client-sqs';
import type { QueueVariable } from '../../../runtime/configuration/deployment-settings.ts';
import { parseObject } from '../../../runtime/json.ts';
import { sum } from '../../../runtime/sum.ts';
import { type Check, failed, type Part, passed, type CheckContext, unset, warning, within } from '../check.ts';
import type { Mode } from '../mode.ts';
import { explainAwsFailure } from './aws-failure.ts';

/** A queue as lib/tools/template/queues.ts deploys it. test/tools/doctor/expected.test.ts compares this table with the template. */
type ExpectedQueue = {
  readonly name: string;
  readonly modes: readonly Mode[];
  /** Absent for a queue that is only a dead-letter queue. */
  readonly source?: {
    readonly variable: QueueVariable;
    /** The function that reads it, and its timeout. A shorter visibility timeout would process messages twice. */
    readonly reader: string;
    readonly timeoutSeconds: number;
  };
  readonly deadLetters: {
    readonly variable: QueueVariable;
    /** How to process its messages again. */
    readonly remedy: string;
  };
};

const both: readonly Mode[] = ['connected', 'standalone'];

export const expectedQueues: readonly ExpectedQueue[] = [
  {
    name: 'inbox',
    modes: both,
    source: { variable: 'INBOX_QUEUE_URL', reader: 'process', timeoutSeconds: 60 },
    deadLetters: {
      variable: 'INBOX_DLQ_URL',
      remedy: 'Read the reasons with GET /v1/inbox/deliveries?status=failed, fix them, then POST /v1/inbox/redrive.',
    },
  },
  {
    name: 'events',
    modes: both,
    source: { variable: 'EVENTS_QUEUE_URL', reader: 'receiveEvents', timeoutSeconds: 10 },
    deadLetters: {
      variable: 'EVENTS_DLQ_URL',
      remedy: 'Read the log of receiveEvents, fix the cause, then POST /v1/dead-letters/events/redrives.',
    },
  },
  {
    name: 'jobs',
    modes: ['standalone'],
    source: { variable: 'JOBS_QUEUE_URL', reader: 'runJob', timeoutSeconds: 30 },
    deadLetters: {
      variable: 'JOBS_DLQ_URL',
      remedy: 'Read the failed job with GET /v1/jobs/{jobId}, fix the cause, then POST /v1/dead-letters/jobs/redrives.',
    },
  },
  {
    name: 'outbox',
    modes: ['standalone'],
    source: { variable: 'OUTBOX_QUEUE_URL', reader: 'deliverEvents', timeoutSeconds: 90 },
    deadLetters: {
      variable: 'OUTBOX_DLQ_URL',
      remedy: 'Read the log of deliverEvents, fix the cause, then POST /v1/dead-letters/outbox/redrives.',
    },
  },
  {
    name: 'write-back',
    modes: ['standalone'],
    source: { variable: 'WRITE_BACK_QUEUE_URL', reader: 'writeBack', timeoutSeconds: 90 },
    deadLetters: {
      variable: 'WRITE_BACK_DLQ_URL',
      remedy: 'Read the log of writeBack, fix the cause, then POST /v1/dead-letters/write-back/redrives.',
    },
  },
  {
    name: 'mails',
    modes: ['standalone'],
    source: { variable: 'MAILS_QUEUE_URL', reader: 'sendMails', timeoutSeconds: 30 },
    deadLetters: {
      variable: 'MAILS_DLQ_URL',
      remedy: 'Read the log of sendMails, fix the cause, then POST /v1/dead-letters/mails/redrives.',
    },
  },
  {
    name: 'stream',
    modes: ['standalone'],
    deadLetters: {
      variable: 'STREAM_DLQ_URL',
      remedy:
        'Read the logs of publishEvents, countReturns and repairEvents, fix the cause, then POST /v1/dead-letters/stream/redrives.',
    },
  },
];

export type QueueExamination = {
  readonly mode: Mode;
  readonly urls: Readonly<Record<QueueVariable, string | undefined>>;
  readonly deployed: boolean;
  readonly client: SQSClient;
};

const attributeNames: QueueAttributeName[] = [
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
  'VisibilityTimeout',
  'RedrivePolicy',
];

type Attributes = Readonly<Record<string, string>>;

const read = async ({ client }: QueueExamination, underway: CheckContext, url: string): Promise<Attributes> => {
  const request = new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: attributeNames });
  const { Attributes = {} } = await within(underway, (signal) => client.send(request, { abortSignal: signal }));
  return Attributes;
};

const messagesIn = (attributes: Attributes): number =>
  sum(attributeNames.slice(0, 3).map((name) => Number(attributes[name] ?? 0)));

const nameOf = (address: string): string => address.split(/[/:]/).at(-1) ?? '';
const counted = (count: number): string => `${count} ${count === 1 ? 'message' : 'messages'}`;

const redriveError = (attributes: Attributes, deadLetterUrl: string | undefined): string | undefined => {
  const { deadLetterTargetArn, maxReceiveCount } = parseObject(attributes['RedrivePolicy'] ?? '') ?? {};
  if (typeof deadLetterTargetArn !== 'string') return 'it has no redrive policy';
  if (deadLetterUrl !== undefined && nameOf(deadLetterTargetArn) !== nameOf(deadLetterUrl))
    return 'its redrive policy names another dead-letter queue';
  return Number(maxReceiveCount) >= 1 ? undefined : 'its redrive policy has no maxReceiveCount';
};

const redeploy =
  'The queue differs from the template. Undo the change by hand, because CloudFormation does not see it.';

const checkQueue = (name: string, attributes: Attributes, { source }: ExpectedQueue, deadLetters?: string): Check => {
  const visible = Number(attributes['VisibilityTimeout'] ?? 0);
  const { reader, timeoutSeconds } = source ?? { reader: '', timeoutSeconds: 0 };
  if (visible < timeoutSeconds) {
    const detail = `its visibility timeout of ${visible} s is shorter than the ${timeoutSeconds} s of ${reader}`;
    return failed(name, detail, redeploy);
  }
  const error = redriveError(attributes, deadLetters);
  if (error !== undefined) return failed(name, error, redeploy);
  return passed(name, `visibility timeout ${visible} s, ${counted(messagesIn(attributes))}`);
};

type QueueCheck = (attributes: Attributes) => Check;

/** The row of one queue; failed when the call fails. */
const row = async (
  examination: QueueExamination,
  underway: CheckContext,
  { name, variable, check }: { readonly name: string; readonly variable: QueueVariable; readonly check: QueueCheck },
): Promise<Check> => {
  const url = examination.urls[variable];
  if (!url) return unset(name, variable, examination.deployed);
  try {
    return check(await read(examination, underway, url));
  } catch (error) {
    const { detail, remedy } = explainAwsFailure(error, { action: 'sqs:GetQueueAttributes', variable });
    return failed(name, `the check could not run: ${detail}`, remedy);
  }
};

const rowsOf = async (
  examination: QueueExamination,
  underway: CheckContext,
  queue: ExpectedQueue,
): Promise<readonly Check[]> => {
  const { source, deadLetters } = queue;
  const name = `queue ${queue.name}`;
  const aside = `dead letters ${queue.name}`;
  return Promise.all([
    ...(source === undefined
      ? []
      : [
          row(examination, underway, {
            name,
            variable: source.variable,
            check: (attributes) => checkQueue(name, attributes, queue, examination.urls[deadLetters.variable]),
          }),
        ]),
    row(examination, underway, {
      name: aside,
      variable: deadLetters.variable,
      check: (attributes) => {
        const count = messagesIn(attributes);
        return count === 0 ? passed(aside, 'none') : warning(aside, counted(count), deadLetters.remedy);
      },
    }),
  ]);
};

/** Checks that each queue exists with its deployed settings and that its dead-letter queue is empty. */
export const queuesPart = (examination: QueueExamination): Part => ({
  name: 'queues',
  run: async (underway) => {
    const queues = expectedQueues.filter(({ modes }) => modes.includes(examination.mode));
    return (await Promise.all(queues.map(async (queue) => rowsOf(examination, underway, queue)))).flat();
  },
});
