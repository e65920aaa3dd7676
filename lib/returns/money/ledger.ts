import type { Order, OrderLine } from '../model/order.ts';

/** What all returns of an order took of one of its lines. */
export type LedgerLine = {
  /** Units in live returns: requested or approved, and not released. */
  readonly held: number;
  /** Units refunded without a return. They do not come back. */
  readonly refundedAlone: number;
  /** Units granted money or goods, and their worth in minor units. */
  readonly granted: { readonly units: number; readonly gross: number; readonly tax: number };
  /** Units of withdrawals before their shipment. The shop cancels them. `of` is the sold quantity at the first of them. */
  readonly withdrawn?: { readonly units: number; readonly of: number };
};

/**
 * What refunds and exchanges of an order gave, in minor units, with the shipping and charges in it.
 * `own` is the money from commands of the service. It excludes external refunds, and of an exchange it includes only
 * what the shop pays. A part of 0 is absent.
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

/**
 * Counts the units of an order line that the shop must still deliver or has delivered: the sold ones, less those of
 * withdrawals before their shipment. Some platforms lower the quantity of a cancelled line, so it is not lowered twice.
 */
export const kept = (ledger: Ledger, { lineId, quantity }: OrderLine): number => {
  const { units, of } = ledgerLine(ledger, lineId).withdrawn ?? { units: 0, of: 0 };
  return Math.max(0, quantity - Math.max(0, units - Math.max(0, of - quantity)));
};

/**
 * Counts the units of an order line that may still be returned: the delivered ones, less those taken. A refund without a
 * return covers withdrawn units first, because the shop pays for what it cancels.
 *
 * @param units the units that a return may hold; of a withdrawal they are the shipped ones
 */
export const returnable = (ledger: Ledger, line: OrderLine, units: (line: OrderLine) => number = fulfilled): number => {
  const { held, refundedAlone, withdrawn } = ledgerLine(ledger, line.lineId);
  const refunded = Math.max(0, refundedAlone - (withdrawn?.units ?? 0));
  return Math.max(0, Math.min(units(line), kept(ledger, line)) - held - refunded);
};

/** Counts the units of an order line that were shipped although a withdrawal holds them. */
export const shippedInVain = (ledger: Ledger, line: OrderLine): number =>
  Math.max(0, shipped(line) - kept(ledger, line));

/** Counts the units of an order line that are neither shipped nor taken. A withdrawal can still stop their shipment. */
export const unshipped = (ledger: Ledger, line: OrderLine): number => {
  const { refundedAlone, withdrawn } = ledgerLine(ledger, line.lineId);
  const refunded = Math.max(0, refundedAlone - (withdrawn?.units ?? 0));
  return Math.max(0, kept(ledger, line) - shipped(line) - refunded);
};

/** Units of an order line. */
export type LineUnits = { readonly orderLineId: string; readonly quantity: number };

const moveWithdrawn = (ledger: Ledger, order: Pick<Order, 'facts'>, lines: readonly LineUnits[], sign: 1 | -1) =>
  Object.fromEntries(
    lines.map(({ orderLineId, quantity }): [string, LedgerLine] => {
      const { withdrawn, ...line } = ledgerLine(ledger, orderLineId);
      const sold = order.facts.lines.find(({ lineId }) => lineId === orderLineId)?.quantity ?? 0;
      const units = Math.max(0, (withdrawn?.units ?? 0) + sign * quantity);
      return [orderLineId, { ...line, ...(units > 0 && { withdrawn: { units, of: withdrawn?.of ?? sold } }) }];
    }),
  );

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
        lines: { ...ledger.lines, ...moveWithdrawn(ledger, order, lines, 1) },
        withdrawals: [...new Set([...(ledger.withdrawals ?? []), withdrawalId])],
      };

/**
 * Returns the ledger after units of a withdrawal are no longer held, because the shop shipped them or the consumer
 * declared by mistake.
 *
 * @param isLast whether the withdrawal holds no other units
 */
export const releaseWithdrawn = (
  { withdrawals = [], ...ledger }: Ledger,
  order: Pick<Order, 'facts'>,
  withdrawalId: string,
  { lines, isLast }: { readonly lines: readonly LineUnits[]; readonly isLast: boolean },
): Ledger => {
  const left = isLast ? withdrawals.filter((id) => id !== withdrawalId) : withdrawals;
  return {
    ...ledger,
    lines: { ...ledger.lines, ...moveWithdrawn(ledger, order, lines, -1) },
    ...(left.length > 0 && { withdrawals: left }),
  };
};

/** Returns the ledger after units of a line were granted, with their worth. */
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
