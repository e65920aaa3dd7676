import type { OrderLine } from '../model/order.ts';

/** Units of an order line that withdrawals hold before their shipment. The shop cancels them. */
export type WithdrawnUnits = {
  readonly units: number;
  /** The sold quantity, without the units of it that the platform has cancelled since. */
  readonly of: number;
  /** Units refunded without a return that are none of `units`: their refund is older. Absent for none. */
  readonly otherRefunds?: number;
};

/** The units of an order line, and what was paid for them in minor units, including tax. */
export type SoldLine = { readonly quantity: number; readonly paid: number; readonly tax: number };

/** What all returns of an order took of one of its lines. */
export type LedgerLine = {
  /** Units in live returns: requested or approved, and not released. */
  readonly held: number;
  /** Units refunded without a return. They do not come back. */
  readonly refundedAlone: number;
  /** Units granted money or goods, and their worth in minor units. */
  readonly granted: { readonly units: number; readonly gross: number; readonly tax: number };
  readonly withdrawn?: WithdrawnUnits;
  /** The line as it was sold, from the first refund without a return on. The platform may remove the refunded units. */
  readonly sold?: SoldLine;
};

/**
 * What refunds and exchanges of an order gave of what was paid, in minor units, with the shipping and charges in it.
 * An exchange counts with the worth of its units, less the difference that the shop still pays.
 * `own` is the money from commands of the service, without external refunds. A part of 0 is absent.
 */
type PaidAmounts = {
  readonly amount: number;
  readonly shipping: number;
  readonly charges?: number;
  readonly own?: number;
};

/** Makes the record of what was given. */
export const paidAmounts = (amount: number, shipping: number, charges: number, own: number): PaidAmounts => ({
  amount,
  shipping,
  ...(charges === 0 ? {} : { charges }),
  ...(own === 0 ? {} : { own }),
});

/** The account of an order over all its returns. No command can exceed it. */
export type Ledger = {
  readonly returns: number;
  readonly lines: Readonly<Record<string, LedgerLine>>;
  readonly given: PaidAmounts;
  /** The withdrawals that hold units before their shipment. */
  readonly withdrawals?: readonly string[];
};

export const emptyLedger: Ledger = { returns: 0, lines: {}, given: { amount: 0, shipping: 0 } };

const emptyLine: LedgerLine = { held: 0, refundedAlone: 0, granted: { units: 0, gross: 0, tax: 0 } };

/** Returns the ledger line of an order line; an empty one when the ledger does not have it. */
export const ledgerLine = ({ lines }: Pick<Ledger, 'lines'>, orderLineId: string): LedgerLine =>
  (Object.hasOwn(lines, orderLineId) ? lines[orderLineId] : undefined) ?? emptyLine;

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

/** Units granted money or goods, and their worth in minor units. */
export type Granted = LedgerLine['granted'];

/** Grants of units to lines of a ledger, one after another. The ledger is copied once, however many lines it has. */
export type Grants = {
  /** What is granted of an order line now. */
  readonly of: (orderLineId: string) => Granted;
  readonly add: (orderLineId: string, granted: Granted) => void;
  /** The ledger with the grants so far. */
  readonly ledger: () => Ledger;
};

/** Begins grants to lines of a ledger. */
export const openGrants = (ledger: Ledger): Grants => {
  const changed = new Map<string, Granted>();
  const of = (orderLineId: string): Granted => changed.get(orderLineId) ?? ledgerLine(ledger, orderLineId).granted;
  return {
    of,
    add: (orderLineId, { units, gross, tax }) => {
      const before = of(orderLineId);
      changed.set(orderLineId, { units: before.units + units, gross: before.gross + gross, tax: before.tax + tax });
    },
    ledger: () => ({
      ...ledger,
      lines: {
        ...ledger.lines,
        ...Object.fromEntries(
          Array.from(changed, ([orderLineId, granted]) => [
            orderLineId,
            { ...ledgerLine(ledger, orderLineId), granted },
          ]),
        ),
      },
    }),
  };
};

/** Returns the ledger after `units` more units of a line were refunded without a return. */
const addUnallocatedUnits = (ledger: Ledger, orderLineId: string, units: number): Ledger => {
  if (units === 0) return ledger;
  const line = ledgerLine(ledger, orderLineId);
  return {
    ...ledger,
    lines: { ...ledger.lines, [orderLineId]: { ...line, refundedAlone: line.refundedAlone + units } },
  };
};

/** Returns the ledger after a refund, with its money and the units that no return holds. */
export const bookRefund = (
  ledger: Ledger,
  refund: {
    readonly amount: number;
    readonly shipping: number;
    readonly charges?: number;
    readonly alone: readonly { readonly orderLineId: string; readonly quantity: number }[];
  },
): Ledger => {
  const booked = refund.alone.reduce(
    (rest, { orderLineId, quantity }) => addUnallocatedUnits(rest, orderLineId, quantity),
    ledger,
  );
  return {
    ...booked,
    given: paidAmounts(
      ledger.given.amount + refund.amount,
      ledger.given.shipping + refund.shipping,
      (ledger.given.charges ?? 0) + (refund.charges ?? 0),
      ledger.given.own ?? 0,
    ),
  };
};
