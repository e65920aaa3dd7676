import type { EventPattern } from '../contract/events/event-types.ts';
import type { Output } from '../contract/contract.ts';
import type { Attempt, Endpoint, EndpointSecret, WebhookDelivery } from '../events/endpoint.ts';
import { subjectOf } from '../events/cloud-event.ts';
import { readEndpointSecrets } from '../store/events/endpoints.ts';
import type { Session } from '../store/engine/session.ts';
import type { Reply } from '../contract/port.ts';

/**
 * An endpoint as readers see it.
 *
 * @param now epoch milliseconds: secrets that have expired are not told of
 */
export const endpointView = (endpoint: Endpoint, now: number): Output<'getWebhookEndpoint'> => {
  const { id, url, description, eventTypes, disabled, secrets = [], createdAt, updatedAt, version } = endpoint;
  return {
    endpointId: id,
    url,
    ...(description === undefined ? {} : { description }),
    // None but these were taken.
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

/** A reply with the secret that it is to tell. What is kept for repeats is the reply without it. */
export const withSecret = (reply: EndpointReply, { secret }: EndpointSecret): EndpointReplyWithSecret => ({
  ...reply,
  body: { ...reply.body, secret },
});

/** Tells again the secret of a reply that was kept, if it still signs. */
export const repeatWithSecret = async (session: Session, kept: unknown): Promise<EndpointReplyWithSecret> => {
  const reply = kept as EndpointReply;
  const { endpointId: id, secrets } = reply.body;
  const found = (await readEndpointSecrets(session, id)).find(({ createdAt }) => createdAt === secrets[0]?.createdAt);
  const isLive = found?.expiresAt === undefined || Date.parse(found.expiresAt) > Date.now();
  return found !== undefined && isLive ? withSecret(reply, found) : reply;
};

/** An attempt without what only its sender needs. */
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

/** What lists and single deliveries tell alike. */
export const webhookDeliveryHead = ({ eventId, type, place, sequence, status, updatedAt }: WebhookDelivery) => ({
  eventId,
  type,
  subject: subjectOf(place),
  sequence,
  status,
  updatedAt,
});

/** A delivery as lists tell of it. */
export const webhookDeliveryView = (sent: WebhookDelivery): Output<'redeliverWebhook'> => {
  const last = sent.attempts.at(-1);
  return { ...webhookDeliveryHead(sent), ...(last === undefined ? {} : { lastAttempt: attemptView(last) }) };
};
