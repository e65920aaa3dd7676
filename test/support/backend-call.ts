import { randomUUID } from 'node:crypto';
import type { Call } from '../../lib/contract/port.ts';
import { ampleDeadline } from './time.ts';

/** Returns a call by a client with all scopes, for a person as in connected mode, with a new key. */
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
