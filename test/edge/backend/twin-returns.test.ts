import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { backendCall } from '../../support/backend-call.ts';
import { forward, isFor } from '../../support/engine.ts';
import { useEngine } from '../../support/use-engine.ts';
import { startServer } from '../../support/http-server.ts';
import { registerOrder, returnOf } from '../../support/scenario.ts';
import { stack } from '../../support/stack.ts';
import { createReturn } from '../../../lib/edge/backend/standalone.ts';

const service = api('standalone');

describe('concurrent returns of a platform', () => {
  it('name the existing return, although it holds the units', async () => {
    const order = await registerOrder(service);
    const externalRefs = [{ platform: 'acme', id: randomUUID() }];
    const request = returnOf(order, 2, { externalRefs }) as Parameters<typeof createReturn>[0];
    const { promise: created, resolve } = Promise.withResolvers<string>();
    await using engine = await startServer(async (received) => {
      // The order is read after the other return holds it. The reference was queried before.
      if (isFor(received, 'Query')) await created;
      const answer = await forward(received, stack().aws.dynamodb);
      if (isFor(received, 'GetItem') && received.body.includes('EXTERNAL'))
        resolve((await service.post('/returns', request)).body.returnId);
      return answer;
    });
    useEngine(engine.origin);
    expect(await createReturn(request, backendCall())).toMatchObject({
      ok: false,
      failure: { code: 'duplicate_return', returnId: await created },
    });
  });
});
