import {
  accountOf,
  claimable,
  exchangedUnits,
  expected,
  compensatedAlone,
  goingBack,
  isOnItsWay,
  isSent,
  lost,
  orderLine,
  outstanding,
  paidUnits,
  refusedForGood,
  sold,
  spare,
  sum,
  uninspected,
  type Model,
  type ModelLine,
  type ParcelStatus,
  type World,
} from './model.ts';
import type { Difference, StepOf, Verdict } from './step.ts';
import { approvedIn, endedIn, expectingIn, more, named, no, undecidedIn, within, yes } from './verdicts.ts';

/** Returns success, unless other returns have the units that this one would hold again. */
export const holdable = (world: World, next: Partial<Model>, beyond: Partial<World> = {}): Verdict => {
  const before = accountOf(world.now);
  const verdict = yes(world, next, beyond);
  if (!verdict.ok) return verdict;
  const { held, alone } = accountOf(verdict.world.now);
  const free = spare(world);
  const isTooMuch = sold.some((_, at) => {
    const units = (held[at] ?? 0) - (before.held[at] ?? 0);
    const taken = units + (alone[at] ?? 0) - (before.alone[at] ?? 0);
    return Math.min(units, taken) > Math.max(0, free[at] ?? 0);
  });
  return isTooMuch ? no('quantity_exceeds_returnable') : verdict;
};

/** Returns the refused units of a line that are in no parcel to the customer. */
const unreturned = (model: Model, at: number): number => {
  const line = model.lines[at];
  return line === undefined ? 0 : Math.max(0, refusedForGood(line) - goingBack(model, at));
};

/** Returns the outstanding units of a line that are in no expected parcel. */
const unshipped = (model: Model, at: number): number => {
  const line = model.lines[at];
  return line === undefined ? 0 : Math.max(0, outstanding(line) - expected(model, at));
};

/** Adds a parcel to the shop until all units are inspected. After that, a parcel returns refused units. */
export const addParcel = (world: World, { units, status }: StepOf<'addParcel'>): Verdict => {
  const { now } = world;
  if (![...approvedIn, 'completed'].includes(now.status)) return no('invalid_transition');
  const direction = now.status === 'inspected' || now.status === 'completed' ? 'outbound' : 'inbound';
  const maximum = now.lines.map((_, at) => (direction === 'inbound' ? unshipped(now, at) : unreturned(now, at)));
  if (!named(maximum)) return no('invalid_transition');
  if (now.parcels.length === 20 || !within(units, now, (_, at) => maximum[at] ?? 0)) return no('invalid_request');
  // A parcel without contents holds all units that wait for one.
  const contents = named(units) ? units : maximum;
  const parcel = { direction, status, wasInTransit: isSent({ status }), units: contents } as const;
  return yes(world, { parcels: [...now.parcels, parcel] });
};

const moved = (parcels: Model['parcels'], at: number, status: ParcelStatus): Model['parcels'] =>
  parcels.map((parcel, index) =>
    index === at ? { ...parcel, status, wasInTransit: parcel.wasInTransit || isSent({ status }) } : parcel,
  );

export const updateParcel = (world: World, { which, status }: StepOf<'updateParcel'>): Verdict => {
  const { parcels } = world.now;
  if (![...approvedIn, 'completed'].includes(world.now.status)) return no('invalid_transition');
  const parcel = parcels[which % Math.max(1, parcels.length)];
  if (parcel === undefined) return no('invalid_transition');
  const may = isOnItsWay(parcel) || parcel.status === status || (parcel.status === 'lost' && status === 'delivered');
  if (!may) return no('invalid_transition');
  // Units that were not sent to the customer after all are held again.
  return holdable(world, { parcels: moved(parcels, which % parcels.length, status) });
};

/** Receives outstanding units first, then late missing units that no other return has. The rest is unexpected. */
export const receive = (world: World, units: readonly number[]): Verdict => {
  const { now } = world;
  if (undecidedIn.includes(now.status)) return no('invalid_transition');
  if (!named(units)) return no('invalid_request');
  const takes = !['rejected', 'cancelled'].includes(now.status);
  const free = [...spare(world)];
  const came = now.lines.map((line, at) => {
    const due = takes ? Math.min(units[at] ?? 0, outstanding(line)) : 0;
    const own = compensatedAlone(now, at);
    const orderLineIndex = orderLine(at);
    const late = takes ? Math.min((units[at] ?? 0) - due, lost(line), own + Math.max(0, free[orderLineIndex] ?? 0)) : 0;
    free[orderLineIndex] = (free[orderLineIndex] ?? 0) - Math.max(0, late - own);
    return { due, late };
  });
  const lines = now.lines.map((line, at) => {
    const { due = 0, late = 0 } = came[at] ?? {};
    return more(line, { received: due + late, missing: -late });
  });
  const taken = sum(came.map(({ due, late }) => due + late));
  const surplus = sum(units) - taken;
  const rest = { unexpected: now.unexpected + surplus, undisposed: now.undisposed + surplus };
  // Received goods reopen an ended return.
  return taken > 0 ? yes(world, { ...rest, lines, status: 'approved' }, { released: [] }) : yes(world, rest);
};

export const receiveParcel = (world: World, { which }: StepOf<'receiveParcel'>): Verdict => {
  const { now } = world;
  if (undecidedIn.includes(now.status)) return no('invalid_transition');
  const at = which % Math.max(1, now.parcels.length);
  const parcel = now.parcels[at];
  if (parcel === undefined) return no('parcel_not_found');
  if (parcel.direction === 'outbound' || parcel.status === 'cancelled') return no('invalid_request');
  const arrived = yes(world, { parcels: moved(now.parcels, at, 'delivered') });
  // A parcel whose units have all arrived only changes its status.
  if (!named(parcel.units) && parcel.status !== 'delivered') return arrived;
  return arrived.ok ? receive(arrived.world, parcel.units) : arrived;
};

export const closeReceipt = (world: World): Verdict => {
  const { status, lines } = world.now;
  return expectingIn.includes(status) && lines.some((line) => outstanding(line) > 0)
    ? yes(world, { lines: lines.map((line) => more(line, { missing: outstanding(line) })) })
    : no('invalid_transition');
};

const nothingToInspect = ({ status, lines, undisposed }: Model) =>
  !['partially_received', 'received', 'inspected'].includes(status) ||
  (undisposed === 0 && lines.every((line) => uninspected(line) === 0));

export const inspect = (world: World, { accept, refuse, back }: StepOf<'inspect'>): Verdict => {
  const { now } = world;
  if (nothingToInspect(now)) return no('invalid_transition');
  const both = now.lines.map((_, at) => (accept[at] ?? 0) + (refuse[at] ?? 0));
  if (!within(both, now, uninspected)) return no('invalid_request');
  const lines = now.lines.map((line, at) => more(line, { accepted: accept[at] ?? 0, refused: refuse[at] ?? 0 }));
  const refusals = world.refusals.map((found, at) => [...found, { units: refuse[at] ?? 0, back }]);
  return yes(world, { lines }, { refusals });
};

/** Records a disposition for all unexpected units. */
export const dispose = (world: World): Verdict => {
  if (nothingToInspect(world.now)) return no('invalid_transition');
  return world.now.undisposed === 0 ? no('invalid_request') : yes(world, { undisposed: 0 });
};

export const grant = (world: World, { of, units }: StepOf<'grant'>, admin: boolean): Verdict => {
  const { now } = world;
  if (!approvedIn.includes(now.status)) return no('invalid_transition');
  if (now.lines.every((line, at) => lost(line) + unreturned(now, at) === 0)) return no('invalid_transition');
  if (!admin) return no('insufficient_scope');
  if (!within(units, now, (line, at) => (of === 'missing' ? lost(line) : unreturned(now, at))))
    return no('invalid_request');
  const field = of === 'missing' ? 'grantedMissing' : 'grantedRefused';
  return holdable(world, { lines: now.lines.map((line, at) => more(line, { [field]: units[at] ?? 0 })) });
};

/** Takes corrected units out of the refusals, the last first. Added units are not to be sent back. */
const corrected = (found: World['refusals'][number], by: number): World['refusals'][number] => {
  if (by > 0) return [...found, { units: by, back: false }];
  let left = -by;
  return found
    .toReversed()
    .map(({ units, back }) => {
      const taken = Math.min(left, units);
      left -= taken;
      return { units: units - taken, back };
    })
    .toReversed();
};

/** Checks that each unit counts once, and that money, parcels and an ended return stay valid. */
const isSound = (model: Model, at: number, by: Difference): boolean => {
  const line = model.lines[at];
  if (line === undefined || Object.values(by).every((units) => units === 0)) return false;
  const next = more(line, by);
  const coming = outstanding(next) - outstanding(line);
  const money = Math.min(paidUnits(model, at), Math.max(0, claimable(line) - exchangedUnits(model, at)));
  return (
    Math.min(next.received, next.accepted, lost(next), uninspected(next)) >= 0 &&
    -by.refused <= unreturned(model, at) &&
    -coming <= unshipped(model, at) &&
    Math.max(0, claimable(next) - exchangedUnits(model, at)) >= money
  );
};

export const correct = (world: World, { line: at, by }: StepOf<'correct'>, admin: boolean): Verdict => {
  const { now } = world;
  if (!admin) return no('insufficient_scope');
  if (!isSound(now, at, by)) return no('invalid_request');
  const lines = now.lines.map((line, index) => (index === at ? more(line, by) : line));
  // An ended return reopens when units are outstanding, not inspected or without a disposition.
  const isOpen = (line: ModelLine) =>
    outstanding(line) + uninspected(line) > 0 || (now.status === 'expired' && line.received > 0);
  const again = endedIn.includes(now.status) && (lines.some(isOpen) || now.undisposed > 0);
  const refusals = world.refusals.map((found, index) => (index === at ? corrected(found, by.refused) : found));
  const released = world.released.map((open, index) =>
    index === at ? { ...open, outstanding: Math.min(open.outstanding, lines[at]?.missing ?? 0) } : open,
  );
  return again
    ? holdable(world, { lines, status: 'approved' }, { refusals, released: [] })
    : holdable(world, { lines }, { refusals, released });
};
