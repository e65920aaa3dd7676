import { randomUUID } from 'node:crypto';
import type { Call } from '../../lib/contract/port.ts';
import { ampleDeadline } from './time.ts';

/** A call of the backend by a client that may do everything, for a person as always in connected mode, with a new key. */
export const backendCall = (): Call => ({
  caller: {
    clientId: 'test',
    scopes: ['returns:read', 'returns:write', 'returns:admin'],
    onBehalfOf: 'returns-partner/agent-7',
  },
  deadline: ampleDeadline(),
  traceId: '0'.repeat(32),
  causationId: 'test',
  dryRun: false,
  idempotencyKey: randomUUID(),
});
