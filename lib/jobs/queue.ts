import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { jobsConfig } from '../runtime/config.ts';
import { configured, perContainer } from '../runtime/container.ts';
import { parseObject } from '../runtime/json.ts';

const config = configured(jobsConfig);

/** One client for the container. */
const sqs = perContainer(
  () =>
    new SQSClient({
      maxAttempts: 2,
      requestHandler: { requestTimeout: 2_000, throwOnRequestTimeout: true },
    }),
);

/** What travels: which part of which job is to be worked on. One that comes twice does nothing twice. */
export type Message = { readonly jobId: string; readonly shard: number };

/** Sends for workers, at most ten of them. */
export const enqueueWorkers = async (jobId: string, shards: readonly number[], signal: AbortSignal): Promise<void> => {
  if (shards.length === 0) return;
  const Entries = shards.map((shard) => ({
    Id: String(shard),
    MessageBody: JSON.stringify({ jobId, shard } satisfies Message),
  }));
  const { Failed = [] } = await sqs().send(new SendMessageBatchCommand({ QueueUrl: config().queueUrl, Entries }), {
    abortSignal: signal,
  });
  if (Failed.length > 0) throw new Error(`${Failed.length} of ${shards.length} messages were not enqueued`);
};

/** What a message's body says, or nothing when the message is none of ours. */
export const parseMessage = (body: string): Message | undefined => {
  const { jobId, shard } = parseObject(body) ?? {};
  const isOurs = typeof jobId === 'string' && /^job_[0-9A-HJKMNP-TV-Z]{26}$/.test(jobId) && Number.isInteger(shard);
  return isOurs ? { jobId, shard: Number(shard) } : undefined;
};
