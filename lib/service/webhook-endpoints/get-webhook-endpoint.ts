import { fail, ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { readEndpoint } from '../../store/events/endpoints.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { endpointNotFound } from './endpoint-failures.ts';
import { endpointView } from '../../views/endpoint-view.ts';
import { withStore } from '../../execution/execute.ts';

/** Reads an endpoint, without its secrets. */
export const getWebhookEndpoint = async (
  { endpointId }: Input<'getWebhookEndpoint'>,
  call: Call,
): Promise<Result<Reply<Output<'getWebhookEndpoint'>>>> =>
  withStore(call, async (session) => {
    const endpoint = await readEndpoint(session, endpointId);
    if (endpoint === undefined) return fail(endpointNotFound);
    return ok({ status: 200, body: endpointView(endpoint, Date.now()), version: endpoint.version });
  });
