import { fail, ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/schemas.ts';
import { approve as decide } from '../../returns/approve.ts';
import { append } from '../../returns/history.ts';
import { holdLedger, holdOrder, readOrder, writeLedger } from '../../store/orders.ts';
import { readReturn, writeReturn } from '../../store/returns.ts';
import type { Call, Reply } from '../port.ts';
import { circumstances } from './circumstances.ts';
import { execute } from './execute.ts';
import { returnNotFound, versionMismatch } from './failures.ts';
import { returnView } from './views.ts';

/** Approves a requested return, in whole or by quantities per line. */
export const approve = async (input: Input<'approve'>, call: Call): Promise<Result<Reply<Output<'approve'>>>> =>
  execute('approve', input, call, async (session) => {
    const state = await readReturn(session, input.returnId);
    if (state === undefined) return fail(returnNotFound);
    if (call.ifMatch !== undefined && call.ifMatch !== state.version) return fail(versionMismatch(state.version));
    const record = await readOrder(session, state.order);
    if (record === undefined) throw new Error(`order of return ${state.id} is gone`);
    const decision = decide(state, record.order, record.ledger, input);
    if (!decision.ok) return fail(decision.failure);
    const { events, ledger } = decision.value;
    const next = append(state, events, circumstances(call, null));
    const releases = next.state.lines.some(({ quantities }) => quantities.rejected > 0);
    return ok({
      reply: { status: 200, body: returnView(next.state), version: next.state.version },
      writes: [
        ...writeReturn(next.state, next.entries, state.version),
        holdOrder(record.order),
        releases
          ? writeLedger(state.order, ledger, record.ledgerVersion)
          : holdLedger(state.order, record.ledgerVersion),
      ],
    });
  });
