import type { EventPattern } from '../../contract/events/event-types.ts';
import type { Output } from '../../contract/contract.ts';
import type { Attempt, Endpoint, EndpointSecret, WebhookDelivery } from '../../domain/events/endpoint.ts';
import { subjectOf } from '../../domain/events/cloud-event.ts';
import { readEndpointSecrets } from '../../store/events/endpoints.ts';
import type { Session } from '../../store/engine/session.ts';
import type { Reply } from '../../contract/port.ts';

/**
 * Makes the wire form of an endpoint.
 *
 * @param now epoch milliseconds; expired secrets are left out
 */
export const endpointView = (endpoint: Endpoint, now: number): Output<'getWebhookEndpoint'> => {
  const { id, url, description, eventTypes, disabled, secrets = [], createdAt, updatedAt, version } = endpoint;
  return {
    endpointId: id,
    url,
    ...(description === undefined ? {} : { description }),
    // Only valid patterns are stored.
    eventTypes: [...(eventTypes as readonly EventPattern[])],
    enabled: disabled === undefined,
    ...(disabled === undefined ? {} : { disabled }),
    secrets: secrets.filter(({ expiresAt }) => expiresAt === undefined || Date.parse(expiresAt) > now),
    createdAt,
    updatedAt,
    version,
  };
};

type EndpointReply = Reply<Output<'getWebhookEndpoint'>>;
type EndpointReplyWithSecret = Reply<Output<'createWebhookEndpoint'>>;

/** Adds the secret to a reply. The reply stored for repeats lacks it. */
export const withSecret = (reply: EndpointReply, { secret }: EndpointSecret): EndpointReplyWithSecret => ({
  ...reply,
  body: { ...reply.body, secret },
});

/** Adds the secret to a stored reply again, if the secret still signs. */
export const repeatWithSecret = async (session: Session, stored: unknown): Promise<EndpointReplyWithSecret> => {
  const reply = stored as EndpointReply;
  const { endpointId: id, secrets } = reply.body;
  const found = (await readEndpointSecrets(session, id)).find(({ createdAt }) => createdAt === secrets[0]?.createdAt);
  const isLive = found?.expiresAt === undefined || Date.parse(found.expiresAt) > Date.now();
  return found !== undefined && isLive ? withSecret(reply, found) : reply;
};

/** Makes the view of an attempt, without the fields that only its sender needs. */
export const attemptView = ({
  at,
  ms,
  status,
  error,
  response,
  redelivery,
}: Attempt): Output<'testWebhookEndpoint'>['attempt'] => ({
  at,
  ms,
  ...(status === undefined ? {} : { status }),
  ...(error === undefined ? {} : { error }),
  ...(response === undefined ? {} : { response }),
  ...(redelivery === undefined ? {} : { redelivery }),
});

/** Returns the common fields of deliveries in lists and alone. */
export const webhookDeliveryHead = ({
  eventId,
  type,
  place: stream,
  sequence,
  status,
  updatedAt,
}: WebhookDelivery) => ({
  eventId,
  type,
  subject: subjectOf(stream),
  sequence,
  status,
  updatedAt,
});

/** Makes the view of a delivery in lists. */
export const webhookDeliveryView = (sent: WebhookDelivery): Output<'redeliverWebhook'> => {
  const last = sent.attempts.at(-1);
  return { ...webhookDeliveryHead(sent), ...(last === undefined ? {} : { lastAttempt: attemptView(last) }) };
};
