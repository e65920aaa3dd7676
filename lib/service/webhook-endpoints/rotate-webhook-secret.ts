import { randomBytes } from 'node:crypto';
import { ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { rotated, termsOf } from '../../events/rotate.ts';
import { readEndpointSecrets, writeEndpoint, writeEndpointSecrets } from '../../store/events/endpoints.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { endpointView, telling, tellingAgain } from '../../views/endpoint-view.ts';
import { execute } from '../../execution/execute.ts';
import { readSeen } from './known-endpoint.ts';

const usualHours = 24;
const millisecondsOfHour = 3_600_000;

/** Gives an endpoint a new secret. The endpoint's version guards the secrets: of two rotations one comes after the other. */
export const rotateWebhookSecret = async (
  input: Input<'rotateWebhookSecret'>,
  call: Call,
): Promise<Result<Reply<Output<'rotateWebhookSecret'>>>> => {
  const { endpointId, overlapHours = usualHours } = input;
  return execute<Output<'rotateWebhookSecret'>>(
    'rotateWebhookSecret',
    input,
    call,
    async (session) => {
      const found = await readSeen(session, endpointId, call);
      if (!found.ok) return found;
      const before = await readEndpointSecrets(session, endpointId);
      const now = Date.now();
      const secrets = rotated(before, randomBytes(32), now, overlapHours * millisecondsOfHour);
      const endpoint = {
        ...found.value,
        secrets: termsOf(secrets),
        updatedAt: new Date(now).toISOString(),
        version: found.value.version + 1,
      };
      const shown = { status: 200 as const, body: endpointView(endpoint, now), version: endpoint.version };
      return ok({
        reply: call.dryRun ? shown : telling(shown, secrets[0]),
        kept: shown,
        writes: [writeEndpoint(endpoint), writeEndpointSecrets(endpointId, secrets)],
      });
    },
    tellingAgain,
  );
};
