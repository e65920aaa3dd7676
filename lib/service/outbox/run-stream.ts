import { cloudEvent, eventId, type Origin } from '../../domain/events/cloud-event.ts';
import {
  type Attempt,
  type Endpoint,
  type EndpointSecret,
  type WebhookDelivery,
  subscribesTo,
} from '../../domain/events/endpoint.ts';
import type { DomainEvent } from '../../domain/events/domain-events.ts';
import { maxRetryMs } from '../../domain/events/retry.ts';
import type { Session } from '../../store/engine/session.ts';
import type { BlockedStream } from '../../store/events/blocked-streams.ts';
import { readDomainEvents } from '../../store/events/outbox.ts';
import { readWebhookDelivery } from '../../store/events/webhook-deliveries.ts';
import { attemptMs, type SendEvent, type SendOutcome } from './send.ts';

/** The endpoint and its secrets, as last read. */
export type DeliveryTarget = { readonly endpoint: Endpoint; readonly secrets: readonly EndpointSecret[] };

/** The input of a run. */
export type StreamRunOptions = {
  readonly session: Session;
  /** Called before each event, because a run takes long and the endpoint may change; undefined ends the run. */
  readonly target: () => DeliveryTarget | undefined;
  readonly sendEvent: SendEvent;
  readonly origin: Origin;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Aborts running attempts. */
  readonly signal: AbortSignal;
};

/** The progress of a stream. */
export type StreamRun = {
  /** The deliveries of its events, in order. */
  readonly sent: readonly WebhookDelivery[];
  /** The sequence of the next event, and the attempts of that event. */
  readonly from: number;
  readonly attempts: number;
  readonly since?: number | undefined;
  /** Whether an event was delivered before the failure that ended the run. */
  readonly delivered: boolean;
  /** `first`: the event had not failed before. `given up`: the event will not be retried. */
  readonly failure?: 'first' | 'again' | 'given up';
  readonly retryAfterMs?: number | undefined;
  /** The receiver responded that it is gone (410). */
  readonly gone?: boolean;
};

/** The maximum of stored attempts of an event. */
const maxAttempts = 20;

const attemptOf = ({ at, ms, status, error, response, redelivery }: SendOutcome): Attempt => ({
  at,
  ms,
  ...(status !== undefined && { status }),
  ...(error !== undefined && { error }),
  ...(response !== undefined && { response }),
  ...(redelivery === true && { redelivery }),
});

/** Returns a delivery with another attempt. */
export const addAttempt = (
  before: WebhookDelivery | undefined,
  event: Pick<WebhookDelivery, 'endpointId' | 'eventId' | 'place' | 'sequence' | 'type'>,
  outcome: SendOutcome,
  status: WebhookDelivery['status'],
): WebhookDelivery => ({
  ...event,
  status,
  attempts: [...(before?.attempts ?? []), attemptOf(outcome)].slice(-maxAttempts),
  updatedAt: new Date(Date.parse(outcome.at) + outcome.ms).toISOString(),
});

/** Returns the body of an event: the same bytes for each attempt. */
export const eventBody = (stream: string, domainEvent: DomainEvent, origin: Origin): string =>
  JSON.stringify(cloudEvent(stream, domainEvent, origin));

/**
 * Sends the waiting events of a stream in order, up to the first failure.
 *
 * @param limit the maximum of events
 */
export const runStream = async (
  sending: StreamRunOptions,
  blockedStream: BlockedStream,
  limit: number,
): Promise<StreamRun> => {
  const { session, origin, now, signal } = sending;
  const { stream, from, upTo } = blockedStream;
  const sent: WebhookDelivery[] = [];
  let { attempts, since } = blockedStream;
  const run = (next: number) => ({ sent, from: next, attempts, since, delivered: sent.length > 0 });
  const first = sending.target();
  if (first === undefined) return run(from);
  const domainEvents = await readDomainEvents(session, stream, from - 1, upTo);
  const wanted = domainEvents.filter(({ type }) => subscribesTo(first.endpoint, type));
  for (const domainEvent of wanted.slice(0, limit)) {
    const { sequence, type } = domainEvent;
    const target = sending.target();
    if (signal.aborted || target === undefined) return run(sequence);
    const { endpoint, secrets } = target;
    const id = eventId(stream, domainEvent);
    const before = attempts > 0 ? await readWebhookDelivery(session, endpoint.id, id) : undefined;
    const event = { id, body: eventBody(stream, domainEvent, origin) };
    const outcome = await sending.sendEvent(endpoint, secrets, event, attemptMs, signal);
    // The worker aborted the attempt, so the failure is not the receiver's.
    if (outcome.error === 'aborted') return run(sequence);
    const deliveryAs = (status: WebhookDelivery['status']) =>
      addAttempt(before, { endpointId: endpoint.id, eventId: id, place: stream, sequence, type }, outcome, status);
    if (outcome.ok) {
      sent.push(deliveryAs('delivered'));
      [attempts, since] = [0, undefined];
      continue;
    }
    const delivered = sent.length > 0;
    const failed = { delivered, retryAfterMs: outcome.retryAfterMs, gone: outcome.gone === true };
    const at = Date.parse(outcome.at);
    // A wrong clock may have written a future time.
    const tried = Math.min(since ?? at, at);
    if (now() - tried >= maxRetryMs)
      return {
        ...failed,
        sent: [...sent, deliveryAs('failed')],
        from: sequence + 1,
        attempts: 0,
        failure: 'given up',
      };
    return {
      ...failed,
      sent: [...sent, deliveryAs('retrying')],
      from: sequence,
      attempts: attempts + 1,
      since: tried,
      failure: attempts === 0 ? 'first' : 'again',
    };
  }
  return run(wanted[limit]?.sequence ?? upTo + 1);
};
