import { ok, type Result } from '../contract/result.ts';
import type { Input, Output } from '../contract/contract.ts';
import { probe } from '../store/engine/probe.ts';
import type { Call, Reply } from '../contract/port.ts';
import { soon } from '../contract/soon.ts';
import { withStore } from '../execution/execute.ts';

/** Tells whether the table answers. */
export const health = async (_: Input<'health'>, call: Call): Promise<Result<Reply<Output<'health'>>>> =>
  withStore(soon(call), async (session) => {
    await probe(session);
    return ok({ status: 200, body: { status: 'ok' } });
  });
