import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { jobsConfig } from '../../runtime/configuration/config.ts';
import { configured, perContainer } from '../../runtime/container.ts';
import { parseObject } from '../../runtime/json.ts';

const config = configured(jobsConfig);

/** One client for the container. */
const sqs = perContainer(
  () =>
    new SQSClient({
      maxAttempts: 2,
      requestHandler: { requestTimeout: 2_000, throwOnRequestTimeout: true },
    }),
);

/** The content of a message: the job and the partition to process. A repeated message has no effect. */
export type Message = { readonly jobId: string; readonly shard: number };

/** Enqueues workers, at most ten. */
export const enqueueWorkers = async (
  jobId: string,
  partitions: readonly number[],
  signal: AbortSignal,
): Promise<void> => {
  if (partitions.length === 0) return;
  const Entries = partitions.map((shard) => ({
    Id: String(shard),
    MessageBody: JSON.stringify({ jobId, shard } satisfies Message),
  }));
  const { Failed = [] } = await sqs().send(new SendMessageBatchCommand({ QueueUrl: config().queueUrl, Entries }), {
    abortSignal: signal,
  });
  if (Failed.length > 0) throw new Error(`${Failed.length} of ${partitions.length} messages were not enqueued`);
};

/** Parses a message body. Returns undefined if the message is not ours. */
export const parseMessage = (body: string): Message | undefined => {
  const { jobId, shard } = parseObject(body) ?? {};
  const isOurs = typeof jobId === 'string' && /^job_[0-9A-HJKMNP-TV-Z]{26}$/.test(jobId) && Number.isInteger(shard);
  return isOurs ? { jobId, shard: Number(shard) } : undefined;
};
