import type { Input, Output } from '../../../contract/contract.ts';
import type { Call, Reply } from '../../../contract/port.ts';
import type { Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { cursorScope, openCursor, signCursor } from '../../execution/cursor.ts';
import { withStore } from '../../execution/execute.ts';
import { receiptErased, withdrawalNotFound } from '../../execution/failures.ts';
import { latestObservationAt, toMillisecondInstant } from '../../execution/observation.ts';
import { createTextReference } from '../../../store/personal/text-references.ts';
import { takeFitting } from '../../../store/engine/pack.ts';
import type { Session } from '../../../store/engine/session.ts';
import { readTexts } from '../../../store/personal/personal.ts';
import { readReturn } from '../../../store/returns/returns.ts';
import { readDeclaredTexts, readWithdrawal, removeDeclarationMarker } from '../../../store/withdrawals/withdrawals.ts';
import { listPosition, readWithdrawals } from '../../../store/withdrawals/withdrawal-list.ts';
import {
  markerIn,
  receiptIn,
  withdrawalSummaryView,
  withdrawalViewWithTexts,
} from '../../views/withdrawals/withdrawal-view.ts';
import { answer, recordReceiptSent as recordSent, withdraw } from '../../../domain/withdrawals/commands/decide.ts';
import type { WithdrawalResult } from '../../../domain/withdrawals/commands/failure.ts';
import type { WithdrawalEvent } from '../../../domain/withdrawals/history/entry.ts';
import type { Withdrawal } from '../../../domain/withdrawals/model/withdrawal.ts';
import { buildReceipt } from '../../../domain/withdrawals/receipt/receipt.ts';
import { receiptDocument } from '../../../domain/withdrawals/receipt/receipt-document.ts';
import { releaseHeldUnits } from './match-withdrawal.ts';
import { runCommand } from './run-command.ts';

const defaultLimit = 50;
/** The number of rows that the engine examines for the filters of a page. */
const maxExamined = 1000;

/** Lists withdrawals by a filter, the newest first. */
export const listWithdrawals = async (
  input: Input<'listWithdrawals'>,
  call: Call,
): Promise<Result<Reply<Output<'listWithdrawals'>>>> =>
  withStore(call, async (session) => {
    const { limit = defaultLimit, cursor, include, ...filter } = input;
    const scope = cursorScope('listWithdrawals', call, filter);
    const position = cursor === undefined ? ok(undefined) : await openCursor(cursor, scope);
    if (!position.ok) return position;
    const { sort: _, ...selecting } = filter;
    const examined = Object.keys(selecting).length > 0 ? Math.max(limit, maxExamined) : limit;
    const { items, rest, last } = await readWithdrawals(session, filter, position.value, examined + 1);
    const page = takeFitting(items.slice(0, limit));
    const final = page.at(-1);
    const isCut = items.length > page.length && final !== undefined;
    const after = isCut ? listPosition(filter, final) : rest ? last : undefined;
    const next = after === undefined ? ok(null) : await signCursor(after, scope);
    if (!next.ok) return next;
    const texts =
      include === undefined
        ? undefined
        : await readDeclaredTexts(
            session,
            page.map(({ id }) => id),
          );
    const views = page.map((summary) => withdrawalSummaryView(summary, texts));
    return ok({ status: 200, body: { items: views, nextCursor: next.value } });
  });

/** Reads a withdrawal, and its texts after it: a text that is missing then was erased. */
const readWithTexts = async (session: Session, withdrawalId: string) => {
  const state = await readWithdrawal(session, withdrawalId);
  return state === undefined ? undefined : { state, texts: await readTexts(session, state.subject, state.id) };
};

/** Reads a withdrawal with the texts of the consumer. */
export const getWithdrawal = async (
  { withdrawalId }: Input<'getWithdrawal'>,
  call: Call,
): Promise<Result<Reply<Output<'getWithdrawal'>>>> =>
  withStore(call, async (session) => {
    const found = await readWithTexts(session, withdrawalId);
    if (found === undefined) return fail(withdrawalNotFound);
    const { state, texts } = found;
    return ok({ status: 200, body: withdrawalViewWithTexts(state, texts), version: state.version });
  });

/** Reads the receipt of a withdrawal: the signed bytes, built again from their stored parts. */
export const getWithdrawalReceipt = async (
  { withdrawalId }: Input<'getWithdrawalReceipt'>,
  call: Call,
): Promise<Result<Reply<Output<'getWithdrawalReceipt'>>>> =>
  withStore(call, async (session) => {
    const found = await readWithTexts(session, withdrawalId);
    if (found === undefined) return fail(withdrawalNotFound);
    const parts = receiptIn(found.texts);
    if (parts === undefined) return fail(receiptErased);
    const { language, receipt } = found.state;
    const { text, html } = receiptDocument(parts, language);
    const payload = JSON.parse(parts.payload) as Record<string, unknown>;
    const { sha256, keyId } = receipt;
    return ok({
      status: 200,
      body: { withdrawalId, jws: buildReceipt(parts), keyId, sha256, payload, text, html, language },
    });
  });

/** Returns the events of a decision: one, or none when nothing changes. */
const eventsOf = (
  decision: WithdrawalResult<WithdrawalEvent | undefined>,
): WithdrawalResult<readonly WithdrawalEvent[]> =>
  decision.ok ? { ok: true, value: decision.value === undefined ? [] : [decision.value] } : decision;

const clockSkewMs = 5 * 60_000;

/** Records that the consumer has the receipt. */
export const recordReceiptSent = async (
  input: Input<'recordReceiptSent'>,
  call: Call,
): Promise<Result<Reply<Output<'recordReceiptSent'>>>> =>
  runCommand('recordReceiptSent', input, call, (state, { now }) => {
    const { channel, reference } = input;
    const sentAt = toMillisecondInstant(input.sentAt);
    const earliest = new Date(Date.parse(state.declaredAt) - clockSkewMs).toISOString();
    const report = { sentAt, channel, ...(reference !== undefined && { reference }) };
    return ok({ decision: eventsOf(recordSent(state, report, { earliest, latest: latestObservationAt(now) })) });
  });

/** Answers that the consumer has no right of withdrawal. */
export const answerWithdrawal = async (
  input: Input<'answerWithdrawal'>,
  call: Call,
): Promise<Result<Reply<Output<'answerWithdrawal'>>>> => {
  const { withdrawalId: _, note, ...given } = input;
  const sealed = note === undefined ? undefined : createTextReference('answer/note', note);
  const answered = { ...given, ...(sealed !== undefined && { note: sealed.seal }) };
  return runCommand('answerWithdrawal', input, call, (state) =>
    ok({ decision: eventsOf(answer(state, answered)), texts: sealed === undefined ? [] : [sealed.text] }),
  );
};

/** Returns the first return of a withdrawal that is not cancelled. */
const openReturnOf = async (session: Session, { returns = [] }: Withdrawal): Promise<string | undefined> => {
  const states = await Promise.all(returns.map(async ({ returnId }) => readReturn(session, returnId)));
  return states.find((state) => state !== undefined && state.status !== 'cancelled')?.id;
};

/**
 * Ends a declaration that was made by mistake, so that the consumer may declare the same again. Held units are free for
 * their shipment again.
 */
export const withdrawWithdrawal = async (
  input: Input<'withdrawWithdrawal'>,
  call: Call,
): Promise<Result<Reply<Output<'withdrawWithdrawal'>>>> =>
  runCommand('withdrawWithdrawal', input, call, async (state, { session }) => {
    const [texts, open, released] = await Promise.all([
      readTexts(session, state.subject, state.id),
      openReturnOf(session, state),
      releaseHeldUnits(session, state),
    ]);
    const marker = markerIn(texts);
    return ok({
      decision: eventsOf(withdraw(state, input.reason, open)),
      writes: [...released, ...(marker === undefined ? [] : [removeDeclarationMarker(marker)])],
    });
  });
