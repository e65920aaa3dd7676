import type { Order, OrderLine } from '../model/order.ts';
import type { Line } from '../model/return.ts';

/**
 * The line of the order that a line of a return is of.
 *
 * @throws Error when the order has lost it: such an order is broken
 */
export const orderLineOf = ({ facts }: Order, line: Line): OrderLine => {
  const found = facts.lines.find(({ lineId }) => lineId === line.orderLineId);
  if (found === undefined) throw new Error(`order lost line of return line ${line.id}`);
  return found;
};
