import { orderLine, type Model, type ModelLine, spare, type World } from './model.ts';
import type { StepOf, Verdict } from './step.ts';
import { endedIn, more, no, undecidedIn, yes } from './verdicts.ts';

const nothing: ModelLine = {
  requested: 0,
  approved: 0,
  rejected: 0,
  cancelled: 0,
  received: 0,
  missing: 0,
  accepted: 0,
  refused: 0,
  grantedMissing: 0,
  grantedRefused: 0,
};

/** Gives earlier parcels and bookings no units of the new line. */
const widened = ({ parcels, refunds, recoveries }: Model): Partial<Model> => ({
  parcels: parcels.map((parcel) => ({ ...parcel, units: [...parcel.units, 0] })),
  refunds: refunds.map((refund) => ({ ...refund, units: [...refund.units, 0] })),
  recoveries: recoveries.map((recovery) => ({ ...recovery, units: [...recovery.units, 0] })),
});

/** Adds units that no return has. A decided line is not decided again, so its units get a line beside it. */
export const amendReturn = (world: World, { by, line: raised, units }: StepOf<'amendReturn'>): Verdict => {
  const { now, refusals } = world;
  const isUndecided = undecidedIn.includes(now.status);
  if (endedIn.includes(now.status)) return no('invalid_transition');
  if (by === 'unexpected' && now.undisposed === 0) return no('unexpected_not_found');
  if (by === 'unexpected' && isUndecided) return no('invalid_transition');
  const isJoining = by === 'raise' && isUndecided;
  const quantity = by === 'unexpected' ? 1 : units;
  if (quantity > (spare(world)[orderLine(isJoining ? raised : now.lines.length)] ?? 0))
    return no('quantity_exceeds_returnable');
  if (isJoining)
    return yes(world, {
      lines: now.lines.map((line, at) => (at === raised ? more(line, { requested: units }) : line)),
    });
  const came = by === 'unexpected' ? { received: 1 } : {};
  const added = { ...nothing, requested: quantity, approved: isUndecided ? 0 : quantity, ...came };
  const items = by === 'unexpected' ? { unexpected: now.unexpected - 1, undisposed: now.undisposed - 1 } : {};
  const next = { ...widened(now), ...items, lines: [...now.lines, added] };
  return yes(world, next, { refusals: [...refusals, []] });
};
