import { admitted } from '../admitted.ts';
import { conclude, type Outcome } from '../conclude.ts';
import type { GrantedLine } from '../../history/goods-events.ts';
import { refused, type Decision } from '../../failure.ts';
import type { Fault } from '../../model/field-error.ts';
import { knownLines } from '../../known-lines.ts';
import { lost, unreturned } from '../../goods/quantities.ts';
import type { Line, Return } from '../../model/return.ts';
import type { Situation } from '../../situation.ts';

/** Units to honour although they did not come or were refused, and why, as a code. */
export type Grant = { readonly lines: readonly GrantedLine[]; readonly reason: string };

const most = (line: Line, of: GrantedLine['of'], { parcels }: Return): number =>
  of === 'missing' ? lost(line) : unreturned(line, parcels);

const faultsOf = (state: Return, named: Grant['lines']): Fault[] => {
  const given = new Set<string>();
  return named.flatMap(({ lineId, quantity, of }, index) => {
    const line = state.lines.find(({ id }) => id === lineId);
    const left = line === undefined ? 0 : most(line, of, state);
    const faults: Fault[] = [];
    if (quantity > left)
      faults.push({ path: `/lines/${index}/quantity`, code: 'maximum', message: `must be at most ${left}` });
    const name = `${lineId} ${of}`;
    if (given.has(name))
      faults.push({ path: `/lines/${index}/lineId`, code: 'duplicate', message: 'must not be given twice' });
    given.add(name);
    return faults;
  });
};

/** Decides to honour units: missing ones that no other return has taken, and refused ones that are not sent back. */
export const grant = (situation: Situation, { lines, reason }: Grant): Decision<Outcome> => {
  const admission = admitted(situation, 'grant');
  if (!admission.ok) return admission;
  const { state } = situation;
  const known = knownLines(new Set(state.lines.map(({ id }) => id)), lines);
  if (!known.ok) return known;
  const errors = faultsOf(state, lines);
  if (errors.length > 0)
    return refused({ code: 'invalid_request', detail: 'The quantities do not fit the return.', errors });
  return conclude(situation, [{ type: 'items.granted', data: { reason, lines } }]);
};
