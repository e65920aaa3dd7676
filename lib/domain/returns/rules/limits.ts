import type { Result } from '../failure.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { takeMissing, ungranted } from '../goods/quantities.ts';
import type { Adjustment } from '../history/lines.ts';
import type { Line, OpenUnits, Return } from '../model/return.ts';
import { maxExchanges } from '../money/exchanges.ts';
import { sum } from '../units-by-line.ts';
import type { Blocker, Guard } from './blocker.ts';

const isNeverSent = (cause: Line['missing'][number]['cause']): boolean => cause === 'never_sent';

/** Counts the units of a line that became missing at the expiry and have not arrived since. */
const stillMissing = (line: Line, released: number): number => {
  const units = line.missing.filter(({ cause }) => isNeverSent(cause)).map(ungranted);
  return Math.min(released, sum(units));
};

/** Reverses for a line the changes that closed the return. */
const reopenLine = ({ status }: Return, line: Line, { lineId, undecided, outstanding }: OpenUnits): Adjustment => {
  if (status === 'cancelled') return { lineId, quantities: { cancelled: -undecided - outstanding } };
  const missing = stillMissing(line, outstanding);
  return {
    lineId,
    quantities: { rejected: -undecided, missing: -missing },
    ...(missing === 0 ? {} : { missing: takeMissing(line.missing, missing, isNeverSent) }),
  };
};

/** Returns the line adjustments that reopen a closed return. The units that were open then are open again. */
export const reopenedLines = (state: Return): readonly Adjustment[] => {
  const released = new Map(state.released.map((units) => [units.lineId, units]));
  return state.lines.flatMap((line) => {
    const units = released.get(line.id);
    return units === undefined ? [] : [reopenLine(state, line, units)];
  });
};

/** The maximum number of lines of a return. */
export const maxLines = 200;

/** The maximum number of refunds of a return. */
const maxRefunds = 100;

/** The maximum number of attachments of a return. */
const maxEvidence = 100;

type ListLimit = { readonly maximum: number; readonly what: string; readonly code: Blocker['code'] };

/** The maximum of each list of a return, its name in messages, and the code of its blocker. */
const limits = {
  parcels: { maximum: 20, what: 'parcels', code: 'too_many_parcels' },
  refunds: { maximum: maxRefunds, what: 'refunds', code: 'too_many_refunds' },
  recoveries: { maximum: 100, what: 'recoveries', code: 'too_many_recoveries' },
  exchanges: { maximum: maxExchanges, what: 'exchanges', code: 'too_many_exchanges' },
  messages: { maximum: 100, what: 'messages', code: 'too_many_messages' },
  notes: { maximum: 100, what: 'notes', code: 'too_many_notes' },
  evidence: { maximum: maxEvidence, what: 'attachments', code: 'too_much_evidence' },
} as const satisfies Partial<Record<keyof Return, ListLimit>>;

type LimitedList = keyof typeof limits;

const isFull = (state: Pick<Return, LimitedList>, list: LimitedList): boolean =>
  state[list].length >= limits[list].maximum;

/** Requires that a list is below its limit. */
export const belowLimit =
  (list: LimitedList): Guard =>
  (state) => {
    const { maximum, what, code } = limits[list];
    return isFull(state, list) ? { code, detail: `A return has at most ${maximum} ${what}.` } : undefined;
  };

/** Rejects one more entry of a full list as a field error. */
export const checkBelowLimit = (state: Return, list: LimitedList): Result<null> => {
  if (!isFull(state, list)) return ok(null);
  const { maximum, what } = limits[list];
  const errors = [
    { path: '/returnId', code: 'max_items', message: `must be a return with fewer than ${maximum} ${what}` },
  ];
  return fail({ code: 'invalid_request', detail: `The return has too many ${what}.`, errors });
};
