import type { Call } from '../../../contract/port.ts';
import type { Result } from '../../../contract/result.ts';
import type { Instant, Order, OrderRef } from '../../../domain/returns/model/order.ts';
import type { Ledger } from '../../../domain/returns/money/order-ledger.ts';
import { laterRefundDue } from '../../../domain/withdrawals/effect/held-refund.ts';
import { paidWithdrawals } from '../../../domain/withdrawals/effect/paid-withdrawals.ts';
import type { Withdrawal } from '../../../domain/withdrawals/model/withdrawal.ts';
import { ok } from '../../../runtime/result.ts';
import type { Session } from '../../../store/engine/session.ts';
import type { Write } from '../../../store/engine/transact.ts';
import { readOrder } from '../../../store/orders/orders.ts';
import { readWithdrawal } from '../../../store/withdrawals/withdrawals.ts';
import { execute } from '../../execution/execute.ts';
import { currentKey } from '../../execution/key-ring.ts';
import { statutoryRulesInForce } from '../decisions/terms-config.ts';
import { planEvents } from './run-command.ts';

/**
 * Reads the withdrawals that hold units of an order, in the sequence of its ledger.
 *
 * @param changed one of them that the transaction changes
 */
export const readHolding = async (
  session: Session,
  { withdrawals = [] }: Ledger,
  changed?: Withdrawal,
): Promise<readonly Withdrawal[]> => {
  const found = await Promise.all(
    withdrawals.map(async (id) => (id === changed?.id ? changed : readWithdrawal(session, id))),
  );
  return found.filter((state) => state !== undefined);
};

/** Plans the events of withdrawals whose held units a recorded refund has paid. Most orders have no withdrawal. */
export const planPaidWithdrawals = async (
  session: Session,
  call: Call,
  account: { readonly order: Order; readonly ledger: Ledger },
  paidAt: Instant,
): Promise<readonly Write[]> => {
  const paid = paidWithdrawals(await readHolding(session, account.ledger), account, paidAt);
  if (paid.length === 0) return [];
  const context = { now: new Date(), key: await currentKey(session) };
  return paid.flatMap(({ state, event }) => planEvents(state, [event], call, context).writes);
};

/**
 * Sets the due date of held units of an order that is paid now, and was not when a withdrawal held them. The work follows
 * from the stored state, so a repeat continues it.
 *
 * @param withdrawalIds the withdrawals that hold units of the order
 */
export const dateHeldRefunds = async (
  call: Call,
  ref: OrderRef,
  withdrawalIds: readonly string[],
): Promise<Result<null>> => {
  // The key belongs to the registration of the order, which has its response already.
  const { idempotencyKey: _, ...keyless } = call;
  for (const id of withdrawalIds) {
    const dated = await execute('registerOrder', ref, keyless, async (session) => {
      const [state, record] = await Promise.all([readWithdrawal(session, id), readOrder(session, ref)]);
      const events =
        state === undefined || record === undefined ? [] : laterRefundDue(statutoryRulesInForce(), record, state);
      if (state === undefined || events.length === 0) return ok({ reply: { status: 200, body: null }, writes: [] });
      const context = { now: new Date(), key: await currentKey(session) };
      return ok({ reply: { status: 200, body: null }, writes: planEvents(state, events, call, context).writes });
    });
    if (!dated.ok) return dated;
  }
  return ok(null);
};
