import { PurgeQueueCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { Endpoint } from '../../../lib/domain/events/endpoint.ts';
import { runSubscription, type SubscriptionRun } from '../../../lib/service/outbox/run-subscription.ts';
import { createSender } from '../../../lib/service/outbox/send.ts';
import { networksOf } from '../../../lib/runtime/public-address.ts';
import type { Session } from '../../../lib/store/engine/session.ts';
import { startEngines } from '../../shops/inbox/engines.ts';
import { setEnvironment } from '../../support/environment.ts';
import { group, session } from './seed.ts';

const origin = { source: 'urn:returns:test', typePrefix: 'com.example.returns' };

type Command = Parameters<Session['send']>[0];

/** Returns a store that calls `before` before each call, which may fail the call, and `after` when it has answered. */
export const watchedSession = (
  before: (command: Command) => void,
  after: (command: Command) => void = () => undefined,
): Session => {
  const send = (async (command: Command) => {
    before(command);
    const output = await session.send(command);
    after(command);
    return output;
  }) as unknown as Session['send'];
  return { ...session, send, signal: session.signal, [Symbol.dispose]: () => undefined };
};

/** Returns a store that fails after so many counted calls, as for a killed worker. */
export const dyingSession = (calls: number, counts: (command: Command) => boolean = () => true): Session => {
  let left = calls;
  return watchedSession((command) => {
    if (counts(command)) left -= 1;
    if (left < 0) throw new Error('killed');
  });
};

/** Starts the services that a worker of the outbox needs, and sets the environment to them. */
export const startDeliveryWorld = async () => {
  const engines = await startEngines();
  setEnvironment({ WEBHOOK_NETWORKS: '127.0.0.0/8' });
  const sqs = new SQSClient({});
  const sender = createSender(networksOf('127.0.0.0/8'));
  return {
    closeWorld: async (): Promise<void> => {
      session[Symbol.dispose]();
      await sender.end();
      await engines.stop();
    },
    /** Processes an endpoint's subscription as the function does. */
    work: async ({ id }: Pick<Endpoint, 'id'>, changes: Partial<SubscriptionRun> = {}) =>
      runSubscription({
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
      }),
    /** Returns the bodies of the messages of the queue. */
    takeMessages: async (): Promise<readonly Record<string, unknown>[]> => {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl: engines.outboxUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 0 }),
      );
      return Messages.map(({ Body }) => JSON.parse(Body ?? '') as Record<string, unknown>);
    },
    emptyQueue: async (): Promise<void> =>
      void (await sqs.send(new PurgeQueueCommand({ QueueUrl: engines.outboxUrl }))),
  };
};
