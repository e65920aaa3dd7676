import { outstanding, undecided } from './quantities.ts';
import type { OpenUnits, Unversioned } from '../model/return.ts';

/** What of a return is still to be decided on or to come, by line; lines without any are left out. */
export const openUnits = ({ lines }: Pick<Unversioned, 'lines'>): readonly OpenUnits[] =>
  lines
    .map(({ id, quantities }) => ({
      lineId: id,
      undecided: undecided(quantities),
      outstanding: outstanding(quantities),
    }))
    .filter((open) => open.undecided + open.outstanding > 0);
