/*
 * A second implementation of the life of a return, from the contract (sections 3 to 5) alone. It does not read lib/. It
 * uses plain counters and one line for each rule. The order has two lines whose units all cost the same, so money is
 * units times a price. Other tests cover odd cents. The terms have an inspection, a flat fee for return shipping, and
 * deadlines to send goods and to answer.
 */

/** The order's units and unit prices by line, and the order line of each line of the return. Added lines repeat them. */
export const sold = [7, 3];
export const prices = [345, 1999];
const orderLineOf = [0, 1, 0];
export const orderLine = (at: number) => orderLineOf[at % orderLineOf.length] ?? 0;
export const requestedUnits = [3, 2, 2];
export const wayBackFee = 250;
export const postage = 490;

export type ModelLine = {
  readonly requested: number;
  readonly approved: number;
  readonly rejected: number;
  readonly cancelled: number;
  readonly received: number;
  readonly missing: number;
  readonly accepted: number;
  readonly refused: number;
  readonly grantedMissing: number;
  readonly grantedRefused: number;
};

export type RefundStatus = 'pending' | 'submitted' | 'succeeded' | 'failed' | 'unknown' | 'reversed' | 'cancelled';
export type ParcelStatus = 'label_created' | 'in_transit' | 'delivered' | 'exception' | 'lost' | 'cancelled';
export type ExchangeStatus = 'requested' | 'ordered' | 'fulfilled' | 'cancelled';

/**
 * Money paid to or by the customer. `units` are by line of the return, `fee` is the fee withheld, and `differences` are
 * the cents for differences of exchanges in `cents`.
 */
export type Booking = {
  readonly units: readonly number[];
  readonly cents: number;
  readonly fee: number;
  readonly differences: number;
};

/** A refund, or a compensation: a part of the price of units to keep, or `extra` cents on top, which are no `cents`. */
export type ModelRefund = Booking & {
  readonly status: RefundStatus;
  readonly reduced?: { readonly line: number; readonly units: number };
  readonly extra?: number;
};

/** An exchange. The price is that of all new units; undefined when it is unknown. */
export type ModelExchange = {
  readonly line: number;
  readonly units: number;
  readonly price: number | undefined;
  readonly status: ExchangeStatus;
};

export type Model = {
  readonly status: string;
  readonly lines: readonly ModelLine[];
  readonly refunds: readonly ModelRefund[];
  readonly parcels: readonly {
    readonly direction: 'inbound' | 'outbound';
    readonly status: ParcelStatus;
    /** Whether the parcel was ever in transit. */
    readonly wasInTransit: boolean;
    readonly units: readonly number[];
  }[];
  readonly exchanges: readonly ModelExchange[];
  /** Units that arrived without a line, and those of them without a disposition. */
  readonly unexpected: number;
  readonly undisposed: number;
  readonly feeWaived: boolean;
  /**
   * Recoveries: the cents that the customer paid back, the units that they undo, and the fee that they leave. Each
   * follows `after` refunds.
   */
  readonly recoveries: readonly (Booking & { readonly after: number })[];
  /** Cents that were written off: of goods, and of differences of dearer items. */
  readonly writtenOff: { readonly goods: number; readonly differences: number };
};

/** The model's knowledge beyond the visible state of a return. */
export type World = {
  readonly now: Model;
  /** Refunds are allowed before receipt. */
  readonly inAdvance: boolean;
  readonly wasApproved: boolean;
  /** Whether the statuses have shown a receipt or missing units. From then on the refund has a due date. */
  readonly hadReceipt: boolean;
  /** Units that the end of the return closed, by line. */
  readonly released: readonly { readonly undecided: number; readonly outstanding: number }[];
  /** Refused units of each line in the order of inspection, and whether the customer gets them back. */
  readonly refusals: readonly (readonly { readonly units: number; readonly back: boolean }[])[];
  /** Units of the order's lines in other returns. */
  readonly elsewhere: readonly number[];
};

/** Returns the units to decide. Units that are cancelled before the decision are never approved. */
export const undecided = ({ requested, approved, rejected, cancelled }: ModelLine) =>
  approved > 0 || rejected > 0 ? 0 : requested - cancelled;
export const toCome = ({ requested, approved, rejected, cancelled }: ModelLine) =>
  approved > 0 ? requested - rejected - cancelled : 0;
export const outstanding = (line: ModelLine) => toCome(line) - line.received - line.missing;
export const uninspected = ({ received, accepted, refused }: ModelLine) => received - accepted - refused;
export const entitled = ({ accepted, grantedMissing, grantedRefused }: ModelLine) =>
  accepted + grantedMissing + grantedRefused;
export const lost = ({ missing, grantedMissing }: ModelLine) => missing - grantedMissing;
export const refusedForGood = ({ refused, grantedRefused }: ModelLine) => refused - grantedRefused;
export const alive = (line: ModelLine) => undecided(line) + toCome(line);

export const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
export const isLive = ({ status }: { readonly status: string }) => status !== 'cancelled' && status !== 'reversed';
export const isOnItsWay = ({ status }: { readonly status: ParcelStatus }) =>
  ['label_created', 'in_transit', 'exception'].includes(status);
export const isSent = ({ status }: { readonly status: ParcelStatus }) =>
  !['label_created', 'cancelled'].includes(status);

const packed = ({ parcels }: Model, at: number, which: (parcel: Model['parcels'][number]) => boolean) =>
  sum(parcels.filter(which).map(({ units }) => units[at] ?? 0));

/** Returns the units of a line in parcels to the shop that may still arrive. */
export const expected = (model: Model, at: number) =>
  packed(model, at, (parcel) => parcel.direction === 'inbound' && isOnItsWay(parcel));

/** Returns the units of a line in parcels to the customer, without cancelled parcels. */
export const goingBack = (model: Model, at: number) =>
  packed(model, at, ({ direction, status }) => direction === 'outbound' && status !== 'cancelled');

const sentBack = (model: Model, at: number) =>
  packed(model, at, (parcel) => parcel.direction === 'outbound' && isSent(parcel));

const unitsAt = (bookings: readonly Booking[], at: number) => sum(bookings.map(({ units }) => units[at] ?? 0));

/**
 * Returns the live refunds, and the recoveries as negative bookings. A recovery has units only while earlier refunds
 * for them stand.
 */
export const booked = ({ refunds, recoveries }: Model, which = isLive): readonly Booking[] => {
  const taken: number[] = [];
  const back = recoveries.map(({ units, cents, fee, differences, after }) => {
    const before = refunds.slice(0, after).filter(isLive);
    const undone = units.map((quantity, at) => Math.min(quantity, unitsAt(before, at) - (taken[at] ?? 0)));
    undone.forEach((quantity, at) => (taken[at] = (taken[at] ?? 0) + quantity));
    return { units: undone.map((quantity) => -quantity), cents: -cents, fee, differences };
  });
  return [...refunds.filter(which), ...back];
};

/** Returns the paid units of a line. */
export const paidUnits = (model: Model, at: number) => unitsAt(booked(model), at);

/** Returns the units of a line whose payment succeeded. */
export const settledUnits = (model: Model, at: number) =>
  unitsAt(
    booked(model, ({ status }) => status === 'succeeded'),
    at,
  );

export const exchangedUnits = ({ exchanges }: Model, at: number, which = isLive) =>
  sum(exchanges.filter((exchange) => which(exchange) && exchange.line === at).map(({ units }) => units));

/** Returns the units of a line that the customer has, or may get, a claim for. */
export const claimable = (line: ModelLine) => alive(line) - lost(line) - refusedForGood(line);

/** Returns the units of a line that no other return may have. Units never sent and units sent back are free. */
const held = (model: Model, at: number): number => {
  const line = model.lines[at];
  if (line === undefined) throw new Error(`no line ${at}`);
  return alive(line) - lost(line) - Math.min(sentBack(model, at), refusedForGood(line));
};

/** Returns the units of a line that were compensated without being held. */
export const compensatedAlone = (model: Model, at: number) =>
  Math.max(0, paidUnits(model, at) + exchangedUnits(model, at) - held(model, at));

/** Returns the units of each line that money is or may be due for: with a claim and without other compensation. */
export const refundable = (model: Model, at: number): number => {
  const line = model.lines[at];
  return line === undefined ? 0 : Math.max(0, claimable(line) - exchangedUnits(model, at));
};

const byOrderLine = ({ lines }: Model, units: (at: number) => number) =>
  sold.map((_, wanted) => sum(lines.map((_line, at) => (orderLine(at) === wanted ? units(at) : 0))));

/**
 * Returns the units in the order's account, by order line: held, granted without being held, granted. A recovery of a
 * refund that was reversed later counts against other grants for the same goods.
 */
export const accountOf = (model: Model) => {
  const gave = (at: number) => unitsAt(booked(model), at) + exchangedUnits(model, at);
  const here = byOrderLine(model, (at) => Math.min(paidUnits(model, at) + exchangedUnits(model, at), held(model, at)));
  const compensated = byOrderLine(model, gave).map((units) => Math.max(0, units));
  return {
    held: byOrderLine(model, (at) => held(model, at)),
    alone: compensated.map((units, at) => Math.max(0, units - (here[at] ?? 0))),
    compensated,
  };
};

/** Returns the units of the order's lines that no return has. */
export const spare = ({ now, elsewhere }: Pick<World, 'now' | 'elsewhere'>): readonly number[] => {
  const account = accountOf(now);
  return sold.map((all, at) => all - (elsewhere[at] ?? 0) - (account.held[at] ?? 0) - (account.alone[at] ?? 0));
};

const priceOf = (at: number) => prices[orderLine(at)] ?? 0;
export const worth = (units: readonly number[]) => sum(units.map((quantity, at) => quantity * priceOf(at)));
