import { type NewMessage, sendAll } from '../../access/queues/send-messages.ts';
import { isEventId } from '../../domain/events/cloud-event.ts';
import type { Disabled, Endpoint } from '../../domain/events/endpoint.ts';
import { outboxConfig } from '../../runtime/configuration/config.ts';
import { configured } from '../../runtime/container.ts';
import { invocationTraceId } from '../../runtime/invocation.ts';
import { parseObject } from '../../runtime/json.ts';
import { newUlid } from '../../runtime/new-ids.ts';
import { endpointStream } from '../../store/engine/keys.ts';
import type { Write } from '../../store/engine/transact.ts';
import { writeEndpoint } from '../../store/events/endpoints.ts';
import { groupCount } from '../../store/events/subscriptions.ts';
import { writeDomainEvent } from '../../store/events/outbox.ts';

/**
 * Disables an endpoint and writes the event of that, on condition that the endpoint has not changed. The version of the
 * endpoint is the sequence of its events.
 */
export const disableEndpoint = (endpoint: Endpoint, reason: Disabled['reason'], now: number): readonly Write[] => {
  const at = new Date(now).toISOString();
  const version = endpoint.version + 1;
  return [
    writeEndpoint({ ...endpoint, disabled: { at, reason }, updatedAt: at, version }),
    writeDomainEvent(endpointStream(endpoint.id), {
      sequence: version,
      type: 'webhook_endpoint.disabled',
      at,
      actor: { clientId: 'webhooks' },
      data: { endpointId: endpoint.id, url: new URL(endpoint.url).origin, reason },
      causationId: newUlid(now),
      correlationId: invocationTraceId(),
    }),
  ];
};

const config = configured(outboxConfig);

/** A message of the queue: process a subscription, after a delay of up to 900 seconds; or redeliver an event. */
export type OutboxMessage =
  | { readonly endpointId: string; readonly group: number; readonly delaySeconds?: number }
  | { readonly endpointId: string; readonly eventId: string };

const toNewMessage = (message: OutboxMessage): NewMessage => {
  const { delaySeconds, ...body } = { delaySeconds: undefined, ...message };
  return {
    body: JSON.stringify(body),
    // Messages of an endpoint with many redeliveries do not delay those of other endpoints.
    group: message.endpointId,
    ...(delaySeconds !== undefined && { delaySeconds }),
  };
};

/**
 * Sends messages to the queue of the outbox.
 *
 * @throws when the queue has not accepted all; the accepted messages stay valid
 */
export const enqueueMessages = async (messages: readonly OutboxMessage[], signal: AbortSignal): Promise<void> =>
  sendAll(config().queueUrl, messages.map(toNewMessage), signal);

const endpointIdPattern = /^[\w-]{1,64}$/;

/** Parses the body of a message; undefined for an unknown message. */
export const parseMessage = (body: string): OutboxMessage | undefined => {
  const { endpointId, group, eventId } = parseObject(body) ?? {};
  if (typeof endpointId !== 'string' || !endpointIdPattern.test(endpointId)) return undefined;
  if (isEventId(eventId)) return { endpointId, eventId };
  const isGroup = typeof group === 'number' && Number.isInteger(group) && group >= 0 && group < groupCount;
  return isGroup ? { endpointId, group } : undefined;
};
