import { admitted } from './admitted.ts';
import { conclude, type Outcome } from './conclude.ts';
import type { Adjustment, Reopened } from '../history/entry.ts';
import type { Decision } from '../failure.ts';
import { takeMissing, unhonoured } from '../goods/missing-units.ts';
import type { Line, OpenUnits, Return } from '../return.ts';
import type { Situation } from '../situation.ts';
import { sum } from '../sum.ts';

const neverSent = (cause: Line['missing'][number]['cause']): boolean => cause === 'never_sent';

/** Units of a line that the expiry gave up and that did not come since. */
const stillMissing = (line: Line, released: number): number => {
  const units = line.missing.filter(({ cause }) => neverSent(cause)).map(unhonoured);
  return Math.min(released, sum(units));
};

/** Undoes for a line what closed the return. */
const restored = ({ status }: Return, line: Line, { lineId, undecided, outstanding }: OpenUnits): Adjustment => {
  if (status === 'cancelled') {
    // A unit that was cancelled undecided counts as approved and cancelled.
    return { lineId, quantities: { approved: -undecided, cancelled: -undecided - outstanding } };
  }
  const missing = stillMissing(line, outstanding);
  return {
    lineId,
    quantities: { rejected: -undecided, missing: -missing },
    ...(missing === 0 ? {} : { missing: takeMissing(line.missing, missing, neverSent) }),
  };
};

/**
 * Decides on a new start of a return that was closed: what was open then is open again, to be decided on where it never
 * was approved. Refused where another return has the units meanwhile.
 */
export const reopen = (situation: Situation, reopening: Reopened['reopening']): Decision<Outcome> => {
  const admission = admitted(situation, 'reopen');
  if (!admission.ok) return admission;
  const { state } = situation;
  const released = new Map(state.released.map((units) => [units.lineId, units]));
  const lines = state.lines.flatMap((line) => {
    const units = released.get(line.id);
    return units === undefined ? [] : [restored(state, line, units)];
  });
  const status = state.approvedAt === undefined ? 'requested' : 'approved';
  return conclude(situation, [{ type: 'return.reopened', data: { reopening, status, lines } }]);
};
