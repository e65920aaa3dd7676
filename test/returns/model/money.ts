import {
  claimable,
  entitled,
  exchangedUnits,
  isLive,
  outstanding,
  paidUnits,
  sum,
  undecided,
  wayBackFee,
  worth,
  type ExchangeStatus,
  type Model,
  type RefundStatus,
  type World,
} from './model.ts';
import type { StepOf, Verdict } from './step.ts';
import { approvedIn, named, no, undecidedIn, within, yes } from './verdicts.ts';

/** What is kept for the way back, where anything comes back: in all, and what of it nobody has taken or given up. */
const feeOf = ({ lines, refunds, feeWaived }: Model) => {
  const amount = lines.some(({ approved, cancelled }) => approved > cancelled) ? wayBackFee : 0;
  const applied = sum(refunds.filter(isLive).map(({ fee }) => fee));
  const open = feeWaived ? 0 : Math.max(0, amount - applied);
  return { open, kept: feeWaived ? Math.min(amount, applied) : amount };
};

/** Units of each line that something but goods is due for: with a claim, or that may yet have one. */
const refundable = (model: Model, at: number): number => {
  const line = model.lines[at];
  return line === undefined ? 0 : Math.max(0, claimable(line) - exchangedUnits(model, at));
};

const payable = ({ now, inAdvance }: World, at: number): number => {
  const line = now.lines[at];
  if (line === undefined) return 0;
  const ceiling = inAdvance ? refundable(now, at) - undecided(line) : entitled(line) - exchangedUnits(now, at);
  return ceiling - paidUnits(now, at);
};

const most = (model: Model): number =>
  Math.max(0, worth(model.lines.map((_, at) => refundable(model, at))) - feeOf(model).kept);

/** Cents that the customer is owed yet, below zero when more was paid. */
export const owed = (model: Model): number => most(model) - sum(model.refunds.filter(isLive).map(({ cents }) => cents));

/** Cents that the customer has to give back, now that nothing more is decided or comes. */
export const recoveryDue = (model: Model): number => {
  if (model.lines.some((line) => undecided(line) + outstanding(line) > 0)) return 0;
  const paid = sum(model.refunds.filter(({ status }) => status === 'succeeded').map(({ cents }) => cents));
  return Math.max(0, paid - most(model) - model.recovered);
};

export const refund = (world: World, { units }: StepOf<'refund'>, admin: boolean): Verdict => {
  const { now, inAdvance } = world;
  const from = inAdvance ? approvedIn : ['partially_received', 'received', 'inspected'];
  if (![...from, 'completed'].includes(now.status)) return no('invalid_transition');
  if (now.status === 'completed' && !admin) return no('insufficient_scope');
  if (!within(units, now, (_, at) => Math.max(0, payable(world, at)))) return no('refund_exceeds_ceiling');
  // Every unit costs more than the fee.
  const fee = feeOf(now).open;
  return yes(world, { refunds: [...now.refunds, { status: 'pending', units, cents: worth(units) - fee, fee }] });
};

const results: Readonly<Record<RefundStatus, readonly RefundStatus[]>> = {
  pending: ['submitted', 'cancelled'],
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

/** Goods for goods: of units that nothing was given for yet. */
export const exchange = (world: World, { line: at, units }: StepOf<'exchange'>): Verdict => {
  const { now } = world;
  if (!approvedIn.includes(now.status)) return no('invalid_transition');
  const left = now.lines.map((_, place) => Math.max(0, refundable(now, place) - paidUnits(now, place)));
  if (!named(left)) return no('invalid_transition');
  if (units > (left[at] ?? 0)) return no('refund_exceeds_ceiling');
  return yes(world, { exchanges: [...now.exchanges, { line: at, units, status: 'requested' }] });
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

export const waiveFee = (world: World, admin: boolean): Verdict => {
  if (![...undecidedIn, ...approvedIn].includes(world.now.status)) return no('invalid_transition');
  if (!admin) return no('insufficient_scope');
  return feeOf(world.now).open === 0 ? no('fee_not_open') : yes(world, { feeWaived: true });
};

export const recordRecovery = (world: World, { cents }: StepOf<'recordRecovery'>): Verdict => {
  const due = recoveryDue(world.now);
  if (due === 0) return no('invalid_transition');
  return cents > due ? no('recovery_exceeds_due') : yes(world, { recovered: world.now.recovered + cents });
};

export const writeOffRecovery = (world: World, admin: boolean): Verdict => {
  const due = recoveryDue(world.now);
  if (due === 0) return no('invalid_transition');
  return admin ? yes(world, { recovered: world.now.recovered + due }) : no('insufficient_scope');
};

export const isFeeOpen = (model: Model): boolean => feeOf(model).open > 0;
