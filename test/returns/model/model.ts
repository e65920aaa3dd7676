/*
 * The life of a return as the contract tells it (sections 3 to 5), written a second time and without a look at lib/:
 * plain counters, one line of text for each rule. The order has two lines of which every unit cost the same, so that
 * money is units times a price; how odd cents are shared out is shown elsewhere. Terms: somebody inspects, a flat fee for
 * the way back, deadlines to send goods and to answer.
 */

/** The order: units and what each cost, by line; and the lines of the return, which of the order's they are of. */
export const sold = [7, 3];
const prices = [345, 1999];
const orderLineOf = [0, 1, 0];
export const requestedUnits = [3, 2, 2];
export const wayBackFee = 250;

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

/** Money that went to the customer, or that came back: `units` are by line of the return, `fee` is what was kept. */
export type Booking = { readonly units: readonly number[]; readonly cents: number; readonly fee: number };

export type Model = {
  readonly status: string;
  readonly lines: readonly ModelLine[];
  readonly refunds: readonly (Booking & { readonly status: RefundStatus })[];
  readonly parcels: readonly {
    readonly direction: 'inbound' | 'outbound';
    readonly status: ParcelStatus;
    /** Whether it was ever seen on its way. */
    readonly seen: boolean;
    readonly units: readonly number[];
  }[];
  readonly exchanges: readonly { readonly line: number; readonly units: number; readonly status: ExchangeStatus }[];
  /** Units that came without belonging to a line, and those among them of which nobody said what becomes of them. */
  readonly unexpected: number;
  readonly undisposed: number;
  readonly feeWaived: boolean;
  /**
   * Cents that the customer gave back, the units that they undo, and what they leave the shop of the fee; each came
   * `after` so many refunds.
   */
  readonly recoveries: readonly (Booking & { readonly after: number })[];
  /** Cents that nobody asks for any more. */
  readonly writtenOff: number;
};

/** What the model knows beyond what can be seen of a return. */
export type World = {
  readonly now: Model;
  /** Refunds before it is known what came. */
  readonly inAdvance: boolean;
  readonly wasApproved: boolean;
  /** Goods have come, or were given up, as far as its statuses told: from then on money is due by a date. */
  readonly hadReceipt: boolean;
  /** What the end of the return closed, by line. */
  readonly released: readonly { readonly undecided: number; readonly outstanding: number }[];
  /** Refused units of each line, in the order in which they were found, and whether the customer shall have them. */
  readonly refusals: readonly (readonly { readonly units: number; readonly back: boolean }[])[];
  /** Units of the order's lines in other returns. */
  readonly elsewhere: readonly number[];
};

/** A decision is on all that is not cancelled; what is cancelled before it is never approved. */
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

/** Units of a line in parcels to the shop that may yet arrive. */
export const expected = (model: Model, at: number) =>
  packed(model, at, (parcel) => parcel.direction === 'inbound' && isOnItsWay(parcel));

/** Units of a line in parcels to the customer, called off ones apart. */
export const goingBack = (model: Model, at: number) =>
  packed(model, at, ({ direction, status }) => direction === 'outbound' && status !== 'cancelled');

const sentBack = (model: Model, at: number) =>
  packed(model, at, (parcel) => parcel.direction === 'outbound' && isSent(parcel));

const unitsAt = (bookings: readonly Booking[], at: number) => sum(bookings.map(({ units }) => units[at] ?? 0));

/**
 * What went to the customer by refunds that count, and, below zero, what came back: of units only as far as refunds from
 * before still stand that paid for them.
 */
export const booked = ({ refunds, recoveries }: Model, which = isLive): readonly Booking[] => {
  const taken: number[] = [];
  const back = recoveries.map(({ units, cents, fee, after }) => {
    const before = refunds.slice(0, after).filter(isLive);
    const undone = units.map((quantity, at) => Math.min(quantity, unitsAt(before, at) - (taken[at] ?? 0)));
    undone.forEach((quantity, at) => (taken[at] = (taken[at] ?? 0) + quantity));
    return { units: undone.map((quantity) => -quantity), cents: -cents, fee };
  });
  return [...refunds.filter(which), ...back];
};

/** Units of a line that the customer was paid for. */
export const paidUnits = (model: Model, at: number) => unitsAt(booked(model), at);

/** Those of them of which it is known that the money came. */
export const settledUnits = (model: Model, at: number) =>
  unitsAt(
    booked(model, ({ status }) => status === 'succeeded'),
    at,
  );

export const exchangedUnits = ({ exchanges }: Model, at: number, which = isLive) =>
  sum(exchanges.filter((exchange) => which(exchange) && exchange.line === at).map(({ units }) => units));

/** Units of a line that the customer has a claim for, or may yet have one. */
export const claimable = (line: ModelLine) => alive(line) - lost(line) - refusedForGood(line);

/** Units of a line that no other return may have: neither what never came nor what was sent back. */
const held = (model: Model, at: number): number => {
  const line = model.lines[at];
  if (line === undefined) throw new Error(`no line ${at}`);
  return alive(line) - lost(line) - Math.min(sentBack(model, at), refusedForGood(line));
};

/** Units of a line that something was given for although they are not here. */
export const givenAlone = (model: Model, at: number) =>
  Math.max(0, paidUnits(model, at) + exchangedUnits(model, at) - held(model, at));

/** Units of each line that money is due for, or may yet be: with a claim, and nothing else for them. */
export const refundable = (model: Model, at: number): number => {
  const line = model.lines[at];
  return line === undefined ? 0 : Math.max(0, claimable(line) - exchangedUnits(model, at));
};

const byOrderLine = (units: (at: number) => number) =>
  sold.map((_, orderLine) => sum(orderLineOf.map((own, at) => (own === orderLine ? units(at) : 0))));

/**
 * Units in the order's account, by line of the order: held, given without being held, given for. What a customer gave
 * back of a refund that was reversed after that counts against what else was given for the same goods.
 */
export const accountOf = (model: Model) => {
  const gave = (at: number) => unitsAt(booked(model), at) + exchangedUnits(model, at);
  const here = byOrderLine((at) => Math.min(paidUnits(model, at) + exchangedUnits(model, at), held(model, at)));
  const given = byOrderLine(gave).map((units) => Math.max(0, units));
  return {
    held: byOrderLine((at) => held(model, at)),
    alone: given.map((units, at) => Math.max(0, units - (here[at] ?? 0))),
    given,
  };
};

/** Units of the order's lines that nobody has. */
export const spare = ({ now, elsewhere }: Pick<World, 'now' | 'elsewhere'>): readonly number[] => {
  const account = accountOf(now);
  return sold.map((all, at) => all - (elsewhere[at] ?? 0) - (account.held[at] ?? 0) - (account.alone[at] ?? 0));
};

const priceOf = (at: number) => prices[orderLineOf[at] ?? 0] ?? 0;
export const worth = (units: readonly number[]) => sum(units.map((quantity, at) => quantity * priceOf(at)));
export const orderLine = (at: number) => orderLineOf[at] ?? 0;
