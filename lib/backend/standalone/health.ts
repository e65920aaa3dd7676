import { ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/schemas.ts';
import { probe } from '../../store/probe.ts';
import type { Call, Reply } from '../port.ts';
import { soon } from '../soon.ts';
import { withStore } from './execute.ts';

/** Tells whether the table answers. */
export const health = async (_: Input<'health'>, call: Call): Promise<Result<Reply<Output<'health'>>>> =>
  withStore(soon(call), async (session) => {
    await probe(session);
    return ok({ status: 200, body: { status: 'ok' } });
  });
