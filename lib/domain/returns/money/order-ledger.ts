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

/** An amount in minor units, and the tax in it. */
export type Taxed = { readonly gross: number; readonly tax: number };

/** Units of an order line and an amount for them. */
export type UnitsAndMoney = Taxed & { readonly units: number };

/** What all returns of an order took of one of its lines. */
export type LedgerLine = {
  /** Units in live returns: requested or approved, and not released. */
  readonly held: number;
  /** Units refunded without a return. They do not come back. */
  readonly refundedAlone: number;
  /** Units granted money or goods, and their worth. */
  readonly granted: UnitsAndMoney;
  /** Units whose price was reduced, and that part of it. The customer keeps the units. Absent for none. */
  readonly reduced?: UnitsAndMoney;
  readonly withdrawn?: WithdrawnUnits;
  /** The line as it was sold, from the first refund without a return on. The platform may remove the refunded units. */
  readonly sold?: SoldLine;
};

/**
 * What refunds and exchanges of an order gave of what was paid, in minor units, with the shipping and charges in it.
 * An exchange counts with the worth of its units, less the difference that the shop still pays.
 * `own` is the money from commands of the service, without external refunds. A part of 0 is absent.
 */
export type GivenMoney = {
  readonly amount: number;
  readonly shipping: number;
  readonly charges?: number;
  readonly own?: number;
  /**
   * What was taken of the payments: money, and money for goods that paid dearer items. Recovered money is not in it,
   * unless it paid for a new item whose units are not due.
   */
  readonly money?: number;
  /** The money that went back by each payment of the order. */
  readonly [tender: `tender/${string}`]: number;
};

/** What a return takes back of promotions or waived, in minor units. */
export type PromotionShare = {
  readonly amount: number;
  /** Absent for 0, as `rounding` is. */
  readonly waived?: number;
  /** The part of `amount` that makes up for the rounding of the goods. */
  readonly rounding?: number;
  /** The units that the customer no longer has, by order line: all of them, and the worth of those without a refund. */
  readonly lines: Readonly<Record<string, { readonly units: number; readonly open: number }>>;
};

/** The account of an order over all its returns. No command can exceed it. */
export type Ledger = {
  readonly returns: number;
  readonly lines: Readonly<Record<string, LedgerLine>>;
  readonly given: GivenMoney;
  /** By the id of a return. Absent for an order without promotions. */
  readonly promotions?: Readonly<Record<string, PromotionShare>>;
  /** The withdrawals that hold units before their shipment. */
  readonly withdrawals?: readonly string[];
};

const noMoney = { units: 0, gross: 0, tax: 0 };
const nothingGiven = { amount: 0, shipping: 0 };

export const emptyLedger: Ledger = { returns: 0, lines: {}, given: nothingGiven };

const emptyLine: LedgerLine = { held: 0, refundedAlone: 0, granted: noMoney };

/** Returns the ledger line of an order line; an empty one when the ledger does not have it. */
export const ledgerLine = ({ lines }: Pick<Ledger, 'lines'>, orderLineId: string): LedgerLine =>
  (Object.hasOwn(lines, orderLineId) ? lines[orderLineId] : undefined) ?? emptyLine;

/** Numbers by name. A number of 0 may be absent. */
type Numbers = Readonly<Record<string, number>>;

/** Returns `now - before + after` for each number, without those of 0. */
const moved = (now: Numbers, before: Numbers, after: Numbers): Numbers => {
  const next: Record<string, number> = {};
  for (const name of new Set([...Object.keys(now), ...Object.keys(before), ...Object.keys(after)])) {
    const number = (now[name] ?? 0) - (before[name] ?? 0) + (after[name] ?? 0);
    if (number !== 0) next[name] = number;
  }
  return next;
};

/** The part of a return, or of a refund without one, in the ledger of its order. The ledger is the sum of all parts. */
export type Entries = {
  readonly lines: Readonly<Record<string, Pick<LedgerLine, 'held' | 'refundedAlone' | 'granted' | 'reduced'>>>;
  readonly given: GivenMoney;
};

export const noEntries: Entries = { lines: {}, given: nothingGiven };

/** Returns `now - before + after`. */
const movedMoney = (now: UnitsAndMoney, before: UnitsAndMoney, after: UnitsAndMoney): UnitsAndMoney => ({
  units: now.units - before.units + after.units,
  gross: now.gross - before.gross + after.gross,
  tax: now.tax - before.tax + after.tax,
});

const movedLine = ({ reduced, ...now }: LedgerLine, before: LedgerLine, after: LedgerLine): LedgerLine => {
  const isReduced = reduced !== undefined || before.reduced !== undefined || after.reduced !== undefined;
  const reductions = isReduced
    ? movedMoney(reduced ?? noMoney, before.reduced ?? noMoney, after.reduced ?? noMoney)
    : noMoney;
  return {
    ...now,
    held: now.held - before.held + after.held,
    refundedAlone: now.refundedAlone - before.refundedAlone + after.refundedAlone,
    granted: movedMoney(now.granted, before.granted, after.granted),
    ...(reductions.units !== 0 && { reduced: reductions }),
  };
};

/** Returns a ledger in which the entries of a return or refund are replaced. */
export const moveEntries = (ledger: Ledger, before: Entries, after: Entries): Ledger => {
  const names = [...new Set([...Object.keys(before.lines), ...Object.keys(after.lines)])];
  const lines = names.map((name): [string, LedgerLine] => [
    name,
    movedLine(ledgerLine(ledger, name), ledgerLine(before, name), ledgerLine(after, name)),
  ]);
  return {
    ...ledger,
    lines: { ...ledger.lines, ...Object.fromEntries(lines) },
    given: { ...nothingGiven, ...moved(ledger.given, before.given, after.given) },
  };
};

/** Grants of units to lines of a ledger, one after another. The ledger is copied once, however many lines it has. */
export type Grants = {
  /** What is granted of an order line now. */
  readonly of: (orderLineId: string) => UnitsAndMoney;
  readonly add: (orderLineId: string, granted: UnitsAndMoney) => void;
  /** The ledger with the grants so far. */
  readonly ledger: () => Ledger;
};

/** Begins grants to lines of a ledger. */
export const openGrants = (ledger: Ledger): Grants => {
  const changed = new Map<string, UnitsAndMoney>();
  const of = (orderLineId: string): UnitsAndMoney =>
    changed.get(orderLineId) ?? ledgerLine(ledger, orderLineId).granted;
  return {
    of,
    add: (orderLineId, granted) => changed.set(orderLineId, movedMoney(of(orderLineId), noMoney, granted)),
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
