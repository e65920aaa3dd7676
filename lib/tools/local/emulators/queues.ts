import { findPackageJSON } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CreateQueueCommand, SendMessageCommand, SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';
import type { Deployed } from '../../template/cloudformation/deployment.ts';
import { region } from '../../template/cloudformation/template.ts';
import { bindAddress, host } from '../ports.ts';
import { clientSettings } from './function-spec.ts';
import { endWaitsPath } from './queue-poller.ts';
import { isFromPage, rejectPage } from './web-page.ts';
import { assertKnownProperties } from '../known-properties.ts';

/** The SQS of the stack, with S3 at the same address. */
export type Queues = { readonly url: string; readonly close: () => Promise<void> };

type Stores = NonNullable<NonNullable<Parameters<typeof buildApp>[0]>['stores']>;

/*
 * fauxqs' own start listens on every interface of the machine. This module combines its parts with their persistence,
 * and listens where all servers of the stack do. The parts are not exported, so the version is pinned.
 */
const part = async (path: string): Promise<Record<string, new (...args: unknown[]) => unknown>> => {
  const manifest = findPackageJSON('fauxqs', import.meta.url);
  if (manifest === undefined) throw new Error('fauxqs is not installed');
  return import(pathToFileURL(join(manifest, '..', 'dist', path)).href) as Promise<
    Record<string, new (...args: unknown[]) => unknown>
  >;
};

const make = async <Part>(path: string, name: string, ...args: unknown[]): Promise<Part> => {
  const Part = (await part(path))[name];
  if (Part === undefined) throw new Error(`fauxqs has no ${name} in ${path}`);
  return new Part(...args) as Part;
};

type Persistence = NonNullable<Stores['sqsStore']['persistence']>;
type FilePersistence = NonNullable<Stores['s3Store']['persistence']> & {
  readonly loadS3: (store: Stores['s3Store']) => void;
};

/** The part of a queue that gives delayed and hidden messages to waiting receives. */
type Queue = {
  readonly pollWaiters: readonly unknown[];
  readonly delayedMessages: readonly unknown[];
  readonly inflightMessages: ReadonlyMap<string, unknown>;
  readonly processTimers: () => void;
  /** Runs while a receive waits. fauxqs ends it. */
  pollTimer: NodeJS.Timeout | undefined;
  startPollTimerIfNeeded: () => void;
};

/** The longest time by which a delayed or hidden message is late. */
const lookMs = 250;

const hasTimed = ({ delayedMessages, inflightMessages }: Queue): boolean =>
  delayedMessages.length + inflightMessages.size > 0;

/** A method of `Queue`: looks at the queue as long as it has delayed or hidden messages. */
function startSlowTimer(this: Queue): void {
  if (this.pollTimer !== undefined || !hasTimed(this)) return;
  this.pollTimer = setInterval(() => {
    this.processTimers();
    if (hasTimed(this)) return;
    clearInterval(this.pollTimer);
    this.pollTimer = undefined;
  }, lookMs);
}

/** Replaces fauxqs' timer of 20 ms, which runs for each queue on which a receive waits, also for an idle one. */
const slowTimers = async (): Promise<void> => {
  const { SqsQueue } = await part('sqs/sqsStore.js');
  if (SqsQueue === undefined) throw new Error('fauxqs has no SqsQueue');
  (SqsQueue.prototype as Queue).startPollTimerIfNeeded = startSlowTimer;
};

/** A request may have delayed or hidden a message of a queue on which a receive waits. */
const lookAfterRequest = (store: Stores['sqsStore']): void => {
  for (const queue of store.allQueues() as unknown as Iterable<Queue>)
    if (queue.pollWaiters.length > 0) queue.startPollTimerIfNeeded();
};

const openStores = async (dataDir: string): Promise<{ stores: Stores; persistence: Persistence }> => {
  const stores: Stores = {
    sqsStore: await make('sqs/sqsStore.js', 'SqsStore'),
    snsStore: await make('sns/snsStore.js', 'SnsStore'),
    s3Store: await make('s3/s3Store.js', 'S3Store'),
  };
  const persistence = await make<Persistence>('persistence.js', 'PersistenceManager', join(dataDir, 'sqs'));
  // Messages outlive the process, without a wait for the disk at each of them.
  const { db } = persistence as unknown as { readonly db: { readonly exec: (sql: string) => void } };
  db.exec('PRAGMA synchronous = NORMAL');
  // Loaded before the persistence is attached, because writes during the load would cascade.
  persistence.loadSqsAndSns(stores.sqsStore, stores.snsStore);
  stores.sqsStore.persistence = persistence;
  for (const queue of stores.sqsStore.allQueues()) queue.persistence = persistence;
  const files = await make<FilePersistence>('s3/fileS3Persistence.js', 'FileS3Persistence', join(dataDir, 's3'));
  files.loadS3(stores.s3Store);
  stores.s3Store.persistence = files;
  return { stores, persistence };
};

const maxObjectBytes = 32 * 1024 * 1024;

/** Starts SQS and S3 in this process. Messages and files are in the data directory. */
export const startQueues = async (dataDir: string, port: number): Promise<Queues> => {
  const { stores, persistence } = await openStores(dataDir);
  await slowTimers();
  const app = buildApp({ logger: false, defaultRegion: region, stores });
  app.addHook('onRequest', (request, reply, done) => {
    if (!isFromPage(request.raw)) return done();
    reply.hijack();
    rejectPage(reply.raw);
  });
  // Before the response: a sender that hangs up gets none.
  app.addHook('onSend', async () => lookAfterRequest(stores.sqsStore));
  const end = (): void => {
    for (const queue of stores.sqsStore.allQueues()) queue.cancelWaiters();
    persistence.close();
  };
  // The parser of fauxqs for S3 has a limit of 11 MiB.
  app.removeContentTypeParser('*');
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxObjectBytes }, (_, body, done) => done(null, body));
  app.post(endWaitsPath, async (_, reply) => {
    for (const queue of stores.sqsStore.allQueues()) queue.cancelWaiters();
    return reply.code(204).send();
  });
  try {
    await app.listen({ port, host: bindAddress() });
    return {
      url: `http://${host}:${(app.server.address() as AddressInfo).port}`,
      close: async () => {
        await app.close();
        end();
      },
    };
  } catch (error) {
    end();
    throw error;
  }
};

const attributes: ReadonlySet<string> = new Set([
  'VisibilityTimeout',
  'MessageRetentionPeriod',
  'DelaySeconds',
  'MaximumMessageSize',
  'ReceiveMessageWaitTimeSeconds',
  'RedrivePolicy',
]);
const ignored: ReadonlySet<string> = new Set([
  'SqsManagedSseEnabled',
  'KmsMasterKeyId',
  'KmsDataKeyReusePeriodSeconds',
  'Tags',
  'RedriveAllowPolicy',
]);

const attributesOf = ({ logicalId, properties }: Deployed): Record<string, string> => {
  assertKnownProperties(properties, new Set([...attributes, ...ignored]), `/Resources/${logicalId}/Properties`);
  const supported = Object.entries(properties).filter(([name]) => attributes.has(name));
  return Object.fromEntries(
    supported.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
};

/** Creates the queues of the template, or updates the attributes of existing ones. */
export const createQueues = async (url: string, queues: readonly Deployed[]): Promise<void> => {
  const client = new SQSClient({ ...clientSettings, endpoint: url });
  try {
    for (const queue of queues)
      await client.send(new CreateQueueCommand({ QueueName: queue.local.attributes['QueueName'] }));
    for (const queue of queues) {
      await client.send(new SetQueueAttributesCommand({ QueueUrl: queue.local.ref, Attributes: attributesOf(queue) }));
    }
  } finally {
    client.destroy();
  }
};

/** Returns a function that sends a message to one of these queues, by its ARN. */
export const queueSender =
  (url: string, queues: readonly Deployed[]) =>
  async (queueArn: string, body: string): Promise<void> => {
    const queue = queues.find(({ local }) => local.attributes['Arn'] === queueArn);
    const client = new SQSClient({ ...clientSettings, endpoint: url });
    try {
      await client.send(new SendMessageCommand({ QueueUrl: queue?.local.ref, MessageBody: body }));
    } finally {
      client.destroy();
    }
  };
