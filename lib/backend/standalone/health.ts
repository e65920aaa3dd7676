import { ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/schemas.ts';
import { probe } from '../../store/probe.ts';
import type { Call, Reply } from '../port.ts';
import { withStore } from './execute.ts';

/** Who asks for health wants to know soon. */
const patienceMs = 3_000;

/** Tells whether the table answers. */
export const health = async (_: Input<'health'>, call: Call): Promise<Result<Reply<Output<'health'>>>> =>
  withStore({ ...call, deadline: Math.min(call.deadline, Date.now() + patienceMs) }, async (session) => {
    await probe(session);
    return ok({ status: 200, body: { status: 'ok' } });
  });
