import type { Operation } from '../contract/operation.ts';
import { type Call, type Reply, withShortDeadline } from '../contract/port.ts';
import type { Result } from '../contract/result.ts';
import { fail, ok } from '../runtime/result.ts';
import type { JsonObject } from '../runtime/json.ts';
import { draining, failureOf, type RunnableAdapter } from './run.ts';
import type { Service } from './send.ts';
import { openService } from './service.ts';

type OfferedHealth = {
  readonly adapter: RunnableAdapter & { readonly probe: (service: Service) => Promise<unknown> };
  readonly operation: Operation;
};

/** Makes the health check: the probe of the adapter needs a token, and reads something small. */
export const offerHealth =
  ({ adapter, operation }: OfferedHealth) =>
  (input: JsonObject, call: Call): Promise<Result<Reply<never>>> =>
    draining(call, async () => {
      const progress = { calls: 0 };
      const short = withShortDeadline(call);
      try {
        await adapter.probe(openService({ rules: adapter, operation, call: short, progress }));
        return ok({ status: 200, body: { status: 'ok' } as never });
      } catch (error) {
        return fail(failureOf(error, { operation, call, input, progress }));
      }
    });
