import { randomUUID } from 'node:crypto';
import type { Call } from '../../lib/backend/port.ts';

/** A call of the backend as somebody makes it who may do everything, each with a key of its own. */
export const backendCall = (): Call => ({
  caller: { clientId: 'test', scopes: ['returns:read', 'returns:write', 'returns:admin'] },
  deadline: Date.now() + 20_000,
  traceId: '0'.repeat(32),
  causationId: 'test',
  dryRun: false,
  idempotencyKey: randomUUID(),
});
