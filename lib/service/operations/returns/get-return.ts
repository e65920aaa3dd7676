import type { Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import type { Input, Output } from '../../../contract/contract.ts';
import { createEvidenceLinks } from '../../../store/personal/evidence.ts';
import { readKnownOrder } from '../../../store/orders/orders.ts';
import { readPerson, readTexts } from '../../../store/personal/personal.ts';
import { readUserNames } from '../../../store/personal/user-names.ts';
import type { Return } from '../../../domain/returns/model/return.ts';
import { withCurrentWorth } from '../../../domain/returns/money/revalue.ts';
import { allowedActions } from '../../../domain/returns/rules/allowed-actions.ts';
import { readReturn } from '../../../store/returns/returns.ts';
import type { Session } from '../../../store/engine/session.ts';
import type { Call, Reply } from '../../../contract/port.ts';
import { withStore } from '../../execution/execute.ts';
import { returnNotFound } from '../../execution/failures.ts';
import { replayWhile } from '../../execution/replay.ts';
import { returnView } from '../../views/views.ts';

const foundReturn = (state: Return | undefined): Result<Return> =>
  state === undefined ? fail(returnNotFound) : ok(state);

/** Rejects a time in the future: the later state of a return is unknown. */
const inFuture = (now: Date) =>
  fail({
    code: 'invalid_request' as const,
    detail: `asOf is in the future. It is ${now.toISOString()} now.`,
    errors: [{ path: '/asOf', code: 'maximum', message: `must be ${now.toISOString()} or earlier` }],
  });

/** Rejects a time before the return was recorded. An imported one was created earlier, in the other system. */
const beforeRecord = (recordedAt: string) =>
  fail({
    code: 'return_not_found' as const,
    detail: `The return was not known at that time. It was recorded at ${recordedAt}.`,
    errors: [{ path: '/asOf', code: 'minimum', message: `must be ${recordedAt} or later` }],
  });

/** Reads a return as it was recorded at a time. Rejects a time in the future or before its first entry. */
const readAsOf = async (
  session: Session,
  returnId: string,
  { asOf, now }: { readonly asOf: string; readonly now: Date },
): Promise<Result<Return>> => {
  const latest = Date.parse(asOf);
  if (latest > now.getTime()) return inFuture(now);
  let recordedAt: string | undefined;
  const then = await replayWhile(session, returnId, ({ at }) => {
    recordedAt ??= at;
    return Date.parse(at) <= latest;
  });
  if (then !== undefined) return ok(then);
  return recordedAt === undefined ? fail(returnNotFound) : beforeRecord(recordedAt);
};

/**
 * Reads a return with its customer, notes and links to evidence, and marks erased ones.
 * A past state is read-only: it has no ETag and no allowed actions.
 */
export const getReturn = async (input: Input<'getReturn'>, call: Call): Promise<Result<Reply<Output<'getReturn'>>>> =>
  withStore(call, async (session) => {
    const { returnId, asOf } = input;
    const found =
      asOf === undefined
        ? foundReturn(await readReturn(session, returnId))
        : await readAsOf(session, returnId, { asOf, now: new Date() });
    if (!found.ok) return found;
    const state = found.value;
    const [person, texts, userNames, links, known] = await Promise.all([
      readPerson(session, state.subject),
      readTexts(session, state.subject, state.id),
      readUserNames(session, state.notes),
      createEvidenceLinks(state, Date.now()),
      asOf === undefined ? readKnownOrder(session, state.order) : undefined,
    ]);
    const personal = { person, texts, userNames, links };
    if (known === undefined) return ok({ status: 200, body: returnView(state, { personal }) });
    const current = withCurrentWorth(state, known.order, known.ledger).state;
    const actions = allowedActions({ state: current, ...known, now: new Date().toISOString() });
    return ok({
      status: 200,
      body: returnView(current, { actions, personal, origin: known.order?.origin }),
      version: state.version,
    });
  });
