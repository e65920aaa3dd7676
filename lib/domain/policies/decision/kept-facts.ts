import type { Order } from '../../returns/model/order.ts';
import { amountsOfParts } from '../../returns/money/amounts.ts';
import { kept, takenOfKept } from '../../returns/money/line-units.ts';
import { emptyLedger, type Ledger } from '../../returns/money/order-ledger.ts';
import { sum } from '../../returns/units-by-line.ts';
import type { Facts } from '../facts.ts';
import type { PolicyRequest } from './facts-of.ts';

/** What the customer keeps of an order. */
export type KeptFacts = Pick<Facts['order'], 'quantityKept' | 'valueKept'>;

/**
 * Returns what the customer keeps of an order after a request: the sold units, less those of withdrawals before their
 * shipment, of other returns, of refunds without a return, and of this request.
 *
 * @param ledger without the units of the request itself
 */
export const keptFacts = (order: Order, ledger: Ledger, wanted: PolicyRequest['lines']): KeptFacts => {
  const parts = order.facts.lines.map((line) => {
    const requested = sum(wanted.flatMap(({ orderLineId, quantity }) => (orderLineId === line.lineId ? quantity : [])));
    return { line, units: Math.max(0, kept(ledger, line) - takenOfKept(ledger, line) - requested) };
  });
  return {
    quantityKept: sum(parts.map(({ units }) => units)),
    valueKept: sum(amountsOfParts(parts, emptyLedger).map(({ gross }) => gross.amount)),
  };
};
