import type { Input, OperationName, Output } from '../../../contract/contract.ts';
import { ifMatchHolds } from '../../../contract/if-match.ts';
import type { Call, Reply } from '../../../contract/port.ts';
import type { Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { causeOfCall, historyActor } from '../../execution/event-metadata.ts';
import { execute } from '../../execution/execute.ts';
import { versionMismatch, withdrawalNotFound } from '../../execution/failures.ts';
import { currentKey } from '../../execution/key-ring.ts';
import { addMacs, type HistoryKey } from '../../../domain/returns/history/mac.ts';
import type { Session } from '../../../store/engine/session.ts';
import type { Write } from '../../../store/engine/transact.ts';
import { type SaltedText, writeTexts } from '../../../store/personal/personal.ts';
import { readWithdrawal, writeWithdrawal } from '../../../store/withdrawals/withdrawals.ts';
import { withdrawalView } from '../../views/withdrawals/withdrawal-view.ts';
import type { WithdrawalResult } from '../../../domain/withdrawals/commands/failure.ts';
import { appendWithdrawalEntry } from '../../../domain/withdrawals/history/append.ts';
import type { WithdrawalEvent } from '../../../domain/withdrawals/history/entry.ts';
import { isSigned } from '../../../domain/withdrawals/history/fold.ts';
import type { UnsignedWithdrawal, Withdrawal } from '../../../domain/withdrawals/model/withdrawal.ts';

type CommandName = Extract<
  OperationName,
  'recordReceiptSent' | 'matchWithdrawal' | 'answerWithdrawal' | 'withdrawWithdrawal'
>;

/** The decision of a command, and what its transaction also writes when it has events. */
type Decided = {
  readonly decision: WithdrawalResult<readonly WithdrawalEvent[]>;
  readonly texts?: readonly SaltedText[];
  readonly writes?: readonly Write[];
};

/** What a decision may use in addition to the withdrawal. */
export type DecisionContext = { readonly session: Session; readonly now: Date; readonly key: HistoryKey };

type Decide = (state: Withdrawal, context: DecisionContext) => Promise<Result<Decided>> | Result<Decided>;

/** Appends events to a withdrawal, and plans the writes that store them. */
export const planEvents = (
  before: Withdrawal,
  events: readonly WithdrawalEvent[],
  call: Call,
  { now, key }: Pick<DecisionContext, 'now' | 'key'>,
): { readonly state: Withdrawal; readonly writes: readonly Write[] } => {
  const circumstances = { at: now.toISOString(), ...causeOfCall(call), actor: historyActor(call, before.actorKey) };
  let state: UnsignedWithdrawal = before;
  const entries = events.map((event) => {
    const next = appendWithdrawalEntry(state, event, circumstances);
    ({ state } = next);
    return next.entry;
  });
  if (!isSigned(state)) throw new Error(`${before.id} has no receipt`);
  return { state, writes: writeWithdrawal(state, addMacs(entries, key), before) };
};

const replyWith = (state: Withdrawal): Reply<Output<'getWithdrawal'>> => ({
  status: 200,
  body: withdrawalView(state),
  version: state.version,
});

/**
 * Runs a command on a withdrawal: load, check the version, decide, append, view. A decision without events changes
 * nothing. It responds without the texts of the consumer, because the response is stored for repeats.
 */
export const runCommand = async (
  operation: CommandName,
  input: Input<CommandName>,
  call: Call,
  decide: Decide,
): Promise<Result<Reply<Output<'getWithdrawal'>>>> =>
  execute<Output<'getWithdrawal'>>(operation, input, call, async (session) => {
    const [state, key] = await Promise.all([readWithdrawal(session, input.withdrawalId), currentKey(session)]);
    if (state === undefined) return fail(withdrawalNotFound);
    if (!ifMatchHolds(call.ifMatch, state.version)) return fail(versionMismatch(state.version, 'withdrawal'));
    const context = { session, now: new Date(), key };
    const decided = await decide(state, context);
    if (!decided.ok) return decided;
    const { decision, texts = [], writes = [] } = decided.value;
    if (!decision.ok) return fail(decision.failure);
    if (decision.value.length === 0) return ok({ reply: replyWith(state), writes: [] });
    const next = planEvents(state, decision.value, call, context);
    return ok({
      reply: replyWith(next.state),
      writes: [...next.writes, ...writeTexts(next.state, texts), ...writes],
    });
  });
