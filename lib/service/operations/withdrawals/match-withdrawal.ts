import type { Input, Output } from '../../../contract/contract.ts';
import type { Call, Reply } from '../../../contract/port.ts';
import type { Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { execute, type Plan } from '../../execution/execute.ts';
import { orderNotFound } from '../../execution/failures.ts';
import { currentKey } from '../../execution/key-ring.ts';
import { dataSubjectOf, subjectOfCustomer } from '../../../store/personal/text-references.ts';
import type { OrderRef } from '../../../domain/returns/model/order.ts';
import type { LineUnits } from '../../../domain/returns/money/line-units.ts';
import { holdWithdrawn, releaseWithdrawn } from '../../../domain/returns/money/withdrawn-units.ts';
import { mergeReasons } from '../../../domain/returns/rules/reasons.ts';
import { sum } from '../../../domain/returns/units-by-line.ts';
import { log } from '../../../runtime/log.ts';
import type { Session } from '../../../store/engine/session.ts';
import type { Write } from '../../../store/engine/transact.ts';
import { type OrderRecord, readKnownOrder, readOrder, writeLedger } from '../../../store/orders/orders.ts';
import { readReasons } from '../../../store/policies/decisions.ts';
import { readCatalogue } from '../../../store/policies/policies.ts';
import { readWithdrawal, writeWithdrawalLinks } from '../../../store/withdrawals/withdrawals.ts';
import { checkMatch } from '../../../domain/withdrawals/commands/decide.ts';
import { decided, type WithdrawalResult } from '../../../domain/withdrawals/commands/failure.ts';
import {
  effectOfMatch,
  eventsOfMatch,
  heldUnitsShipped,
  isSameMatch,
  isWholeOrder,
  type MatchEffect,
} from '../../../domain/withdrawals/effect/effect-of-match.ts';
import { heldRefundDueBy } from '../../../domain/withdrawals/effect/held-refund.ts';
import { paidWithdrawals } from '../../../domain/withdrawals/effect/paid-withdrawals.ts';
import { termsOfWithdrawal } from '../../../domain/withdrawals/effect/return-terms.ts';
import type { WithdrawalEvent } from '../../../domain/withdrawals/history/entry.ts';
import type { Match, Withdrawal } from '../../../domain/withdrawals/model/withdrawal.ts';
import { statutoryRulesInForce } from '../decisions/terms-config.ts';
import { planReturn } from '../returns/plan-return.ts';
import { readHolding } from './pay-withdrawals.ts';
import { storeCancellation } from '../../write-back/store-intents.ts';
import { type DecisionContext, planEvents, runCommand } from './run-command.ts';

/**
 * The maximum number of withdrawals that hold units of one order. The units of further ones are left to staff. One refund
 * may pay all of them in one transaction, with two writes each.
 */
const maxHolding = 40;

/** The maximum number of lines of a return. A match leaves further lines to staff. */
const maxLines = 200;

/** The consumer gives no reason. */
const reason = { code: 'unknown' };

/** The return that carries out a withdrawal, with the writes that store it. */
type WithdrawnReturn = { readonly returnId: string; readonly writes: readonly Write[] };

/**
 * Plans the return for shipped units of a withdrawal.
 * No policy rejects it while the right is open, and the law sets its terms. It is undefined when the request fails, and
 * staff then decides.
 */
const planWithdrawnReturn = async (
  { id: withdrawalId, declaredAt }: Withdrawal,
  call: Call,
  record: OrderRecord,
  lines: readonly LineUnits[],
  { session, key, now }: DecisionContext,
): Promise<WithdrawnReturn | undefined> => {
  const [catalogue, { changed }] = await Promise.all([readCatalogue(session), readReasons(session)]);
  const { order } = record;
  const input: Input<'createReturn'> = {
    order: { platform: order.platform, orderId: order.orderId },
    basis: 'withdrawal',
    initiatedBy: 'customer',
    lines: lines.map((line) => ({ ...line, reason })),
  };
  const planned = await planReturn(session, input, call, {
    record,
    catalogue,
    reasons: mergeReasons(changed),
    key,
    observation: {},
    requestedAt: declaredAt,
    at: now.toISOString(),
    termsOf: (terms) =>
      termsOfWithdrawal(statutoryRulesInForce(), terms, { order, lines }, { withdrawalId, declaredAt }),
  });
  if (planned.ok) return { returnId: planned.value.state.id, writes: planned.value.writes };
  log('error', 'withdrawal without return', { withdrawalId, code: planned.failure.code, traceId: call.traceId });
  return undefined;
};

const refOf = ({ platform, orderId }: OrderRef): OrderRef => ({ platform, orderId });

/** What a match decides, and what it writes in addition to the withdrawal. */
type PlannedMatch = {
  readonly decision: WithdrawalResult<readonly WithdrawalEvent[]>;
  readonly writes?: readonly Write[];
};

/** Leaves the units to staff that a further withdrawal of the order cannot hold. */
const limitHolding = (effect: MatchEffect, { ledger: { withdrawals = [] } }: OrderRecord): MatchEffect =>
  withdrawals.length < maxHolding
    ? effect
    : { ...effect, cancelled: [], undecided: [...effect.undecided, ...effect.cancelled] };

/** Plans the effect of an allowed match, in the same transaction as the match. */
const planEffect = async (
  state: Withdrawal,
  call: Call,
  record: OrderRecord,
  matched: Match,
  context: DecisionContext,
): Promise<PlannedMatch> => {
  const { order, ledgerVersion } = record;
  const { lines } = matched;
  const rules = statutoryRulesInForce();
  const found = limitHolding(effectOfMatch(rules, record, { lines, declaredAt: state.declaredAt }), record);
  // The facts of the order decide as before.
  if (isSameMatch(state, matched, found)) return { decision: decided([]) };
  const ledger = holdWithdrawn(record.ledger, order, state.id, found.cancelled);
  const returned = found.returned.slice(0, maxLines);
  const created =
    returned.length === 0
      ? undefined
      : await planWithdrawnReturn(state, call, { ...record, ledger }, returned, context);
  const rest = created === undefined ? found.returned : found.returned.slice(maxLines);
  const effect: MatchEffect = { ...found, returned, undecided: [...found.undecided, ...rest] };
  const subjects = [subjectOfCustomer(order, undefined), dataSubjectOf(order)];
  const wholeOrder = isWholeOrder(order, ledger);
  const refundDueBy = heldRefundDueBy(rules, { order, ledger }, found.cancelled, state.declaredAt);
  const cancellation = { wholeOrder, ...(refundDueBy !== undefined && { refundDueBy }) };
  const isCancelled = found.cancelled.length > 0 && wholeOrder;
  const work = { withdrawalId: state.id, isByPerson: call.caller.user !== undefined, at: context.now.toISOString() };
  return {
    decision: decided(eventsOfMatch(state.id, matched, effect, created, cancellation)),
    writes: [
      // An unchanged ledger is written too: its version shows a concurrent change of the order.
      ...(created?.writes ?? [writeLedger(order, ledger, ledgerVersion)]),
      ...writeWithdrawalLinks(state.id, subjects),
      ...(isCancelled ? storeCancellation(order, work, call) : []),
    ],
  };
};

/**
 * Matches a declaration to an order, and carries it out. Units that are not shipped are held for the cancellation by the
 * shop, and shipped ones become a return. Rows lead from the persons of the order to the withdrawal, so that their
 * erasure finds it.
 */
export const matchWithdrawal = async (
  input: Input<'matchWithdrawal'>,
  call: Call,
): Promise<Result<Reply<Output<'matchWithdrawal'>>>> =>
  runCommand('matchWithdrawal', input, call, async (state, context) => {
    const record = await readOrder(context.session, input.order);
    if (record === undefined) return fail(orderNotFound('/order'));
    const matched: Match = { order: refOf(record.order), ...(input.lines !== undefined && { lines: input.lines }) };
    const checked = checkMatch(state, record.order, matched);
    if (!checked.ok) return ok({ decision: checked });
    if (checked.value === 'unchanged') return ok({ decision: decided([]) });
    return ok(await planEffect(state, call, record, matched, context));
  });

/** Returns the write that releases the held units of a withdrawal. There is none without held units. */
export const releaseHeldUnits = async (session: Session, state: Withdrawal): Promise<readonly Write[]> => {
  const { id, match, cancelled = [] } = state;
  if (match === undefined || cancelled.length === 0) return [];
  const { order, ledger, ledgerVersion } = await readKnownOrder(session, match.order);
  const released = releaseWithdrawn(ledger, order, id, { lines: cancelled, cause: 'mistake', isLast: true });
  return [writeLedger(order ?? { ...match.order, version: 0 }, released, ledgerVersion)];
};

/** Whether a withdrawal holds more units that the shop shipped anyway than one return can have. */
type Progress = { readonly hasMore: boolean };

const planOf = (hasMore: boolean, writes: readonly Write[]): Result<Plan<Progress>> =>
  ok({ reply: { status: 200, body: { hasMore } }, writes });

const unitsIn = (lines: readonly LineUnits[]): number => sum(lines.map(({ quantity }) => quantity));

const planShippedUnits = async (
  session: Session,
  call: Call,
  ref: OrderRef,
  withdrawalId: string,
): Promise<Result<Plan<Progress>>> => {
  const [state, record, key] = await Promise.all([
    readWithdrawal(session, withdrawalId),
    readOrder(session, ref),
    currentKey(session),
  ]);
  if (state === undefined || record === undefined) return planOf(false, []);
  const { cancelled = [] } = state;
  const held = heldUnitsShipped(cancelled, record);
  const lines = held.slice(0, maxLines);
  if (lines.length === 0) return planOf(false, []);
  const isLast = unitsIn(lines) === unitsIn(cancelled);
  const ledger = releaseWithdrawn(record.ledger, record.order, withdrawalId, { lines, cause: 'shipped', isLast });
  const context = { session, key, now: new Date() };
  const created = await planWithdrawnReturn(state, call, { ...record, ledger }, lines, context);
  if (created === undefined) return planOf(false, []);
  const { returnId } = created;
  const data = { withdrawalId, returnId, lines, shippedAnyway: true } as const;
  const event = { type: 'withdrawal.return_created', data } as const;
  const shippedState = planEvents(state, [event], call, context).state;
  // A refund may have paid for the units that are left.
  const holding = await readHolding(session, ledger, shippedState);
  const paid = paidWithdrawals(holding, { ...record, ledger }, context.now.toISOString());
  const own = paid.find(({ state: { id } }) => id === withdrawalId);
  const next = planEvents(state, own === undefined ? [event] : [event, own.event], call, context);
  return planOf(held.length > lines.length, [...next.writes, ...created.writes]);
};

/** Makes returns of the units of one withdrawal, each with the lines that a return can have. */
const returnUnitsOf = async (keyless: Call, ref: OrderRef, withdrawalId: string): Promise<Result<null>> => {
  for (;;) {
    const done = await execute('registerOrder', ref, keyless, async (session) =>
      planShippedUnits(session, keyless, ref, withdrawalId),
    );
    if (!done.ok) return done;
    // A dry run writes nothing, so its next step would be the same.
    if (!done.value.body.hasMore || keyless.dryRun) return ok(null);
  }
};

/**
 * Makes returns of units that withdrawals hold and that the shop shipped anyway. The work follows from the stored state,
 * so a repeat continues it.
 *
 * @param withdrawalIds the withdrawals that hold units of the order
 */
export const returnShippedUnits = async (
  call: Call,
  ref: OrderRef,
  withdrawalIds: readonly string[],
): Promise<Result<null>> => {
  // The key belongs to the registration of the order, which has its response already.
  const { idempotencyKey: _, ...keyless } = call;
  for (const id of withdrawalIds) {
    const done = await returnUnitsOf(keyless, ref, id);
    if (!done.ok) return done;
  }
  return ok(null);
};
