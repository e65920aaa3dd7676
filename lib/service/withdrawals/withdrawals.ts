import type { Input, OperationName, Output } from '../../contract/contract.ts';
import { ifMatchHolds } from '../../contract/if-match.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { fail, type Failure, ok, type Result } from '../../contract/result.ts';
import { cursorScope, openCursor, signCursor } from '../../execution/cursor.ts';
import { actorOf, causeOfCall } from '../../execution/event-metadata.ts';
import { execute, withStore } from '../../execution/execute.ts';
import { orderNotFound, versionMismatch } from '../../execution/failures.ts';
import { currentKey } from '../../execution/key-ring.ts';
import { latestObservationAt, toMillisecondInstant } from '../../execution/observation.ts';
import { encryptActor } from '../../personal/encrypt-actor.ts';
import { createTextReference, dataSubjectOf, subjectOfCustomer } from '../../personal/text-references.ts';
import { addMacs } from '../../returns/history/mac.ts';
import { takeFitting } from '../../store/engine/pack.ts';
import type { Session } from '../../store/engine/session.ts';
import type { Write } from '../../store/engine/transact.ts';
import { readOrder } from '../../store/orders/orders.ts';
import { readTexts, type SaltedText, writeTexts } from '../../store/personal/personal.ts';
import {
  creationBounds,
  readWithdrawal,
  readWithdrawals,
  removeDeclarationMarker,
  writeWithdrawal,
  writeWithdrawalLinks,
} from '../../store/withdrawals/withdrawals.ts';
import {
  markerIn,
  receiptIn,
  withdrawalSummaryView,
  withdrawalView,
  withdrawalViewWithTexts,
} from '../../views/withdrawals/withdrawal-view.ts';
import { answer, match, recordReceiptSent as recordSent, withdraw } from '../../withdrawals/commands/decide.ts';
import type { WithdrawalResult } from '../../withdrawals/commands/failure.ts';
import { appendWithdrawalEntry } from '../../withdrawals/history/append.ts';
import type { WithdrawalEvent } from '../../withdrawals/history/entry.ts';
import { isSigned } from '../../withdrawals/history/fold.ts';
import type { Withdrawal } from '../../withdrawals/model/withdrawal.ts';
import { buildReceipt } from '../../withdrawals/receipt/receipt.ts';
import { receiptDocument } from '../../withdrawals/receipt/receipt-document.ts';

const withdrawalNotFound: Failure = {
  code: 'withdrawal_not_found',
  detail: 'No withdrawal has this id.',
  errors: [{ path: '/withdrawalId', code: 'unknown', message: 'must be the id of a withdrawal' }],
};

const receiptErased: Failure = {
  code: 'receipt_erased',
  detail: 'The content of the receipt was erased with the personal data. Its hash stays in the withdrawal.',
};

const defaultLimit = 50;
/** The number of rows that the engine examines for the filters of a page. */
const maxExamined = 1000;

/** Lists withdrawals by a filter, the newest first. */
export const listWithdrawals = async (
  input: Input<'listWithdrawals'>,
  call: Call,
): Promise<Result<Reply<Output<'listWithdrawals'>>>> =>
  withStore(call, async (session) => {
    const { limit = defaultLimit, cursor, from, to, ...filter } = input;
    const scope = cursorScope('listWithdrawals', call, { ...filter, from, to });
    const position = cursor === undefined ? ok(undefined) : await openCursor(cursor, scope);
    if (!position.ok) return position;
    const bounds = creationBounds({ from, to, before: position.value });
    const isFiltered = filter.status !== undefined || filter.receipt !== undefined;
    const examined = isFiltered ? Math.max(limit, maxExamined) : limit;
    const { items, rest, last } = await readWithdrawals(session, filter, bounds, examined + 1);
    const page = takeFitting(items.slice(0, limit));
    const after = items.length > page.length ? page.at(-1)?.id : rest ? last : undefined;
    const next = after === undefined ? ok(null) : await signCursor(after, scope);
    if (!next.ok) return next;
    return ok({ status: 200, body: { items: page.map(withdrawalSummaryView), nextCursor: next.value } });
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

type CommandName = Extract<
  OperationName,
  'recordReceiptSent' | 'matchWithdrawal' | 'answerWithdrawal' | 'withdrawWithdrawal'
>;

/** The decision of a command, and what its transaction also writes when it has an event. */
type Decided = {
  readonly decision: WithdrawalResult<WithdrawalEvent | undefined>;
  readonly texts?: readonly SaltedText[];
  readonly writes?: readonly Write[];
};

type Decide = (state: Withdrawal, session: Session, now: Date) => Promise<Result<Decided>> | Result<Decided>;

const replyWith = (state: Withdrawal): Reply<Output<'getWithdrawal'>> => ({
  status: 200,
  body: withdrawalView(state),
  version: state.version,
});

/**
 * Runs a command on a withdrawal: load, check the version, decide, append, view. It responds without the texts of the
 * consumer, because the response is stored for repeats.
 */
const runCommand = async (
  operation: CommandName,
  input: Input<CommandName>,
  call: Call,
  decide: Decide,
): Promise<Result<Reply<Output<'getWithdrawal'>>>> =>
  execute<Output<'getWithdrawal'>>(operation, input, call, async (session) => {
    const [state, key] = await Promise.all([readWithdrawal(session, input.withdrawalId), currentKey(session)]);
    if (state === undefined) return fail(withdrawalNotFound);
    if (!ifMatchHolds(call.ifMatch, state.version)) return fail(versionMismatch(state.version, 'withdrawal'));
    const now = new Date();
    const decided = await decide(state, session, now);
    if (!decided.ok) return decided;
    const { decision, texts = [], writes = [] } = decided.value;
    if (!decision.ok) return fail(decision.failure);
    if (decision.value === undefined) return ok({ reply: replyWith(state), writes: [] });
    const actor = encryptActor(actorOf(call), state.actorKey);
    const made = { at: now.toISOString(), ...causeOfCall(call), actor };
    const next = appendWithdrawalEntry(state, decision.value, made);
    if (!isSigned(next.state)) throw new Error(`${state.id} has no receipt`);
    return ok({
      reply: replyWith(next.state),
      writes: [
        ...writeWithdrawal(next.state, addMacs([next.entry], key), state),
        ...writeTexts(next.state, texts),
        ...writes,
      ],
    });
  });

const clockSkewMs = 5 * 60_000;

/** Records that the consumer has the receipt. */
export const recordReceiptSent = async (
  input: Input<'recordReceiptSent'>,
  call: Call,
): Promise<Result<Reply<Output<'recordReceiptSent'>>>> =>
  runCommand('recordReceiptSent', input, call, (state, _, now) => {
    const { channel, reference } = input;
    const sentAt = toMillisecondInstant(input.sentAt);
    const earliest = new Date(Date.parse(state.declaredAt) - clockSkewMs).toISOString();
    const report = { sentAt, channel, ...(reference !== undefined && { reference }) };
    return ok({ decision: recordSent(state, report, { earliest, latest: latestObservationAt(now) }) });
  });

/**
 * Stores the order that staff found for a declaration. Rows lead from the persons of the order to the withdrawal, so
 * that their erasure finds it.
 */
export const matchWithdrawal = async (
  input: Input<'matchWithdrawal'>,
  call: Call,
): Promise<Result<Reply<Output<'matchWithdrawal'>>>> =>
  runCommand('matchWithdrawal', input, call, async (state, session) => {
    const record = await readOrder(session, input.order);
    if (record === undefined) return fail(orderNotFound('/order'));
    const { order } = record;
    const { platform, orderId } = order;
    const subjects = [subjectOfCustomer(order, undefined), dataSubjectOf(order)];
    const found = { order: { platform, orderId }, ...(input.lines !== undefined && { lines: input.lines }) };
    return ok({ decision: match(state, order, found), writes: writeWithdrawalLinks(state.id, subjects) });
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
    ok({ decision: answer(state, answered), texts: sealed === undefined ? [] : [sealed.text] }),
  );
};

/** Ends a declaration that was made by mistake, so that the consumer may declare the same again. */
export const withdrawWithdrawal = async (
  input: Input<'withdrawWithdrawal'>,
  call: Call,
): Promise<Result<Reply<Output<'withdrawWithdrawal'>>>> =>
  runCommand('withdrawWithdrawal', input, call, async (state, session) => {
    const marker = markerIn(await readTexts(session, state.subject, state.id));
    return ok({
      decision: withdraw(state, input.reason),
      writes: marker === undefined ? [] : [removeDeclarationMarker(marker)],
    });
  });
