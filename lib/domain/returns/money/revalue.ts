import { proportion } from '../../money/proration.ts';
import { claimable, live } from '../goods/quantities.ts';
import { isSame } from '../history/canonical-json.ts';
import type { Order } from '../model/order.ts';
import type { Amounts } from '../model/refund.ts';
import type { Line, UnversionedReturn } from '../model/return.ts';
import { sum } from '../units-by-line.ts';
import { amountsOfParts, findOrderLine, orderLineOf } from './amounts.ts';
import { entriesOf } from './return-entries.ts';
import { exchangesOf } from './exchanges.ts';
import { ledgerLine, openGrants, type Ledger } from './order-ledger.ts';
import { statedPaymentsLeft, withPaymentsLeft } from './payments.ts';
import { promotionOf } from './promotions.ts';

/*
 * The worth of a line follows from the grants of the whole order. A return stores it, and a refund of another return may
 * make it old by a minor unit. So every decision and every view first computes it again.
 */

/**
 * Returns the ledger of the order without the grants of this return for units that it holds.
 * Its units then have the worth that they had before.
 */
const withoutOwnGrants = (state: UnversionedReturn, ledger: Ledger): Ledger => {
  const grants = openGrants(ledger);
  for (const [orderLineId, { granted, refundedAlone }] of Object.entries(entriesOf(state).lines)) {
    // The last units of a line take its reductions. Units that were refunded alone are not the last.
    const alone = ledgerLine(ledger, orderLineId).reduced === undefined ? 0 : refundedAlone;
    const left = (of: 'gross' | 'tax'): number => (alone === 0 ? 0 : proportion(granted[of], alone, granted.units));
    grants.add(orderLineId, {
      units: alone - granted.units,
      gross: left('gross') - granted.gross,
      tax: left('tax') - granted.tax,
    });
  }
  return grants.ledger();
};

/**
 * Balances what lines have left of their ceilings. Lines of one order line share its cents. When an exchange took a
 * cent more than its own line has, another line has one less.
 */
const balanceSharedCeilings = (lines: readonly Line[], left: readonly number[]): readonly number[] => {
  const short = new Map<string, number>();
  lines.forEach(({ orderLineId }, index) =>
    short.set(orderLineId, (short.get(orderLineId) ?? 0) - Math.min(0, left[index] ?? 0)),
  );
  return lines.map(({ orderLineId }, index) => {
    const amount = Math.max(0, left[index] ?? 0);
    const less = Math.min(amount, short.get(orderLineId) ?? 0);
    short.set(orderLineId, (short.get(orderLineId) ?? 0) - less);
    return amount - less;
  });
};

/**
 * Computes what the lines of a return are worth. The worth follows from its live units and from earlier grants of the
 * order. Exchanged units can no longer be refunded.
 */
export const revalue = (
  state: UnversionedReturn,
  order: Order,
  ledger: Ledger,
): readonly { readonly line: Line; readonly amounts: Amounts }[] => {
  const before = withoutOwnGrants(state, ledger);
  const worth = (units: (line: Line) => number) =>
    amountsOfParts(
      state.lines.map((line) => ({ line: orderLineOf(order, line), units: units(line) })),
      before,
    );
  const whole = worth(({ quantities }) => live(quantities));
  const maximum = worth(claimable);
  const left = balanceSharedCeilings(
    state.lines,
    state.lines.map((line, index) => {
      // The customer owes the worth of exchanged units that are not due. Other lines do not make it good.
      if (line.quantities.exchanged > claimable(line)) return 0;
      const exchanged = sum(exchangesOf(state, line).map(({ gross }) => gross.amount));
      const rest = (maximum[index]?.gross.amount ?? 0) - exchanged;
      // When all units are exchanged, no unit is left to pay for.
      return line.quantities.exchanged === claimable(line) ? Math.min(0, rest) : rest;
    }),
  );
  return state.lines.flatMap((line, index) => {
    const [amounts, amount] = [whole[index], left[index]];
    if (amounts === undefined || amount === undefined) return [];
    const maxRefundable = { ...amounts.gross, amount };
    return [{ line, amounts: { ...amounts, maxRefundable, refunded: line.amounts.refunded } }];
  });
};

/** Returns whether refunds outside of a return can have changed the worth of its lines. */
const isShared = ({ returns, lines }: Ledger): boolean =>
  returns > 1 || Object.values(lines).some(({ refundedAlone, reduced }) => refundedAlone > 0 || reduced !== undefined);

/** A return with the current worth of its lines. `stale` are the lines whose stored worth is older. */
type CurrentWorth<State> = { readonly state: State; readonly stale?: ReadonlySet<string> };

/**
 * Returns a return with the current worth of its lines, and the lines whose stored worth is older.
 *
 * @param order undefined when its facts are removed: the worth is then the stored one
 */
export const withCurrentWorth = <State extends UnversionedReturn>(
  stored: State,
  order: Order | undefined,
  ledger: Ledger,
): CurrentWorth<State> => {
  if (order === undefined) return { state: stored };
  const promotion = promotionOf(stored, order, ledger)?.amount;
  const paid = withPaymentsLeft(stored, statedPaymentsLeft(order, ledger));
  const state = promotion === undefined ? paid : { ...paid, promotion };
  if (!isShared(ledger)) return { state };
  if (state.lines.some(({ orderLineId }) => findOrderLine(order, orderLineId) === undefined)) return { state };
  const changed = revalue(state, order, ledger).filter(({ line, amounts }) => !isSame(line.amounts, amounts));
  if (changed.length === 0) return { state };
  const current = new Map(changed.map(({ line, amounts }) => [line.id, amounts]));
  const lines = state.lines.map((line) => ({ ...line, amounts: current.get(line.id) ?? line.amounts }));
  return { state: { ...state, lines }, stale: new Set(current.keys()) };
};
