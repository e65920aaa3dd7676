import { PurgeQueueCommand, ReceiveMessageCommand, SQSClient, type Message } from '@aws-sdk/client-sqs';
import type { Context } from 'aws-lambda';
import { expect } from 'vitest';
import type { jobRunner } from '../../../lib/service/jobs/run-job.ts';
import { batch } from '../../shops/inbox/support.ts';
import { contextWith, withTimeLeft } from '../../support/time.ts';

/** Runs a worker with a certain time limit. */
type Pace = <Outcome>(work: (context: Context) => Promise<Outcome>) => Promise<Outcome>;

const unhurried: Pace = async (work) => work(contextWith());

/** Leaves a worker only its own reserve, so that it hands over after one page. */
export const hurried: Pace = async (work) => withTimeLeft(8_000, work);

/** Returns the job queue and its workers, which run on request. */
export const workers = (queueUrl: string, run: ReturnType<typeof jobRunner>) => {
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
  /** Processes all messages at once, and returns their failures. */
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
    /** Processes messages until the queue is empty, and returns the number of receive calls. */
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
