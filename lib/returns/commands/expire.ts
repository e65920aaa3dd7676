import { admitted } from './admitted.ts';
import { conclude, type Outcome } from './conclude.ts';
import type { Adjustment } from '../history/adjust-line.ts';
import type { Decision } from '../failure.ts';
import { openUnits } from '../goods/open-units.ts';
import type { Line, OpenUnits, Return } from '../model/return.ts';
import type { Situation } from '../situation.ts';

const giveUp = (line: Line, { outstanding, undecided }: OpenUnits): Adjustment => ({
  lineId: line.id,
  quantities: { rejected: undecided, missing: outstanding },
  ...(outstanding === 0
    ? {}
    : { missing: [...line.missing, { quantity: outstanding, cause: 'never_sent', granted: 0 }] }),
});

const givenUp = (state: Return): readonly Adjustment[] => {
  const open = new Map(openUnits(state).map((units) => [units.lineId, units]));
  return state.lines.flatMap((line) => {
    const units = open.get(line.id);
    return units === undefined ? [] : [giveUp(line, units)];
  });
};

/** Decides on the end of a return that nothing came of: what was to come is missing, what was undecided rejected. */
export const expire = (situation: Situation): Decision<Outcome> => {
  const admission = admitted(situation, 'expire');
  if (!admission.ok) return admission;
  return conclude(situation, [{ type: 'return.expired', data: { lines: givenUp(situation.state) } }]);
};
