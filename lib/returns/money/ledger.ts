import type { OrderLine } from '../model/order.ts';

/** What all returns of an order took of one of its lines. */
export type LedgerLine = {
  /** Units in returns that are alive: asked for or approved, and not released. */
  readonly held: number;
  /** Units that were refunded without a return: they do not come back. */
  readonly refundedAlone: number;
  /** Units granted money or goods, and what that came to in minor units. */
  readonly granted: { readonly units: number; readonly gross: number; readonly tax: number };
};

/**
 * What refunds and exchanges of an order gave in all in minor units, and what of it was shipping and charges. `own` is the
 * money that commands of the service gave: no refund from outside, and of an exchange only what the shop pays. A part of 0
 * is not there.
 */
type Given = {
  readonly amount: number;
  readonly shipping: number;
  readonly charges?: number;
  readonly own?: number;
};

/** What was given, put together. */
export const givenAmounts = (amount: number, shipping: number, charges: number, own: number): Given => ({
  amount,
  shipping,
  ...(charges === 0 ? {} : { charges }),
  ...(own === 0 ? {} : { own }),
});

/** The one account of an order over all its returns, which no command can exceed. */
export type Ledger = {
  readonly returns: number;
  readonly lines: Readonly<Record<string, LedgerLine>>;
  readonly given: Given;
};

export const emptyLedger: Ledger = { returns: 0, lines: {}, given: { amount: 0, shipping: 0 } };

const emptyLine: LedgerLine = { held: 0, refundedAlone: 0, granted: { units: 0, gross: 0, tax: 0 } };

/** What was taken of an order line; nothing of one that the ledger does not know. */
export const ledgerLine = ({ lines }: Pick<Ledger, 'lines'>, orderLineId: string): LedgerLine =>
  (Object.hasOwn(lines, orderLineId) ? lines[orderLineId] : undefined) ?? emptyLine;

/** Units of an order line that reached the customer; without word of it, all that were sold. */
export const fulfilled = (line: OrderLine): number => line.fulfilledQuantity ?? line.quantity;

/** Units of an order line that cannot be returned any more: in a return already, or refunded without one. */
export const taken = (ledger: Ledger, orderLineId: string): number => {
  const { held, refundedAlone } = ledgerLine(ledger, orderLineId);
  return held + refundedAlone;
};

/** Units of an order line that may still be returned: those that reached the customer, less those taken. */
export const returnable = (ledger: Ledger, line: OrderLine): number =>
  Math.max(0, fulfilled(line) - taken(ledger, line.lineId));

/** The ledger after units of a line were granted, and what they came to. */
export const grantUnits = (
  ledger: Ledger,
  orderLineId: string,
  { units, gross, tax }: LedgerLine['granted'],
): Ledger => {
  const line = ledgerLine(ledger, orderLineId);
  const granted = {
    units: line.granted.units + units,
    gross: line.granted.gross + gross,
    tax: line.granted.tax + tax,
  };
  return { ...ledger, lines: { ...ledger.lines, [orderLineId]: { ...line, granted } } };
};

/** The ledger after `units` more of a line were refunded that no return holds. */
const addUnallocatedUnits = (ledger: Ledger, orderLineId: string, units: number): Ledger => {
  if (units === 0) return ledger;
  const line = ledgerLine(ledger, orderLineId);
  return {
    ...ledger,
    lines: { ...ledger.lines, [orderLineId]: { ...line, refundedAlone: line.refundedAlone + units } },
  };
};

/** The ledger after a refund: its money, and the units that were refunded without coming back in a return. */
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
    given: givenAmounts(
      ledger.given.amount + refund.amount,
      ledger.given.shipping + refund.shipping,
      (ledger.given.charges ?? 0) + (refund.charges ?? 0),
      ledger.given.own ?? 0,
    ),
  };
};
