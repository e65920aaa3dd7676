import type { Order } from '../model/order.ts';
import { type LineUnits, lowered, otherRefunds } from './line-units.ts';
import { type Ledger, type LedgerLine, ledgerLine, type WithdrawnUnits } from './order-ledger.ts';
import { updateSold } from './sold-lines.ts';

/*
 * Units that withdrawals hold before their shipment. A match takes them. A shipment or a mistake releases them. New
 * facts of the order may raise the sold quantity.
 */

/** Returns the lines of a ledger after their withdrawn units have changed. Each line occurs once. */
const changeWithdrawn = (
  ledger: Pick<Ledger, 'lines'>,
  lines: readonly LineUnits[],
  change: (line: LedgerLine, units: LineUnits) => WithdrawnUnits | undefined,
): Ledger['lines'] => ({
  ...ledger.lines,
  ...Object.fromEntries(
    lines.map((units): [string, LedgerLine] => {
      const { withdrawn, ...line } = ledgerLine(ledger, units.orderLineId);
      const next = change({ ...line, ...(withdrawn && { withdrawn }) }, units);
      return [units.orderLineId, { ...line, ...(next !== undefined && next.units > 0 && { withdrawn: next }) }];
    }),
  ),
});

/** Returns the sold quantity of a line; undefined when the facts of the order are deleted. */
const soldIn = (order: Pick<Order, 'facts'> | undefined, orderLineId: string): number | undefined =>
  order?.facts.lines.find(({ lineId }) => lineId === orderLineId)?.quantity;

/** Returns the ledger after a withdrawal took units before their shipment. Each line occurs once. */
export const holdWithdrawn = (
  ledger: Ledger,
  order: Pick<Order, 'facts'>,
  withdrawalId: string,
  lines: readonly LineUnits[],
): Ledger =>
  lines.length === 0
    ? ledger
    : {
        ...ledger,
        lines: changeWithdrawn(ledger, lines, (line, { orderLineId, quantity }) => {
          const sold = soldIn(order, orderLineId) ?? 0;
          const { units, of } = line.withdrawn ?? { units: 0, of: sold };
          const others = otherRefunds(line);
          return {
            units: units + quantity,
            // Units that were lowered before cancel none of the new ones.
            of: Math.max(sold, Math.min(of, sold + units)),
            ...(others > 0 && { otherRefunds: others }),
          };
        }),
        withdrawals: [...new Set([...(ledger.withdrawals ?? []), withdrawalId])],
      };

/** Why a withdrawal no longer holds units. */
type Release = {
  readonly lines: readonly LineUnits[];
  /** `shipped`: the shop shipped them anyway. `mistake`: the consumer did not want to withdraw. */
  readonly cause: 'shipped' | 'mistake';
  /** Whether the withdrawal holds no other units. */
  readonly isLast: boolean;
};

/**
 * Returns the ledger after a withdrawal no longer holds units. Units that the platform has cancelled count as those of
 * the mistake, so that the units of other withdrawals stay held.
 *
 * @param order undefined when its facts are deleted
 */
export const releaseWithdrawn = (
  { withdrawals = [], ...ledger }: Ledger,
  order: Pick<Order, 'facts'> | undefined,
  withdrawalId: string,
  { lines, cause, isLast }: Release,
): Ledger => {
  const left = isLast ? withdrawals.filter((id) => id !== withdrawalId) : withdrawals;
  return {
    ...ledger,
    lines: changeWithdrawn(ledger, lines, ({ withdrawn }, { orderLineId, quantity }) => {
      if (withdrawn === undefined) return undefined;
      const sold = soldIn(order, orderLineId) ?? withdrawn.of;
      const cancelled = lowered(withdrawn, { quantity: sold });
      const rest = cause === 'shipped' ? cancelled : Math.max(0, Math.min(cancelled, withdrawn.units) - quantity);
      return { ...withdrawn, units: withdrawn.units - quantity, of: sold + rest };
    }),
    ...(left.length > 0 && { withdrawals: left }),
  };
};

/** Returns the ledger after new facts of its order. Units that are sold later are neither withdrawn nor refunded. */
export const raiseSold = (before: Ledger, order: Pick<Order, 'facts'>): Ledger => {
  const ledger = updateSold(before, order);
  const raised = order.facts.lines.flatMap(({ lineId, quantity }) => {
    const { withdrawn } = ledgerLine(ledger, lineId);
    return withdrawn === undefined || withdrawn.of >= quantity ? [] : [{ orderLineId: lineId, quantity }];
  });
  return raised.length === 0
    ? ledger
    : {
        ...ledger,
        lines: changeWithdrawn(
          ledger,
          raised,
          ({ withdrawn }, { quantity }) => withdrawn && { ...withdrawn, of: quantity },
        ),
      };
};
