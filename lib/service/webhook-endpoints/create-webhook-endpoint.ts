import { randomBytes } from 'node:crypto';
import { ulid } from 'ulid';
import { basePath } from '../../contract/operation.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import type { Endpoint } from '../../events/endpoint.ts';
import { rotated, termsOf } from '../../events/rotate.ts';
import {
  readEndpoints,
  readEndpointsMade,
  writeEndpoint,
  writeEndpointSecrets,
  writeEndpointsMade,
} from '../../store/events/endpoints.ts';
import { readHeads } from '../../store/events/event-log.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { limitReached, mostEndpoints, urlForbidden } from './endpoint-failures.ts';
import { endpointView, telling, tellingAgain } from '../../views/endpoint-view.ts';
import { execute } from '../../execution/execute.ts';

/** Creates an endpoint with its first secret. What stands in the logs by then is not for it. */
export const createWebhookEndpoint = async (
  input: Input<'createWebhookEndpoint'>,
  call: Call,
): Promise<Result<Reply<Output<'createWebhookEndpoint'>>>> => {
  const { url, eventTypes = ['*'], description } = input;
  const forbidden = urlForbidden(url);
  if (forbidden !== undefined) return fail(forbidden);
  return execute<Output<'createWebhookEndpoint'>>(
    'createWebhookEndpoint',
    input,
    call,
    async (session) => {
      // Before the endpoints: one that is made after it fails the condition.
      const made = await readEndpointsMade(session);
      const [endpoints, begins] = await Promise.all([readEndpoints(session), readHeads(session, { consistent: true })]);
      if (endpoints.length >= mostEndpoints) return fail(limitReached);
      const now = Date.now();
      const at = new Date(now).toISOString();
      const secrets = rotated([], randomBytes(32), now, 0);
      const endpoint: Endpoint = {
        id: `whk_${ulid(now)}`,
        url,
        eventTypes,
        ...(description === undefined ? {} : { description }),
        secrets: termsOf(secrets),
        createdAt: at,
        updatedAt: at,
        version: 1,
        begins,
      };
      const shown = {
        status: 201 as const,
        body: endpointView(endpoint, now),
        version: endpoint.version,
        location: `${basePath}/webhook-endpoints/${endpoint.id}`,
      };
      return ok({
        reply: call.dryRun ? shown : telling(shown, secrets[0]),
        kept: shown,
        writes: [writeEndpoint(endpoint), writeEndpointSecrets(endpoint.id, secrets), writeEndpointsMade(made)],
      });
    },
    tellingAgain,
  );
};
