import { PurgeQueueCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { Endpoint } from '../../lib/events/endpoint.ts';
import type { FeedRun } from '../../lib/outbox/run-feed.ts';
import type { Session } from '../../lib/store/engine/session.ts';
import { startEngines } from '../inbox/engines.ts';

process.env['WEBHOOK_NETWORKS'] = '127.0.0.0/8';
const engines = await startEngines();
const { networksOf } = await import('../../lib/runtime/public-address.ts');
const { createSender } = await import('../../lib/outbox/send.ts');
const { runFeed } = await import('../../lib/outbox/run-feed.ts');
const { group, session } = await import('./seed.ts');

const sqs = new SQSClient({});
const sender = createSender(networksOf('127.0.0.0/8'));

export const closeWorld = async (): Promise<void> => {
  session[Symbol.dispose]();
  await sender.end();
  await engines.stop();
};

const origin = { source: 'urn:returns:test', typePrefix: 'com.example.returns' };

/** Works on an endpoint's feed as the function does. */
export const work = async ({ id }: Pick<Endpoint, 'id'>, changes: Partial<FeedRun> = {}) =>
  runFeed({
    session,
    endpointId: id,
    group,
    sendEvent: sender.sendEvent,
    origin,
    isOver: () => false,
    signal: new AbortController().signal,
    now: Date.now,
    random: Math.random,
    ...changes,
  });

type Command = Parameters<Session['send']>[0];

/** A store that somebody is told of before each call, and may keep from it. */
export const watchedSession = (before: (command: Command) => void): Session => {
  const send = (async (command: Command) => {
    before(command);
    return session.send(command);
  }) as unknown as Session['send'];
  return { ...session, send, signal: session.signal, [Symbol.dispose]: () => undefined };
};

/** A store that is gone from one moment on, as for a worker that was killed: after so many calls that count. */
export const dyingSession = (calls: number, counts: (command: Command) => boolean = () => true): Session => {
  let left = calls;
  return watchedSession((command) => {
    if (counts(command)) left -= 1;
    if (left < 0) throw new Error('killed');
  });
};

/** The messages of the queue, as bodies. */
export const takeMessages = async (): Promise<readonly Record<string, unknown>[]> => {
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({ QueueUrl: engines.outboxUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 0 }),
  );
  return Messages.map(({ Body }) => JSON.parse(Body ?? '') as Record<string, unknown>);
};
export const emptyQueue = async (): Promise<void> =>
  void (await sqs.send(new PurgeQueueCommand({ QueueUrl: engines.outboxUrl })));
