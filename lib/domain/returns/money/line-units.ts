import type { Order, OrderLine } from '../model/order.ts';
import type { FieldError } from '../model/status.ts';
import { type Ledger, type LedgerLine, ledgerLine, type WithdrawnUnits } from './order-ledger.ts';

/* Counts of the units of an order line, by its facts and the ledger of the order. */

/** Counts the delivered units of an order line. Without a report, all sold units count as delivered. */
export const fulfilled = (line: OrderLine): number => line.fulfilledQuantity ?? line.quantity;

/** Counts the units of an order line that can no longer be returned. They are in a return, or refunded without one. */
export const taken = (ledger: Ledger, orderLineId: string): number => {
  const { held, refundedAlone } = ledgerLine(ledger, orderLineId);
  return held + refundedAlone;
};

/**
 * Counts the units of an order line that left the shop, delivered or not. The facts have the time of the last shipment
 * but no number of its units. So it is the delivered units, or all units when none of them arrived yet. Some platforms
 * report the sent units as delivered; they are then counted already.
 */
export const shipped = (line: OrderLine): number =>
  line.shippedAt !== undefined && fulfilled(line) === 0 ? line.quantity : fulfilled(line);

/** Counts the withdrawn units that the platform has cancelled: it has lowered the quantity of the line by them. */
export const lowered = ({ of }: WithdrawnUnits, { quantity }: Pick<OrderLine, 'quantity'>): number =>
  Math.max(0, of - quantity);

/**
 * Counts the units of an order line that the shop must still deliver or has delivered: the sold ones, less those of
 * withdrawals before their shipment. Some platforms lower the quantity of a cancelled line, so it is not lowered twice.
 */
export const kept = (ledger: Ledger, line: OrderLine): number => {
  const { withdrawn } = ledgerLine(ledger, line.lineId);
  const open = withdrawn === undefined ? 0 : Math.max(0, withdrawn.units - lowered(withdrawn, line));
  return Math.max(0, line.quantity - open);
};

/**
 * Counts the units that were refunded without a return and are not withdrawn. A refund covers withdrawn units first,
 * because the shop pays for what it cancels. An older refund covers none of them.
 */
export const otherRefunds = ({ refundedAlone, withdrawn }: LedgerLine): number =>
  withdrawn === undefined
    ? refundedAlone
    : Math.max(Math.min(withdrawn.otherRefunds ?? 0, refundedAlone), refundedAlone - withdrawn.units);

/** Counts the withdrawn units that a refund without a return has paid. */
export const refundedWithdrawn = (line: LedgerLine): number => line.refundedAlone - otherRefunds(line);

/** Counts the units refunded without a return that the platform has removed: it has lowered the quantity by them. */
export const removedUnits = (line: LedgerLine, { quantity }: Pick<OrderLine, 'quantity'>): number => {
  if (line.sold === undefined) return 0;
  return Math.max(0, Math.min(line.sold.quantity - quantity, line.refundedAlone));
};

/** Counts the removed units that are not withdrawn. A withdrawn unit is removed first. */
const removedOfKept = (line: LedgerLine, sold: Pick<OrderLine, 'quantity'>): number => {
  const cancelled = line.withdrawn === undefined ? 0 : Math.min(line.withdrawn.units, lowered(line.withdrawn, sold));
  return Math.max(0, Math.min((line.sold?.quantity ?? 0) - sold.quantity - cancelled, otherRefunds(line)));
};

/** An order line with its quantity. */
type KnownLine = Pick<OrderLine, 'lineId' | 'quantity'>;

/** Counts the units of the quantity that were granted money or goods and are not withdrawn. */
export const grantedOfKept = (ledger: Ledger, known: KnownLine): number => {
  const line = ledgerLine(ledger, known.lineId);
  return line.granted.units - refundedWithdrawn(line) - removedOfKept(line, known);
};

/** Counts the units of the quantity in returns, or refunded without one, that are not withdrawn. */
export const takenOfKept = (ledger: Ledger, known: KnownLine): number => {
  const line = ledgerLine(ledger, known.lineId);
  return line.held + otherRefunds(line) - removedOfKept(line, known);
};

/**
 * Counts the units of an order line that may still be returned: the delivered ones that are kept, less those taken.
 *
 * @param units the units that a return may hold; of a withdrawal they are the shipped ones
 */
export const returnable = (ledger: Ledger, line: OrderLine, units: (line: OrderLine) => number = fulfilled): number =>
  Math.max(0, Math.min(units(line), kept(ledger, line)) - takenOfKept(ledger, line));

/**
 * Counts the units of an order line that are neither shipped nor taken. A withdrawal can still stop their shipment.
 * Together with the shipped returnable ones, they are all units that nothing has taken.
 */
export const unshipped = (ledger: Ledger, line: OrderLine): number =>
  Math.max(0, kept(ledger, line) - takenOfKept(ledger, line)) - returnable(ledger, line, shipped);

/**
 * Counts the units of an order line that were shipped although a withdrawal holds them, and that a return may take.
 * Units that are refunded already do not come back. While no unit arrived, a shipment may be of the kept units.
 */
export const shippedAnyway = (ledger: Ledger, line: OrderLine): number => {
  const account = ledgerLine(ledger, line.lineId);
  const toKeep = kept(ledger, line);
  if (account.withdrawn === undefined || toKeep < takenOfKept(ledger, line)) return 0;
  const sent = toKeep === 0 ? shipped(line) : fulfilled(line);
  return Math.max(0, Math.min(sent - toKeep, account.withdrawn.units - refundedWithdrawn(account)));
};

/** Units of an order line. */
export type LineUnits = { readonly orderLineId: string; readonly quantity: number };

/**
 * Lists order lines of which a return would hold more units than exist.
 * A unit that was refunded without a return belongs to no other return, so a return may hold it. A refund of units that
 * no return holds is a fact.
 *
 * @param units the units of an order line that the return may hold
 */
export const overdrawnErrors = (
  order: Order,
  before: Ledger,
  next: Ledger,
  units?: (line: OrderLine) => number,
): readonly FieldError[] =>
  order.facts.lines.flatMap((line) => {
    const { lineId } = line;
    const held = ledgerLine(next, lineId).held - ledgerLine(before, lineId).held;
    const more = Math.min(held, taken(next, lineId) - taken(before, lineId));
    const free = returnable(before, line, units);
    return more > free
      ? [{ path: '/lines', code: 'maximum', message: `must take at most ${free} more units of ${lineId}` }]
      : [];
  });
