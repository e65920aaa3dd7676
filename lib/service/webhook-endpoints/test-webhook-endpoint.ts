import { eventsConfig } from '../../runtime/config.ts';
import { configured } from '../../runtime/container.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { cloudEvent } from '../../events/cloud-event.ts';
import { sendEvent } from '../../outbox/send.ts';
import { readEndpoint, readEndpointSecrets } from '../../store/events/endpoints.ts';
import { endpointPlace } from '../../store/engine/keys.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { causeOf } from '../../execution/circumstances.ts';
import { endpointNotFound } from './endpoint-failures.ts';
import { attemptView } from '../../views/endpoint-view.ts';
import { withStore } from '../../execution/execute.ts';

const origin = configured(eventsConfig);

/** As long as any delivery. */
const patienceMs = 15_000;
/** What the answer needs of what is left to the call. */
const marginMs = 1_000;

/** Sends an event that nobody else is told of, and tells what came of it. */
export const testWebhookEndpoint = async (
  { endpointId }: Input<'testWebhookEndpoint'>,
  call: Call,
): Promise<Result<Reply<Output<'testWebhookEndpoint'>>>> =>
  withStore(call, async (session) => {
    const [endpoint, secrets] = await Promise.all([
      readEndpoint(session, endpointId),
      readEndpointSecrets(session, endpointId),
    ]);
    if (endpoint === undefined) return fail(endpointNotFound);
    // It has no place in the order of what happens to the endpoint.
    const at = new Date().toISOString();
    const happening = { ...causeOf(call), at, sequence: 0, type: 'webhook_endpoint.test', data: {} };
    const event = cloudEvent(endpointPlace(endpointId), happening, origin());
    const timeoutMs = Math.min(patienceMs, call.deadline - Date.now() - marginMs);
    const message = { id: event.id, body: JSON.stringify(event) };
    const attempt = await sendEvent(endpoint, secrets, message, timeoutMs, session.signal);
    return ok({ status: 200, body: { delivered: attempt.ok, attempt: attemptView(attempt) } });
  });
