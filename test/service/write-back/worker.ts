import { randomUUID } from 'node:crypto';
import type { SQSEvent } from 'aws-lambda';
import type { Input, Output } from '../../../lib/contract/contract.ts';
import type { Backend } from '../../../lib/contract/port.ts';
import type { Failure, Result } from '../../../lib/contract/result.ts';
import type { OrderRef } from '../../../lib/domain/returns/model/order.ts';
import type { Intent } from '../../../lib/domain/write-back/intent.ts';
import type { PlatformEffects } from '../../../lib/service/write-back/see-shop.ts';
import { writeBack } from '../../../lib/service/write-back/write-back.ts';
import { platformEffects } from '../../../lib/shops/platforms/effects.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { readIntentsOf } from '../../../lib/store/write-back/intents.ts';
import { backendCall } from '../../support/backend-call.ts';
import { ampleDeadline, contextWith } from '../../support/time.ts';

/* The worker of write-back in this process: the real service on a real table, and a shop at the wire. */

const ok = <Value>(result: Result<Value>): Value => {
  if (result.ok) return result.value;
  throw new Error(result.failure.code, { cause: result.failure satisfies Failure });
};

const eventOf = (order: OrderRef): SQSEvent => ({
  Records: [{ messageId: randomUUID(), body: JSON.stringify(order) } as SQSEvent['Records'][number]],
});

/** Returns the worker, with the operations that tests of it need. */
export const openWorker = (backend: Backend, effects: PlatformEffects = platformEffects) => {
  const handler = writeBack(backend, effects);
  return {
    /** Runs the worker for an order, as a message of the queue does. */
    run: async (order: OrderRef, worker = handler) => worker(eventOf(order), contextWith()),
    /** Returns the intents of an order, oldest first. */
    intents: async (order: OrderRef): Promise<readonly Intent[]> => {
      using session = openSession(ampleDeadline());
      return await readIntentsOf(session, order);
    },
    /** Sets what the shop may be asked to do: by two persons, as refunds need. */
    enable: async (
      platform: string,
      facts: Omit<Input<'setWriteBack'>, 'platform'>,
    ): Promise<Output<'setWriteBack'>> => {
      const set = async (clientId: string) => {
        const { version } = ok(await backend.getWriteBack({ platform }, backendCall())).body;
        const caller = { clientId, scopes: ['returns:admin'] as const };
        const call = { ...backendCall(), caller, ifMatch: version };
        return ok(await backend.setWriteBack({ platform, ...facts }, call)).body;
      };
      await set('first');
      return set('second');
    },
  };
};
