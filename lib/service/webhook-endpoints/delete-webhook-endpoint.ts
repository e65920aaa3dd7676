import { ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { removeEndpoint } from '../../store/events/endpoints.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { endpointView } from '../../views/endpoint-view.ts';
import { execute } from '../../execution/execute.ts';
import { readSeen } from './known-endpoint.ts';

/** Deletes an endpoint with its secrets, and answers with it as it was. What it was sent goes by its age. */
export const deleteWebhookEndpoint = async (
  input: Input<'deleteWebhookEndpoint'>,
  call: Call,
): Promise<Result<Reply<Output<'deleteWebhookEndpoint'>>>> =>
  execute('deleteWebhookEndpoint', input, call, async (session) => {
    const found = await readSeen(session, input.endpointId, call);
    if (!found.ok) return found;
    const endpoint = found.value;
    return ok({
      reply: { status: 200, body: endpointView(endpoint, Date.now()), version: endpoint.version },
      writes: removeEndpoint(endpoint),
    });
  });
