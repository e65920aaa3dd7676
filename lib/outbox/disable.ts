import { ulid } from 'ulid';
import type { Disabled, Endpoint } from '../events/endpoint.ts';
import { writeEndpoint } from '../store/events/endpoints.ts';
import { endpointPlace } from '../store/engine/keys.ts';
import { writeHappening } from '../store/events/outbox.ts';
import type { Write } from '../store/engine/transact.ts';
import { newTraceId } from '../runtime/trace-context.ts';

/**
 * An endpoint that is sent nothing more, and what tells of it; on condition that nobody has changed it meanwhile. The
 * endpoint's version is the sequence of what happens to it.
 */
export const disableEndpoint = (endpoint: Endpoint, reason: Disabled['reason'], now: number): readonly Write[] => {
  const at = new Date(now).toISOString();
  const version = endpoint.version + 1;
  return [
    writeEndpoint({ ...endpoint, disabled: { at, reason }, updatedAt: at, version }),
    writeHappening(endpointPlace(endpoint.id), {
      sequence: version,
      type: 'webhook_endpoint.disabled',
      at,
      actor: { clientId: 'webhooks' },
      data: { endpointId: endpoint.id, url: new URL(endpoint.url).origin, reason },
      causationId: ulid(now),
      correlationId: newTraceId(),
    }),
  ];
};
