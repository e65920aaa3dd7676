import { PurgeQueueCommand, ReceiveMessageCommand, SQSClient, type Message } from '@aws-sdk/client-sqs';
import type { Context } from 'aws-lambda';
import { expect } from 'vitest';
import type { runJobs } from '../../lib/jobs/run-job.ts';
import { batch } from '../inbox/support.ts';
import { contextWith, withTimeLeft } from '../support/time.ts';

/** Runs workers with the time that they get. */
type Pace = <Outcome>(work: (context: Context) => Promise<Outcome>) => Promise<Outcome>;

const unhurried: Pace = async (work) => work(contextWith());

/** No more than a worker keeps for itself: it hands on after one page. */
export const hurried: Pace = async (work) => withTimeLeft(8_000, work);

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
  const deliver = async (messages: readonly Message[], pace = unhurried, receives?: number) => {
    const answers = await pace(async (context) =>
      Promise.all(messages.map(async (message) => run(batch([message], receives), context))),
    );
    return answers.flatMap(({ batchItemFailures }) => batchItemFailures);
  };
  return {
    take,
    deliver,
    purge: async () => void (await sqs.send(new PurgeQueueCommand({ QueueUrl: queueUrl }))),
    /** Works until nothing is left in the queue; says how often it had to look there. */
    workOff: async (pace = unhurried): Promise<number> => {
      let rounds = 0;
      for (let messages = await take(); messages.length > 0; messages = await take()) {
        expect(await deliver(messages, pace)).toEqual([]);
        rounds += 1;
      }
      return rounds;
    },
  };
};
