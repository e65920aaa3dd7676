import { differences, loweringDebt, payableNow, reserved, settledDifferences } from './differences.ts';
import {
  booked,
  claimable,
  entitled,
  exchangedUnits,
  isLive,
  outstanding,
  paidUnits,
  prices,
  refundable,
  sold,
  sum,
  toCome,
  undecided,
  wayBackFee,
  worth,
  type ExchangeStatus,
  type Model,
  type RefundStatus,
  type World,
} from './model.ts';
import { agreedCents, keptCents } from './reductions.ts';
import type { StepOf, Verdict } from './step.ts';
import { approvedIn, endedIn, named, no, undecidedIn, within, yes } from './verdicts.ts';

/**
 * Returns the return shipping fee, when goods come back: the fee withheld, the fee charged, and the open rest. The rest
 * is negative when more was taken.
 */
export const feeOf = (model: Model) => {
  const amount = model.lines.some((line) => toCome(line) > 0) ? wayBackFee : 0;
  const applied = sum(booked(model).map(({ fee }) => fee));
  const open = model.feeWaived ? Math.min(0, amount - applied) : amount - applied;
  return { open, applied, withheld: model.feeWaived ? Math.min(amount, applied) : amount };
};

/** Returns the units of each line that refunds may cover in total. */
const ceilingUnits = ({ now, inAdvance }: World, at: number): number => {
  const line = now.lines[at];
  if (line === undefined) return 0;
  return Math.max(0, inAdvance ? refundable(now, at) - undecided(line) : entitled(line) - exchangedUnits(now, at));
};

/** Returns the worth of the goods that money may be due for. */
export const allOf = (model: Model): number => worth(model.lines.map((_, at) => refundable(model, at)));

const maximum = (model: Model): number =>
  Math.max(
    agreedCents(model, ({ status }) => status === 'succeeded'),
    allOf(model) - feeOf(model).withheld,
  );

type Which = Parameters<typeof booked>[1];

/** Returns the exchanged units of each line without a claim, as far as such exchanges gave them. */
const overExchanged = (model: Model, which: Which): readonly number[] =>
  model.lines.map((line, at) =>
    Math.min(exchangedUnits(model, at, which), Math.max(0, exchangedUnits(model, at) - claimable(line))),
  );

const isFulfilled: Which = ({ status }) => status === 'fulfilled';

/** Returns the cents that the customer has: money, and exchanges that were not due. */
const compensatedCents = (model: Model, which: Which, exchanged: Which): number =>
  sum(booked(model, which).map(({ cents }) => cents)) -
  keptCents(model, which) +
  worth(overExchanged(model, exchanged));

/** Returns the cents that the goods of a return may still get, for their total worth. */
const left = (model: Model, all: number, exchanged = differences(model)): number =>
  Math.max(agreedCents(model), all - feeOf(model).withheld) + exchanged - compensatedCents(model, isLive, isLive);

/** Returns the cents still owed to the customer. The sum is negative when more was paid. */
export const owed = (model: Model): number => left(model, allOf(model));

/** Returns the cents that the customer has to pay. Before all decisions and receipts they are for dearer items only. */
export const recoveryDue = (model: Model): number => {
  const has = compensatedCents(model, ({ status }) => status === 'succeeded', isFulfilled);
  const due = Math.max(0, has - maximum(model) - loweringDebt(model) - model.writtenOff.goods);
  return model.lines.some((line) => undecided(line) + outstanding(line) > 0)
    ? Math.min(due, Math.max(0, settledDifferences(model) - differences(model)))
    : due;
};

/**
 * Returns the paid cents that no unit explains. They are negative when they were paid back or count for other goods.
 */
export const loose = (model: Model): number =>
  sum(booked(model).map(({ units, cents, fee, differences: paid }) => cents + fee - paid - worth(units))) -
  keptCents(model);

/** Returns the fee that a refund of these units takes. Every unit costs more than the fee. */
const feeFor = (model: Model, units: readonly number[]): number => {
  const { open } = feeOf(model);
  return named(units) ? open : Math.min(0, open);
};

/** Returns the differences that a refund of these units pays. It deducts what the customer owes, as far as it can. */
const differencesIn = (world: World, units: readonly number[]): number => {
  const { now } = world;
  return Math.max(payableNow(world) - settledDifferences(now), feeFor(now, units) - worth(units));
};

/** Returns the cents that a refund of these units pays. */
const payment = (world: World, units: readonly number[]): number => {
  const { now } = world;
  const byUnits = worth(units) - feeFor(now, units) + differencesIn(world, units);
  const ceiling = worth(now.lines.map((_, at) => ceilingUnits(world, at)));
  // Money paid for other goods counts for these. Recovered money that no unit explains is paid again. Both are limited
  // to the rest.
  const hasOther =
    loose(now) > 0 ||
    now.lines.some((_, at) => paidUnits(now, at) > refundable(now, at)) ||
    named(overExchanged(now, differences(now) > 0 ? isLive : isFulfilled));
  return Math.max(hasOther ? 0 : byUnits, Math.min(byUnits + Math.max(0, -loose(now)), left(now, ceiling)));
};

/** Returns the units of each line that a refund may cover after their inspection. */
const laterUnits = (world: World): readonly number[] =>
  world.now.lines.map((line, at) => {
    const maximum = refundable(world.now, at) - undecided(line);
    return Math.max(0, maximum - Math.max(ceilingUnits(world, at), paidUnits(world.now, at)));
  });

/** Returns the units of a line that a refund may cover now. */
export const payableUnits = (world: World, at: number): number =>
  Math.max(0, ceilingUnits(world, at) - paidUnits(world.now, at));

export const refund = (world: World, { units, result }: StepOf<'refund'>, admin: boolean): Verdict => {
  const { now, inAdvance } = world;
  const from = inAdvance ? approvedIn : ['partially_received', 'received', 'inspected'];
  const later = laterUnits(world);
  const waits = owed(now) > 0 && (named(later) || differences(now) > payableNow(world));
  if (![...from, 'completed'].includes(now.status))
    return no(waits && approvedIn.includes(now.status) ? 'inspection_pending' : 'invalid_transition');
  if (now.status === 'completed' && !admin) return no('insufficient_scope');
  if (!within(units, now, (_, at) => payableUnits(world, at)))
    return no(
      within(units, now, (_, at) => payableUnits(world, at) + (later[at] ?? 0))
        ? 'inspection_pending'
        : 'refund_exceeds_ceiling',
    );
  const cents = payment(world, units);
  const booking = { units, cents, fee: feeFor(now, units), differences: differencesIn(world, units) };
  return cents === 0
    ? no(waits ? 'inspection_pending' : 'refund_exceeds_ceiling')
    : yes(world, { refunds: [...now.refunds, { status: result ?? 'pending', ...booking }] });
};

const results: Readonly<Record<RefundStatus, readonly RefundStatus[]>> = {
  pending: ['submitted', 'succeeded', 'failed', 'unknown', 'cancelled'],
  submitted: ['succeeded', 'failed', 'unknown'],
  unknown: ['succeeded', 'failed'],
  failed: ['submitted', 'cancelled'],
  succeeded: ['reversed'],
  reversed: [],
  cancelled: [],
};

export const recordRefundResult = (world: World, { which, status }: StepOf<'recordRefundResult'>): Verdict => {
  const { refunds } = world.now;
  const at = which % Math.max(1, refunds.length);
  const known = refunds[at];
  if (known === undefined) return no('refund_not_found');
  if (known.status === status) return yes(world, {});
  if (!results[known.status].includes(status)) return no('invalid_transition');
  return yes(world, { refunds: refunds.with(at, { ...known, status }) });
};

/** Exchanges units that were not compensated yet. */
export const exchange = (world: World, { line: at, units, price }: StepOf<'exchange'>): Verdict => {
  const { now } = world;
  if (!approvedIn.includes(now.status)) return no('invalid_transition');
  const open = now.lines.map((_, index) => Math.max(0, refundable(now, index) - paidUnits(now, index)));
  if (!named(open)) return no('invalid_transition');
  if (units > (open[at] ?? 0)) return no('refund_exceeds_ceiling');
  const gross = worth(now.lines.map((_, index) => (index === at ? units : 0)));
  // What the shop owes of cheaper items pays a dearer one.
  const owing = Math.max(0, reserved(now) - settledDifferences(now));
  const taken = gross + Math.min((price ?? gross) - gross, owing);
  if (loose(now) > 0 && taken > Math.max(0, left(now, allOf(now), reserved(now)))) return no('refund_exceeds_ceiling');
  return yes(world, { exchanges: [...now.exchanges, { line: at, units, price, status: 'requested' }] });
};

const exchangeResults: Readonly<Record<ExchangeStatus, readonly ExchangeStatus[]>> = {
  requested: ['ordered', 'cancelled'],
  ordered: ['fulfilled', 'cancelled'],
  fulfilled: [],
  cancelled: [],
};

export const exchangeResult = (world: World, { which, status }: StepOf<'exchangeResult'>): Verdict => {
  const { exchanges } = world.now;
  const at = which % Math.max(1, exchanges.length);
  const known = exchanges[at];
  if (known === undefined) return no('exchange_not_found');
  if (known.status === status) return yes(world, {});
  if (!approvedIn.includes(world.now.status) || !exchangeResults[known.status].includes(status))
    return no('invalid_transition');
  return yes(world, { exchanges: exchanges.with(at, { ...known, status }) });
};

/** Changes nothing on the day of all steps, because the money is due two weeks after receipt. */
export const remindRefund = (world: World): Verdict => {
  const { now, hadReceipt } = world;
  const isDue = hadReceipt && !endedIn.includes(now.status) && owed(now) > 0;
  return isDue ? yes(world, {}) : no('invalid_transition');
};

export const waiveFee = (world: World, admin: boolean): Verdict => {
  if (![...undecidedIn, ...approvedIn].includes(world.now.status)) return no('invalid_transition');
  if (!admin) return no('insufficient_scope');
  return isFeeOpen(world.now) ? yes(world, { feeWaived: true }) : no('fee_not_open');
};

export const isFeeOpen = (model: Model): boolean => feeOf(model).open > 0;

/** Returns the cents that refunds and new items gave of the price of the order. */
export const given = (model: Model): number => {
  const inMoney = sum(booked(model).map(({ cents, differences: paid }) => cents - paid));
  const inGoods = worth(model.lines.map((_, at) => exchangedUnits(model, at)));
  return inMoney + inGoods - Math.max(0, reserved(model) - settledDifferences(model));
};

/** Returns the cents that are left of the price of the order. */
export const priceLeft = (model: Model): number =>
  Math.max(0, sum(sold.map((units, at) => units * (prices[at] ?? 0))) - given(model));
