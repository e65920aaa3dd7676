import type { Origin } from '../events/cloud-event.ts';
import { log } from '../runtime/log.ts';
import { readEndpoint, readEndpointSecrets } from '../store/events/endpoints.ts';
import { readHappenings } from '../store/events/outbox.ts';
import { readSent, updateSent } from '../store/events/sent.ts';
import type { Session } from '../store/engine/session.ts';
import { bodyOf, sentAfter } from './run-place.ts';
import { attemptMs, type SendEvent } from './send.ts';

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
export const redeliver = async (given: Redelivery): Promise<'delivered' | 'failed' | 'unknown'> => {
  const { session, endpointId, eventId, sendEvent, origin, signal, now } = given;
  const [endpoint, sent] = await Promise.all([
    readEndpoint(session, endpointId),
    readSent(session, endpointId, eventId),
  ]);
  if (endpoint === undefined || endpoint.disabled !== undefined || sent === undefined) return 'unknown';
  const { place, sequence, type } = sent;
  const [happening] = await readHappenings(session, place, sequence - 1, sequence);
  if (happening === undefined) return 'unknown';
  const secrets = await readEndpointSecrets(session, endpointId);
  const event = { id: eventId, body: bodyOf(place, happening, origin) };
  const outcome = await sendEvent(endpoint, secrets, event, attemptMs, signal);
  const redelivery = { ...outcome, redelivery: true as const };
  await updateSent(
    session,
    sent,
    (before = sent) =>
      sentAfter(
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
