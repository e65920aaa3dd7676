import type { Input, Output } from '../../contract/contract.ts';
import { type Call, type Reply, withShortDeadline } from '../../contract/port.ts';
import type { Result } from '../../contract/result.ts';
import { ok } from '../../runtime/result.ts';
import { withStore } from '../execution/execute.ts';
import { probe } from '../../store/engine/batch-get.ts';

/** Returns whether the table responds. */
export const health = async (_: Input<'health'>, call: Call): Promise<Result<Reply<Output<'health'>>>> =>
  withStore(withShortDeadline(call), async (session) => {
    await probe(session);
    return ok({ status: 200, body: { status: 'ok' } });
  });
