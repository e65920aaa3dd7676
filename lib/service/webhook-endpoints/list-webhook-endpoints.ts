import { ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { readEndpoints } from '../../store/events/endpoints.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { endpointView } from '../../views/endpoint-view.ts';
import { withStore } from '../../execution/execute.ts';

/** Lists all endpoints, by their ids. */
export const listWebhookEndpoints = async (
  _: Input<'listWebhookEndpoints'>,
  call: Call,
): Promise<Result<Reply<Output<'listWebhookEndpoints'>>>> =>
  withStore(call, async (session) => {
    const endpoints = await readEndpoints(session);
    const now = Date.now();
    return ok({
      status: 200,
      body: { items: endpoints.map((endpoint) => endpointView(endpoint, now)), nextCursor: null },
    });
  });
