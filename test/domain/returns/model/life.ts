import { holdable } from './goods.ts';
import {
  alive,
  claimable,
  goingBack,
  isLive,
  outstanding,
  refusedForGood,
  sum,
  undecided,
  uninspected,
  type Model,
  type ModelRefund,
  type World,
} from './model.ts';
import { isFeeOpen, owed, recoveryDue } from './money.ts';
import type { StepOf, Verdict } from './step.ts';
import { endedIn, expectingIn, more, named, no, undecidedIn, within, yes } from './verdicts.ts';

const openUnits = ({ lines }: Model): World['released'] =>
  lines.map((line) => ({ undecided: undecided(line), outstanding: outstanding(line) }));

export const approve = (world: World, { units }: StepOf<'approve'>): Verdict => {
  const { now } = world;
  if (!undecidedIn.includes(now.status)) return no('invalid_transition');
  if (!within(units, now, undecided)) return no('invalid_request');
  const lines = now.lines.map((line, at) =>
    more(line, { approved: units[at] ?? 0, rejected: undecided(line) - (units[at] ?? 0) }),
  );
  return yes(world, { lines, status: 'approved' }, { wasApproved: true });
};

export const reject = (world: World): Verdict => {
  const { now } = world;
  if (!undecidedIn.includes(now.status)) return no('invalid_transition');
  const lines = now.lines.map((line) => more(line, { rejected: undecided(line) }));
  return yes(world, { lines, status: 'rejected' }, { released: openUnits(now) });
};

export const requestInfo = (world: World): Verdict =>
  world.now.status === 'requested' ? yes(world, { status: 'info_requested' }) : no('invalid_transition');

export const provideInfo = (world: World): Verdict =>
  world.now.status === 'info_requested' ? yes(world, { status: 'requested' }) : no('invalid_transition');

/** Cancels exchanges whose units were cancelled. The oldest exchanges stay. */
const leftExchanges = (model: Model, units: readonly number[]): Model['exchanges'] => {
  const left = model.lines.map((line, at) => claimable(line) - (units[at] ?? 0));
  return model.exchanges.map((one) => {
    if (!isLive(one)) return one;
    const rest = left[one.line] ?? 0;
    if (one.units > rest) return { ...one, status: 'cancelled' };
    left[one.line] = rest - one.units;
    return one;
  });
};

/** Whether a refund is live and no compensation, which leaves the units to the customer. */
const paysForReturn = (refund: ModelRefund): boolean =>
  isLive(refund) && refund.reduced === undefined && refund.extra === undefined;

export const cancel = (world: World, wanted: readonly number[] | undefined, admin: boolean): Verdict => {
  const { now } = world;
  if (![...undecidedIn, ...expectingIn].includes(now.status) || now.refunds.some(paysForReturn))
    return no('invalid_transition');
  if (now.exchanges.some(({ status }) => status === 'ordered' || status === 'fulfilled'))
    return no('invalid_transition');
  if (['in_transit', 'partially_received'].includes(now.status) && !admin) return no('insufficient_scope');
  const open = now.lines.map((line) => undecided(line) + outstanding(line));
  const units = wanted ?? open;
  if (!within(units, now, (_, at) => open[at] ?? 0)) return no('invalid_request');
  const lines = now.lines.map((line, at) => {
    const quantity = units[at] ?? 0;
    return more(line, { cancelled: quantity });
  });
  const next = { lines, exchanges: leftExchanges(now, units) };
  return lines.some((line) => alive(line) > 0)
    ? yes(world, next)
    : yes(world, { ...next, status: 'cancelled' }, { released: openUnits(now) });
};

/** Returns whether refused units wait for a parcel to the customer. */
const isWaitingToGoBack = ({ now, refusals }: World): boolean =>
  now.lines.some((line, at) => {
    const back = sum((refusals[at] ?? []).map((found) => (found.back ? found.units : 0)));
    return Math.min(back, refusedForGood(line)) > goingBack(now, at);
  });

export const complete = (world: World, { waive }: StepOf<'complete'>): Verdict => {
  const { now } = world;
  const isDone =
    (now.status === 'inspected' || now.status === 'approved') &&
    !named(now.lines.map((line) => outstanding(line) + uninspected(line))) &&
    !isWaitingToGoBack(world) &&
    now.undisposed === 0 &&
    !now.refunds.some(({ status }) => ['pending', 'submitted', 'unknown', 'failed'].includes(status)) &&
    !now.exchanges.some(({ status }) => status === 'requested' || status === 'ordered') &&
    recoveryDue(now) === 0 &&
    (waive || owed(now) <= 0);
  if (!isDone) return no('invalid_transition');
  // A fee that no goods are left to pay is waived.
  const isUncollectable = isFeeOpen(now) && owed({ ...now, feeWaived: true }) <= Math.max(0, owed(now));
  return yes(world, { status: 'completed', feeWaived: now.feeWaived || isUncollectable });
};

export const expire = (world: World, { late }: StepOf<'expire'>, admin: boolean): Verdict => {
  const { now } = world;
  if (now.status !== 'approved' && now.status !== 'info_requested') return no('invalid_transition');
  if (now.refunds.some(paysForReturn) || now.exchanges.some(isLive)) return no('invalid_transition');
  if (now.parcels.some(({ direction, wasInTransit }) => direction === 'inbound' && wasInTransit))
    return no('invalid_transition');
  if (!late && !admin) return no('insufficient_scope');
  const lines = now.lines.map((line) => more(line, { rejected: undecided(line), missing: outstanding(line) }));
  return yes(world, { lines, status: 'expired' }, { released: openUnits(now) });
};

/** Reopens what the end of the return closed, except units that arrived since. */
export const reopen = (world: World, admin: boolean): Verdict => {
  const { now, wasApproved, released } = world;
  if (!endedIn.includes(now.status)) return no('invalid_transition');
  if (!admin) return no('insufficient_scope');
  const lines = now.lines.map((line, at) => {
    const open = released[at] ?? { undecided: 0, outstanding: 0 };
    return now.status === 'cancelled'
      ? more(line, { cancelled: -open.undecided - open.outstanding })
      : more(line, { rejected: -open.undecided, missing: -open.outstanding });
  });
  return holdable(world, { lines, status: wasApproved ? 'approved' : 'requested' }, { released: [] });
};
