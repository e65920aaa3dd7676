import { withoutReason } from '../../../lib/access/client/failures.ts';
import type { CallOptions } from '../../../lib/access/client/outgoing.ts';
import { createService } from '../../../lib/access/client/service.ts';
import type { Operation } from '../../../lib/contract/operation.ts';
import { getReturn } from '../../../lib/contract/operations.ts';
import { problemResponse } from '../../../lib/edge/http/problem.ts';
import { type Answer, startServer, type TestServer } from '../../support/http-server.ts';
import { type Harness, second, startHarness } from './harness.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const returnId = 'ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB';

/** The caller's result of a call, and the reason that only an operator reads. */
export type CallOutcome = {
  readonly status: number;
  readonly code?: string;
  readonly retryAfter?: string;
  readonly reason?: string;
};

type Api = {
  readonly server: TestServer;
  /** Tokens that it rejects from now on. */
  readonly revoked: Set<string>;
  /** Responses to use instead, one request each. */
  readonly instead: Answer[];
  /** The response to every request, while set. */
  always: Answer | undefined;
  /** A promise that it awaits before it answers. */
  hold: Promise<void> | undefined;
};

export type World = Harness & {
  readonly api: Api;
  readonly call: (options?: Partial<CallOptions>, operation?: Operation) => Promise<CallOutcome>;
  /** Returns the tokens that the API received, in order. */
  readonly shown: () => readonly (string | undefined)[];
  /** Ends background work, as a handler does that has 10 s left. */
  readonly drain: () => Promise<void>;
};

const startApi = async (): Promise<Api> => {
  const server = await startServer(async ({ headers }) => {
    await api.hold;
    const instead = api.instead.shift() ?? api.always;
    if (instead !== undefined) return instead;
    const rejected = api.revoked.has(headers.authorization?.replace('Bearer ', '') ?? '');
    return rejected ? { status: 401 } : { status: 200, headers: { etag: '"7"' }, body: '{"id":"x"}' };
  });
  const api: Api = { server, revoked: new Set(), instead: [], always: undefined, hold: undefined };
  return api;
};

/** Starts one container with its dependencies: token endpoint, Secrets Manager and the Returns Service. */
export const startWorld = async (setup: Parameters<typeof startHarness>[0] = {}): Promise<World> => {
  const harness = await startHarness(setup);
  const api = await startApi();
  const { access, clock } = harness;
  const service = createService({ serviceUrl: api.server.origin, access, clock, random: () => 0, reserveMs: 500 });
  return {
    ...harness,
    api,
    shown: () => api.server.requests.map(({ headers }) => headers.authorization?.replace('Bearer ', '')),
    drain: () => access.drain(10 * second),
    call: async (options = {}, operation = getReturn) => {
      const result = await service(
        operation as typeof getReturn,
        { returnId },
        {
          dryRun: false,
          traceId,
          deadline: clock.now() + 30 * second,
          scopes: operation.scope === null ? [] : [operation.scope],
          ...options,
        },
      );
      if (result.ok) return { status: result.value.status };
      const { code, reason } = result.failure;
      const { statusCode: status = 0, headers } = problemResponse(withoutReason(result.failure), traceId);
      const retryAfter = headers?.['retry-after'];
      return {
        status,
        code,
        ...(retryAfter === undefined ? {} : { retryAfter: String(retryAfter) }),
        ...(reason === undefined ? {} : { reason }),
      };
    },
    [Symbol.asyncDispose]: async () => {
      await api.server[Symbol.asyncDispose]();
      await harness[Symbol.asyncDispose]();
    },
  };
};
