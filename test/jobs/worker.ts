import { PurgeQueueCommand, ReceiveMessageCommand, SQSClient, type Message } from '@aws-sdk/client-sqs';
import { expect } from 'vitest';
import type { runJobs } from '../../lib/jobs/run-job.ts';
import { batch, contextWith } from '../inbox/support.ts';

/** Less than a worker keeps for itself: it hands on after one page. */
export const hurried = contextWith(8_000);

/** The queue of jobs, and workers of it that work when they are told to. */
export const workers = (queueUrl: string, run: typeof runJobs) => {
  const sqs = new SQSClient({});
  const take = async (): Promise<Message[]> => {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: queueUrl,
        MaxNumberOfMessages: 10,
        MessageSystemAttributeNames: ['All'],
        WaitTimeSeconds: 0,
      }),
    );
    return Messages;
  };
  /** Has each message worked on, all at once; the failures of them. */
  const deliver = async (messages: readonly Message[], context = contextWith(), receives?: number) =>
    (await Promise.all(messages.map(async (message) => run(batch([message], receives), context)))).flatMap(
      ({ batchItemFailures }) => batchItemFailures,
    );
  return {
    take,
    deliver,
    purge: async () => void (await sqs.send(new PurgeQueueCommand({ QueueUrl: queueUrl }))),
    /** Works until nothing is left in the queue; says how often it had to look there. */
    workOff: async (context = contextWith()): Promise<number> => {
      let rounds = 0;
      for (let messages = await take(); messages.length > 0; messages = await take()) {
        expect(await deliver(messages, context)).toEqual([]);
        rounds += 1;
      }
      return rounds;
    },
  };
};
