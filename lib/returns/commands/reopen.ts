import { admitted } from './admitted.ts';
import { conclude, type Outcome } from './conclude.ts';
import type { Adjustment, Event, Renewed, Reopened } from '../history/entry.ts';
import { after } from '../history/fold.ts';
import type { Decision } from '../failure.ts';
import { takeMissing, unhonoured } from '../goods/missing-units.ts';
import type { Line, OpenUnits, Return } from '../return.ts';
import { settledAnew } from './renew-decision.ts';
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
  if (status === 'cancelled') return { lineId, quantities: { cancelled: -undecided - outstanding } };
  const missing = stillMissing(line, outstanding);
  return {
    lineId,
    quantities: { rejected: -undecided, missing: -missing },
    ...(missing === 0 ? {} : { missing: takeMissing(line.missing, missing, neverSent) }),
  };
};

/** Whether a reopened return is to be decided on: what was approved once stays so, by its old decision and terms. */
export const isOpenToDecision = ({ approvedAt }: Pick<Return, 'approvedAt'>): boolean => approvedAt === undefined;

/**
 * Decides on a new start of a return that was closed: what was open then is open again, to be decided on where it never
 * was approved. Refused where another return has the units meanwhile.
 *
 * @param renewed the new decision of a policy, where one is for the order and the return never was approved: it may
 *   approve at once, and rejects nothing (`settledAnew`)
 */
export const reopen = (
  situation: Situation,
  reopening: Reopened['reopening'],
  renewed?: Renewed,
): Decision<Outcome> => {
  const admission = admitted(situation, 'reopen');
  if (!admission.ok) return admission;
  const { state, now } = situation;
  const released = new Map(state.released.map((units) => [units.lineId, units]));
  const lines = state.lines.flatMap((line) => {
    const units = released.get(line.id);
    return units === undefined ? [] : [restored(state, line, units)];
  });
  const status = isOpenToDecision(state) ? 'requested' : 'approved';
  const data = { reopening, status, lines, ...(renewed === undefined ? {} : { renewed }) } as const;
  const reopened: Event = { type: 'return.reopened', data };
  const settled = renewed === undefined ? [] : settledAnew(after(state, { ...reopened, at: now }));
  return conclude(situation, [reopened, ...settled]);
};
