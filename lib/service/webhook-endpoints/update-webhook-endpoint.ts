import { fail, ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { patchEndpoint } from '../../events/patch-endpoint.ts';
import { writeEndpoint } from '../../store/events/endpoints.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { urlForbidden } from './endpoint-failures.ts';
import { endpointView } from '../../views/endpoint-view.ts';
import { execute } from '../../execution/execute.ts';
import { readSeen } from './known-endpoint.ts';

/** Changes an endpoint. One that is enabled again is woken by the schedule, and goes on where it stopped. */
export const updateWebhookEndpoint = async (
  input: Input<'updateWebhookEndpoint'>,
  call: Call,
): Promise<Result<Reply<Output<'updateWebhookEndpoint'>>>> => {
  const { endpointId, ...patch } = input;
  const forbidden = patch.url === undefined ? undefined : urlForbidden(patch.url);
  if (forbidden !== undefined) return fail(forbidden);
  return execute('updateWebhookEndpoint', input, call, async (session) => {
    const found = await readSeen(session, endpointId, call);
    if (!found.ok) return found;
    const endpoint = found.value;
    const now = Date.now();
    const next = patchEndpoint(endpoint, patch, new Date(now).toISOString());
    return ok({
      reply: { status: 200, body: endpointView(next, now), version: next.version },
      writes: next === endpoint ? [] : [writeEndpoint(next)],
    });
  });
};
