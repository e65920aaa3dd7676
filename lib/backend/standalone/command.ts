import { fail, ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/schemas.ts';
import type { Event } from '../../returns/entry.ts';
import type { Decision } from '../../returns/failure.ts';
import { append } from '../../returns/history.ts';
import type { Ledger } from '../../returns/ledger.ts';
import type { Order } from '../../returns/order.ts';
import type { Return } from '../../returns/return.ts';
import { holdLedger, holdOrder, readOrder, writeLedger } from '../../store/orders.ts';
import { writeTexts, type SaltedText } from '../../store/personal.ts';
import { readReturn, writeReturn } from '../../store/returns.ts';
import type { Call, Reply } from '../port.ts';
import { circumstances } from './circumstances.ts';
import { execute } from './execute.ts';
import { returnNotFound, versionMismatch } from './failures.ts';
import { returnView } from './views.ts';

type Name = 'approve' | 'reject' | 'cancel';

type Decide = (
  state: Return,
  order: Order,
  ledger: Ledger,
) => Decision<{ events: readonly [Event, ...Event[]]; ledger: Ledger }>;

/**
 * Runs a command on an existing return: reads it with its order and ledger, decides, and writes all that follows in one
 * transaction, which fails when any of the three has changed meanwhile.
 *
 * @param texts personal texts that the command brings, already sealed in what `decide` returns
 */
export const command = async (
  operation: Name,
  input: Input<Name>,
  call: Call,
  decide: Decide,
  texts: readonly SaltedText[] = [],
): Promise<Result<Reply<Output<Name>>>> =>
  execute(operation, input, call, async (session) => {
    const state = await readReturn(session, input.returnId);
    if (state === undefined) return fail(returnNotFound);
    if (call.ifMatch !== undefined && call.ifMatch !== state.version) return fail(versionMismatch(state.version));
    const record = await readOrder(session, state.order);
    if (record === undefined) throw new Error(`order of return ${state.id} is gone`);
    const decision = decide(state, record.order, record.ledger);
    if (!decision.ok) return fail(decision.failure);
    const { events, ledger } = decision.value;
    const next = append(state, events, circumstances(call, null));
    return ok({
      reply: { status: 200, body: returnView(next.state), version: next.state.version },
      writes: [
        ...writeReturn(next.state, next.entries, state.version),
        holdOrder(record.order),
        ledger === record.ledger
          ? holdLedger(state.order, record.ledgerVersion)
          : writeLedger(state.order, ledger, record.ledgerVersion),
        ...writeTexts(next.state, texts),
      ],
    });
  });
