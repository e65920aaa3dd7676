import { fail, ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { readSent } from '../../store/events/sent.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { webhookDeliveryNotFound } from './endpoint-failures.ts';
import { sentView } from '../../views/endpoint-view.ts';
import { executeInSteps } from '../../execution/execute.ts';
import { readEnabled } from './known-endpoint.ts';
import { sendAgain } from './send-again.ts';

/** Has an event sent to an endpoint once more. */
export const redeliverWebhook = async (
  input: Input<'redeliverWebhook'>,
  call: Call,
): Promise<Result<Reply<Output<'redeliverWebhook'>>>> =>
  executeInSteps('redeliverWebhook', input, call, async (session) => {
    const { endpointId, eventId } = input;
    const endpoint = await readEnabled(session, endpointId);
    if (!endpoint.ok) return endpoint;
    const sent = await readSent(session, endpointId, eventId);
    if (sent === undefined) return fail(webhookDeliveryNotFound);
    const queued = call.dryRun ? ok(null) : await sendAgain(session, endpointId, [eventId], call);
    return queued.ok ? ok({ status: 200 as const, body: sentView(sent) }) : queued;
  });
