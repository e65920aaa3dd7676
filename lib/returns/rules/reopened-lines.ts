import type { Adjustment } from '../history/adjust-line.ts';
import { takeMissing, unhonoured } from '../goods/missing-units.ts';
import type { Line, OpenUnits, Return } from '../model/return.ts';
import { sum } from '../sum.ts';

const neverSent = (cause: Line['missing'][number]['cause']): boolean => cause === 'never_sent';

/** Units of a line that the expiry gave up and that did not come since. */
const stillMissing = (line: Line, released: number): number => {
  const units = line.missing.filter(({ cause }) => neverSent(cause)).map(unhonoured);
  return Math.min(released, sum(units));
};

/** Undoes for a line what closed the return. */
const restored = ({ status }: Return, line: Line, { lineId, undecided, outstanding }: OpenUnits): Adjustment => {
  if (status === 'cancelled') return { lineId, quantities: { cancelled: -undecided - outstanding } };
  const missing = stillMissing(line, outstanding);
  return {
    lineId,
    quantities: { rejected: -undecided, missing: -missing },
    ...(missing === 0 ? {} : { missing: takeMissing(line.missing, missing, neverSent) }),
  };
};

/** What a new start of a closed return changes in its lines: what was open then is open again. */
export const reopenedLines = (state: Return): readonly Adjustment[] => {
  const released = new Map(state.released.map((units) => [units.lineId, units]));
  return state.lines.flatMap((line) => {
    const units = released.get(line.id);
    return units === undefined ? [] : [restored(state, line, units)];
  });
};
