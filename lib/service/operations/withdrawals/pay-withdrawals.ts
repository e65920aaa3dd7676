import type { Call } from '../../../contract/port.ts';
import type { Instant, Order } from '../../../domain/returns/model/order.ts';
import type { Ledger } from '../../../domain/returns/money/order-ledger.ts';
import { paidWithdrawals } from '../../../domain/withdrawals/effect/paid-withdrawals.ts';
import type { Withdrawal } from '../../../domain/withdrawals/model/withdrawal.ts';
import type { Session } from '../../../store/engine/session.ts';
import type { Write } from '../../../store/engine/transact.ts';
import { readWithdrawal } from '../../../store/withdrawals/withdrawals.ts';
import { currentKey } from '../../execution/key-ring.ts';
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
