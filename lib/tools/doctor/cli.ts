import { formatReport } from './report.ts';
import { functionEnvironment } from '../local/emulators/function-spec.ts';
import { readJson } from '../local/json-file.ts';
import type { StackInfo } from '../local/stack-info.ts';
import { systemClock } from '../../access/net/clock.ts';
import { newTraceId } from '../../runtime/new-ids.ts';
import { openSecrets } from '../../access/secrets/own-secrets.ts';
import { type Arguments, parseArguments, usage } from './arguments.ts';
import { partsOf as connected } from './connected.ts';
import { examine } from './examine.ts';
import type { Mode } from './mode.ts';
import { partsOf as standalone } from './standalone.ts';

/** The queues of the template by the variables of the doctor. */
const queues = {
  INBOX_QUEUE_URL: 'InboxQueue',
  INBOX_DLQ_URL: 'InboxDeadLetters',
  EVENTS_QUEUE_URL: 'EventsQueue',
  EVENTS_DLQ_URL: 'EventsDeadLetters',
  JOBS_QUEUE_URL: 'JobsQueue',
  JOBS_DLQ_URL: 'JobsDeadLetters',
  OUTBOX_QUEUE_URL: 'OutboxQueue',
  OUTBOX_DLQ_URL: 'OutboxDeadLetters',
  WRITE_BACK_QUEUE_URL: 'WriteBackQueue',
  WRITE_BACK_DLQ_URL: 'WriteBackDeadLetters',
  MAILS_QUEUE_URL: 'MailsQueue',
  MAILS_DLQ_URL: 'MailsDeadLetters',
  STREAM_DLQ_URL: 'StreamDeadLetters',
} as const;

/** The variables of the function doctor in a local stack, and those that select its emulators. */
const stackEnvironment = ({ aws, parameters }: StackInfo, mode: Mode): Record<string, string> => {
  const { ServiceUrl, AuthUrl, ClientSecretId, Platforms, PlatformSecrets } = parameters[mode];
  const found: Readonly<Record<string, string | undefined>> = {
    ...functionEnvironment(aws),
    TABLE_NAME: aws.tables[`${mode}.Table`],
    INBOX_BUCKET: aws.buckets[`${mode}.InboxBucket`],
    ...Object.fromEntries(Object.entries(queues).map(([name, id]) => [name, aws.queues[`${mode}.${id}`]])),
    PLATFORMS: Platforms,
    // The parameter's default: the stack names only what it sets itself.
    PLATFORM_SECRETS: PlatformSecrets ?? 'returns/platforms',
    SERVICE_URL: ServiceUrl,
    AUTH_URL: AuthUrl,
    CLIENT_SECRET_ID: ClientSecretId,
  };
  return Object.fromEntries(Object.entries(found).filter((entry): entry is [string, string] => entry[1] !== undefined));
};

const limitMs = 20_000;

const run = async ({ mode, stack, replaced, json }: Arguments): Promise<number> => {
  if (stack !== undefined) {
    const info = await readJson<StackInfo>(stack);
    if (info === undefined) {
      console.error(`${stack} does not exist. Start a local stack with npm start.`);
      return 2;
    }
    Object.assign(process.env, stackEnvironment(info, mode));
  }
  Object.assign(process.env, replaced);
  const source = openSecrets();
  try {
    const parts = (mode === 'connected' ? connected : standalone)({ source, deployed: stack !== undefined });
    const report = await examine({ parts, limitMs, clock: systemClock, traceId: newTraceId() });
    console.log(json ? JSON.stringify(report, null, 2) : formatReport(report));
    return report.status === 'failed' ? 1 : 0;
  } finally {
    await source.close();
  }
};

const parsedArguments = parseArguments(process.argv.slice(2));
if (!parsedArguments.ok) {
  console.error(`${parsedArguments.failure}\n\n${usage}`);
  process.exitCode = 2;
} else if (parsedArguments.value.help) {
  console.log(usage);
} else {
  process.exitCode = await run(parsedArguments.value);
}
