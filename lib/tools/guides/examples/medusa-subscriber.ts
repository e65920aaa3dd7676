import { createHash, createHmac, randomUUID } from 'node:crypto';

/*
 * For a shop of Medusa 2. Put this file into its `src/subscribers/`. Set RETURNS_WEBHOOK_URL to `https://<hooks
 * address>/webhooks/medusa/<source>` and RETURNS_WEBHOOK_SECRET to one of the `webhookSecrets` of that source. It
 * forwards Medusa's events about returns and refunds, signed by Standard Webhooks. Let the event bus retry (`attempts`
 * of the Redis event bus). The next reconciliation finds the events that it gives up.
 * https://docs.medusajs.com/learn/fundamentals/events-and-subscribers
 */

/** The arguments that Medusa passes to a subscriber. */
type Arguments = {
  readonly event: {
    readonly name: string;
    readonly data: unknown;
    readonly metadata?: { readonly eventGroupId?: string };
  };
};

const setting = (name: string): string => {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`environment variable ${name} is required`);
  return value;
};

/** Returns an id that is the same for every attempt at one event, if Medusa distinguishes them. */
const idOf = ({ name, data, metadata }: Arguments['event']): string =>
  metadata?.eventGroupId === undefined
    ? `msg_${randomUUID()}`
    : `msg_${createHash('sha256')
        .update(JSON.stringify([name, data, metadata.eventGroupId]))
        .digest('hex')}`;

/** Forwards an event. Throws if the receiver did not accept it, so that the event bus retries. */
export default async function sendOn({ event }: Arguments): Promise<void> {
  const body = JSON.stringify({ type: event.name, timestamp: new Date().toISOString(), data: event.data });
  const id = idOf(event);
  const seconds = Math.floor(Date.now() / 1000);
  const key = Buffer.from(setting('RETURNS_WEBHOOK_SECRET').replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  const answer = await fetch(setting('RETURNS_WEBHOOK_URL'), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': `v1,${signature}`,
    },
    body,
    signal: AbortSignal.timeout(10_000),
  });
  if (answer.status !== 200) throw new Error(`the delivery was answered ${answer.status}`);
}

export const config = {
  event: [
    'order.return_requested',
    'order.return_received',
    'order.claim_created',
    'order.exchange_created',
    'order.canceled',
    'payment.refunded',
  ],
  context: { subscriberId: 'returns' },
};
