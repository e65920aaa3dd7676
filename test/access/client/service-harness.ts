import { parseAnswerBody } from '../../../lib/access/client/incoming.ts';
import type { CallOptions } from '../../../lib/access/client/outgoing.ts';
import { createService } from '../../../lib/access/client/service.ts';
import type { Input } from '../../../lib/contract/contract.ts';
import type { Operation } from '../../../lib/contract/operation.ts';
import type { getReturn } from '../../../lib/contract/operations.ts';
import { startHarness } from '../oauth/harness.ts';
import { type Answer, startServer } from '../../support/http-server.ts';

export const traceId = '0af7651916cd43dd8448eb211c80319c';
export const returnId = 'ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB';
export const problemJson = { 'content-type': 'application/problem+json' };

export const problem = (
  status: number,
  body: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): Answer => ({
  status,
  headers: { ...problemJson, ...headers },
  body: JSON.stringify(body),
});
export const good: Answer = { status: 200, headers: { etag: '"7"' }, body: '{"id":"x"}' };

/** Starts the client with an API that gives these responses in turn, and repeats the last one. */
export const start = async (...answers: readonly Answer[]) => {
  const harness = await startHarness({ random: () => 0 });
  const left = [...answers];
  const api = await startServer(() => (left.length > 1 ? left.shift() : left[0]) ?? good);
  const { access, clock } = harness;
  const service = createService({ serviceUrl: api.origin, access, clock, random: () => 0, reserveMs: 500 });
  /** Sends any input of a test. */
  const call = async (operation: Operation, input: object, options: Partial<CallOptions> = {}) => {
    const scopes = operation.scope === null ? [] : [operation.scope];
    const usual = { dryRun: false, traceId, deadline: clock.now() + 30_000, scopes };
    const answer = await service(operation as typeof getReturn, input as Input<'getReturn'>, { ...usual, ...options });
    return answer.ok ? parseAnswerBody(answer.value) : answer;
  };
  return {
    harness,
    api,
    clock,
    call,
    [Symbol.asyncDispose]: async () => {
      await api[Symbol.asyncDispose]();
      await harness[Symbol.asyncDispose]();
    },
  };
};
