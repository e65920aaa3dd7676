import { complete } from '../../../../lib/domain/returns/commands/endings.ts';
import type { Outcome } from '../../../../lib/domain/returns/commands/outcome.ts';
import { closeReceipt } from '../../../../lib/domain/returns/commands/goods/missing-units.ts';
import { inspect } from '../../../../lib/domain/returns/commands/goods/inspect.ts';
import { addParcel } from '../../../../lib/domain/returns/commands/goods/parcels.ts';
import { exchangeResult } from '../../../../lib/domain/returns/commands/money/exchange.ts';
import { recordRecovery } from '../../../../lib/domain/returns/commands/money/recoveries-and-fees.ts';
import { recordRefundResult } from '../../../../lib/domain/returns/commands/money/record-refund-result.ts';
import { recordRefund } from '../../../../lib/domain/returns/commands/money/record-refund.ts';
import { refundReturn } from '../../../../lib/domain/returns/commands/money/refund-return.ts';
import { approve } from '../../../../lib/domain/returns/commands/request/review-request.ts';
import type { Result } from '../../../../lib/domain/returns/failure.ts';
import { outstanding, undecided, isUndisposed, uninspected } from '../../../../lib/domain/returns/goods/quantities.ts';
import type { Line, Return } from '../../../../lib/domain/returns/model/return.ts';
import { orderAmountLeft } from '../../../../lib/domain/returns/money/amounts.ts';
import { openExchanges } from '../../../../lib/domain/returns/money/exchanges.ts';
import { owed, recoveryDue } from '../../../../lib/domain/returns/money/recovery.ts';
import { nextRefundStatuses } from '../../../../lib/domain/returns/money/refund-status.ts';
import { allowedActions } from '../../../../lib/domain/returns/rules/allowed-actions.ts';
import { type Command, endedStatuses } from '../../../../lib/domain/returns/rules/states.ts';
import type { Situation } from '../../../../lib/domain/returns/situation.ts';
import { type Account, applyResult, now, situationOf } from '../../../support/money.ts';
import type { OneOrder } from './act.ts';

type Next = (situation: Situation, serial: string) => Result<Outcome | undefined>;

const some = ({ lines }: Return, units: (quantities: Line['quantities']) => number) =>
  lines.some(({ quantities }) => units(quantities) > 0);

const inspectAll: Next = (situation, serial) => {
  const { lines, unexpected } = situation.state;
  const found = lines
    .map(({ id, quantities }) => ({ lineId: id, quantity: uninspected(quantities) }))
    .filter(({ quantity }) => quantity > 0);
  return inspect(situation, {
    lines: found.map((one) => ({ ...one, id: `${serial}_${one.lineId}`, outcome: 'accept' as const })),
    unexpected: unexpected.filter(isUndisposed).map(({ id }) => ({ id, disposition: 'donate' as const })),
  });
};

const finishRefund: Next = (situation) => {
  const open = situation.state.refunds.find(
    ({ status, external }) => external === undefined && status !== 'succeeded' && nextRefundStatuses[status].length > 0,
  );
  if (open === undefined) throw new Error('no open refund');
  const status = open.status === 'pending' || open.status === 'failed' ? 'submitted' : 'succeeded';
  // A refund has a limited number of attempts.
  const last = open.status === 'failed' && open.attempts.length > 5 ? 'cancelled' : status;
  return recordRefundResult(situation, { refundId: open.id, status: last }, now);
};

const finishExchange: Next = (situation) => {
  const [open] = openExchanges(situation.state);
  const status = open?.status === 'requested' ? 'ordered' : 'fulfilled';
  return exchangeResult(situation, { exchangeId: open?.id ?? '', status });
};

const giveBack: Next = (situation, serial) => {
  const amount = { amount: recoveryDue(situation.state), currency: situation.order.facts.currency };
  return recordRecovery(situation, { amount }, serial);
};

/** Pays externally the money that the service may not pay without a review. */
const payOutside: Next = (situation, serial) => {
  const { state, order, ledger } = situation;
  const amount = { amount: owed(state), currency: order.facts.currency };
  const moved = { amount, method: 'manual', occurredAt: now } as const;
  const decision = recordRefund(order, ledger, state, moved, { id: serial, externalId: serial, now, latest: now });
  if (!decision.ok) return decision;
  const [first, ...others] = decision.value.events;
  if (first === undefined) throw new Error('no event');
  return { ok: true, value: { events: [first, ...others], ledger: decision.value.ledger } };
};

/** Refunds all that is owed, or the part of it that the payments of the order have left. */
const refundRest: Next = (situation, serial) => {
  const { state, order } = situation;
  const whole = refundReturn(situation, {}, { id: serial });
  if (whole.ok || whole.failure.code !== 'refund_exceeds_payments') return whole;
  const amount = { amount: owed(state), currency: order.facts.currency };
  return refundReturn(situation, { amount }, { id: serial });
};

/** Whether a completed return is owed money again that was not left when it was completed. */
const isRefundLeft = (situation: Situation): boolean =>
  situation.state.status === 'completed' &&
  owed(situation.state) > 0 &&
  allowedActions(situation).some(({ action, allowed }) => action === 'refund' && allowed);

/** Returns the next command towards the end of a return, or undefined when nothing is left to do. */
const nextOfReturn = (situation: Situation): Next | undefined => {
  const { state } = situation;
  const isOver = endedStatuses.has(state.status);
  if (state.refunds.some(({ status }) => ['pending', 'submitted', 'unknown', 'failed'].includes(status)))
    return finishRefund;
  if (recoveryDue(state) > 0) return giveBack;
  if (isOver) return isRefundLeft(situation) ? refundRest : undefined;
  if (some(state, undecided)) return (situation) => approve(situation, {});
  if (openExchanges(state).length > 0) return finishExchange;
  if (some(state, outstanding)) return (situation) => closeReceipt(situation, {});
  if (some(state, uninspected) || state.unexpected.some(isUndisposed)) return inspectAll;
  const blockerOf = (command: Command) => allowedActions(situation).find(({ action }) => action === command)?.blockedBy;
  if (owed(state) > 0 && blockerOf('refund') === 'discrepancy') return payOutside;
  if (blockerOf('complete') === 'units_not_sent_back')
    return (current, serial) => addParcel(current, { status: 'in_transit' }, serial);
  // An order that is paid out leaves nothing to refund.
  return (current, serial) => {
    const paid = owed(current.state) > 0 ? refundRest(current, serial) : undefined;
    return paid?.ok === true ? paid : complete(current, {});
  };
};

/** Brings a return to its end. Returns whether a command was left to do. */
const settleReturn = (account: Account, index: number, round: number): boolean => {
  for (let step = 0; step < 60; step += 1) {
    const situation = situationOf(account, index, true);
    const next = nextOfReturn(situation);
    if (next === undefined) return step > 0;
    const decision = next(situation, `end_${round}_${index}_${step}`);
    if (!decision.ok) throw new Error(`${situation.state.status}: ${decision.failure.detail}`);
    applyResult(account, decision, index);
  }
  throw new Error('a return that does not come to its end');
};

/**
 * Completes every return of an account with allowed commands only. A recorded refund may pay a part of a unit. Then a
 * recovery of one return can change what another one was paid too much, so there are several rounds.
 *
 * @throws Error with the failure of a command that fails
 */
const settleAll = (account: Account): void => {
  for (let round = 0; round < 5; round += 1)
    if (!account.returns.map((_, index) => settleReturn(account, index, round)).some(Boolean)) return;
  throw new Error('returns that do not come to their end');
};

const openStatuses: ReadonlySet<string> = new Set(['pending', 'submitted', 'unknown', 'failed']);

/** Settles all returns of an order. Returns those whose money is still open, which are none. */
export const settle = ({ account, alone }: OneOrder): readonly Return[] => {
  const isRecorded =
    alone.length > 0 || account.returns.some(({ refunds }) => refunds.some(({ external }) => external));
  settleAll(account);
  // A recorded refund may pay a part of a unit, whose rest is then owed in another return that is completed.
  const left = isRecorded ? 0n : orderAmountLeft(account.order, account.ledger);
  return account.returns
    .map((_, index) => situationOf(account, index).state)
    .filter(
      (state) =>
        recoveryDue(state) > 0 ||
        state.refunds.some(({ status }) => openStatuses.has(status)) ||
        (left > 0n && state.status === 'completed' && owed(state) > 0),
    );
};
