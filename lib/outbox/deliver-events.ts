import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { Origin } from '../events/cloud-event.ts';
import { systemClock } from '../net/clock.ts';
import { deadline } from '../net/deadline.ts';
import { eventsConfig } from '../runtime/config.ts';
import { configured } from '../runtime/container.ts';
import { errorName, log } from '../runtime/log.ts';
import { openSession, type Session } from '../store/engine/session.ts';
import { readEndpoint, readEndpointSecrets } from '../store/events/endpoints.ts';
import { readDomainEvents } from '../store/events/outbox.ts';
import { readWebhookDelivery, updateWebhookDelivery } from '../store/events/webhook-deliveries.ts';
import { type OutboxMessage, parseMessage, enqueueMessages } from './queue.ts';
import { runSubscription } from './run-subscription.ts';
import { eventBody, addAttempt } from './run-stream.ts';
import { attemptMs, openSender, type SendEvent } from './send.ts';

type Redelivery = {
  readonly session: Session;
  readonly endpointId: string;
  readonly eventId: string;
  readonly sendEvent: SendEvent;
  readonly origin: Origin;
  readonly signal: AbortSignal;
  readonly now: () => number;
};

/**
 * Sends an event once more because somebody asks for it: at once, beside whatever else goes on with its endpoint, and
 * without the order of its return. It is not tried again by itself; where it fails, the event stays what it was.
 *
 * @returns what became of it; `unknown` where the endpoint, or what it was sent, is not there any more
 * @throws where the store failed
 */
const redeliver = async (given: Redelivery): Promise<'delivered' | 'failed' | 'unknown'> => {
  const { session, endpointId, eventId, sendEvent, origin, signal, now } = given;
  const [endpoint, sent] = await Promise.all([
    readEndpoint(session, endpointId),
    readWebhookDelivery(session, endpointId, eventId),
  ]);
  if (endpoint === undefined || endpoint.disabled !== undefined || sent === undefined) return 'unknown';
  const { place, sequence, type } = sent;
  const [happening] = await readDomainEvents(session, place, sequence - 1, sequence);
  if (happening === undefined) return 'unknown';
  const secrets = await readEndpointSecrets(session, endpointId);
  const event = { id: eventId, body: eventBody(place, happening, origin) };
  const outcome = await sendEvent(endpoint, secrets, event, attemptMs, signal);
  const redelivery = { ...outcome, redelivery: true as const };
  await updateWebhookDelivery(
    session,
    sent,
    (before = sent) =>
      addAttempt(
        before,
        { endpointId, eventId, place, sequence, type },
        redelivery,
        outcome.ok ? 'delivered' : before.status,
      ),
    now(),
  );
  log('info', 'event sent again', { endpointId, eventId, ok: outcome.ok });
  return outcome.ok ? 'delivered' : 'failed';
};

const origin = configured(eventsConfig);

/** Kept back from the function's time for what was begun before, and to write down how it ended. */
const reserveMs = attemptMs + 10_000;
/** Before the end, whatever is under way then is given up. */
const lastMs = 5_000;

const { now } = Date;
const { random } = Math;

const processMessage = async (
  session: Session,
  message: OutboxMessage,
  leftMs: number,
  sendEvent: SendEvent,
): Promise<string> => {
  const { endpointId } = message;
  const stop = performance.now() + leftMs - reserveMs;
  using limit = deadline(systemClock, leftMs - lastMs);
  const given = { session, endpointId, sendEvent, origin: origin(), now, signal: limit.signal };
  if ('eventId' in message) return await redeliver({ ...given, eventId: message.eventId });
  const { group } = message;
  const end = await runSubscription({ ...given, group, random, isOver: () => performance.now() >= stop });
  // Sent before this message is consumed: who dies between leaves two, of which one finds nothing to do.
  if (end === 'unfinished') await enqueueMessages([{ endpointId, group }], session.signal);
  return end;
};

/** Says whether the message is dealt with. One that is not comes again, and at last lies with the dead letters. */
const handleRecord = async ({ body, messageId }: SQSRecord, leftMs: number, sendEvent: SendEvent): Promise<boolean> => {
  const message = parseMessage(body);
  if (message === undefined) {
    log('error', 'no message of the outbox', { messageId });
    return false;
  }
  using session = openSession(now() + leftMs - 1_000);
  try {
    const end = await processMessage(session, message, leftMs, sendEvent);
    log('info', 'webhooks sent', { ...message, end });
    return true;
  } catch (error) {
    log('error', 'webhooks not sent', { ...message, error: errorName(error) });
    return false;
  }
};

/**
 * Sends events to webhook endpoints: those of a feed, or one that somebody wants again.
 *
 * @returns the messages that are not dealt with, for an event source with ReportBatchItemFailures
 */
export const deliverEvents = async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
  const batchItemFailures: { itemIdentifier: string }[] = [];
  // Its own: to end those of an invocation beside it would be an attempt that failed, though it arrived.
  const { sendEvent, end } = openSender();
  try {
    for (const record of event.Records) {
      const handled = await handleRecord(record, context.getRemainingTimeInMillis(), sendEvent);
      if (!handled) batchItemFailures.push({ itemIdentifier: record.messageId });
    }
  } finally {
    // Nothing that is left of a request goes on while the container is frozen.
    await end();
  }
  return { batchItemFailures };
};
