import { eventsConfig } from '../../runtime/config.ts';
import { configured } from '../../runtime/container.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { cloudEvent } from '../../events/cloud-event.ts';
import type { Endpoint, Sent } from '../../events/endpoint.ts';
import type { Happening } from '../../events/happening.ts';
import { readEndpoint } from '../../store/events/endpoints.ts';
import { fetchHappenings } from '../../store/events/outbox.ts';
import { readSent } from '../../store/events/sent.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { endpointNotFound, webhookDeliveryNotFound } from './endpoint-failures.ts';
import { attemptView, sentHead } from '../../views/endpoint-view.ts';
import { withStore } from '../../execution/execute.ts';

const origin = configured(eventsConfig);

/** What is sent, made again from what happened: the same bytes. The time is that of the last attempt. */
const requestView = ({ url }: Endpoint, { eventId, place, attempts }: Sent, happening: Happening) => {
  const last = attempts.at(-1);
  return {
    url,
    headers: {
      'content-type': 'application/json',
      'webhook-id': eventId,
      ...(last === undefined ? {} : { 'webhook-timestamp': String(Math.floor(Date.parse(last.at) / 1000)) }),
    },
    body: JSON.stringify(cloudEvent(place, happening, origin())),
  };
};

/** Reads what became of an event for an endpoint. */
export const getWebhookDelivery = async (
  { endpointId, eventId }: Input<'getWebhookDelivery'>,
  call: Call,
): Promise<Result<Reply<Output<'getWebhookDelivery'>>>> =>
  withStore(call, async (session) => {
    const [endpoint, sent] = await Promise.all([
      readEndpoint(session, endpointId),
      readSent(session, endpointId, eventId),
    ]);
    if (endpoint === undefined) return fail(endpointNotFound);
    if (sent === undefined) return fail(webhookDeliveryNotFound);
    const [happening] = await fetchHappenings(session, [sent]);
    return ok({
      status: 200,
      body: {
        ...sentHead(sent),
        attempts: sent.attempts.map(attemptView),
        ...(happening === undefined ? {} : { request: requestView(endpoint, sent, happening) }),
      },
    });
  });
