import { sendAll } from '../../access/queues/send-messages.ts';
import { jobsConfig } from '../../runtime/configuration/config.ts';
import { configured } from '../../runtime/container.ts';
import { parseObject } from '../../runtime/json.ts';

const config = configured(jobsConfig);

/** The content of a message: the job and the partition to process. A repeated message has no effect. */
export type Message = { readonly jobId: string; readonly shard: number };

/**
 * Enqueues workers.
 *
 * @throws {Error} when the queue has not accepted all
 */
export const enqueueWorkers = async (
  jobId: string,
  partitions: readonly number[],
  signal: AbortSignal,
): Promise<void> => {
  const messages = partitions.map((shard) => ({ body: JSON.stringify({ jobId, shard } satisfies Message) }));
  await sendAll(config().queueUrl, messages, signal);
};

/** Parses a message body. Returns undefined if the message is not ours. */
export const parseMessage = (body: string): Message | undefined => {
  const { jobId, shard } = parseObject(body) ?? {};
  const isOurs = typeof jobId === 'string' && /^job_[0-9A-HJKMNP-TV-Z]{26}$/.test(jobId) && Number.isInteger(shard);
  return isOurs ? { jobId, shard: Number(shard) } : undefined;
};
