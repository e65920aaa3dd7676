import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { clientSettings } from '../../emulators/function-spec.ts';
import type { ShopDelivery } from './served-shop.ts';

/** Where the shops of the stack deliver to. */
export type Target = {
  /** The hooks API of a mode. */
  readonly hooksUrl: string;
  readonly sqs: string;
  /** The queue for events of shops that deliver through AWS. */
  readonly queueUrl: string | undefined;
};

const timeoutMs = 30_000;

/** How a delivery ended: the status of the hooks API, `queued`, or why it did not arrive. */
export type Delivered = number | 'queued' | 'not_started' | 'unreachable';

const enqueue = async (body: string, { sqs, queueUrl }: Target): Promise<Delivered> => {
  if (queueUrl === undefined) return 'not_started';
  const client = new SQSClient({ ...clientSettings, endpoint: sqs });
  try {
    await client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: body }));
    return 'queued';
  } finally {
    client.destroy();
  }
};

/** Delivers once. Reconciliation finds what does not arrive, as it does for a real shop. */
export const deliverTo = async (delivery: ShopDelivery, target: Target | undefined): Promise<Delivered> => {
  if (target === undefined) return 'not_started';
  try {
    if (delivery.by === 'queue') return await enqueue(delivery.body, target);
    const { path, headers, body } = delivery;
    const response = await fetch(`${target.hooksUrl}/webhooks/${path}`, {
      method: 'POST',
      headers,
      body: Uint8Array.from(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    return response.status;
  } catch {
    return 'unreachable';
  }
};
