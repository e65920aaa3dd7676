import { undecided } from '../../goods/quantities.ts';
import type { Event } from '../../history/entry.ts';
import type { SettledLine } from '../../history/life-events.ts';
import type { Eligibility, Judgement, Line, Return, Unversioned } from '../../model/return.ts';
import { eligibilityObjections, evidenceObjections } from '../../rules/eligibility.ts';
import type { Objection } from '../../rules/fact.ts';
import { floorObjections } from '../../rules/floor.ts';

/**
 * Settles what was asked for: of each line the units approved, the rest rejected.
 *
 * @param units units to approve by line id; a line that is not named is rejected
 */
export const settleLines = (
  { lines, terms }: Pick<Return, 'lines' | 'terms'>,
  units: ReadonlyMap<string, number>,
): readonly SettledLine[] =>
  lines.map(({ id, quantities }) => {
    const more = units.get(id) ?? 0;
    return {
      lineId: id,
      approved: quantities.approved + more,
      rejected: quantities.rejected + undecided(quantities) - more,
      ...(terms.returnless === true && more > 0 ? { returnless: quantities.returnless + more } : {}),
    };
  });

/** What a policy says of a request, line by line: undefined where it allows one. */
export type Judged = Judgement & { readonly lines: readonly (Eligibility | undefined)[] };

/** What a platform has decided on a return that it manages. */
type Told = 'requested' | 'approved' | 'rejected' | undefined;

/** Approves the lines that qualify, or all of them, and rejects the rest. */
export const approval = (state: Unversioned, isApproved: (line: Line) => boolean): Event => {
  const units = state.lines
    .filter(isApproved)
    .map(({ id, quantities }): [string, number] => [id, undecided(quantities)]);
  return { type: 'return.approved', data: { lines: settleLines(state, new Map(units)) } };
};

const rejection = (state: Unversioned, code: string): Event => ({
  type: 'return.rejected',
  data: { rejection: { code }, lines: settleLines(state, new Map()) },
});

const qualifies = ({ eligibility }: Line): boolean => eligibility?.verdict !== 'ineligible';

/** Nothing can have been attached to a return that is only asked for. */
const wantsEvidence = ({ lines }: Unversioned): boolean =>
  lines.some((line) => line.evidenceRequired && qualifies(line));

/** What a policy decides with the request itself. It binds customers; whoever works for the shop may know better. */
const byPolicy = (state: Unversioned, { verdict }: Judged): readonly Event[] => {
  const isAdvice = state.initiatedBy === 'agent' && !state.lines.every(qualifies);
  if (verdict === 'needs_review' || isAdvice) return [];
  if (verdict === 'approved') return [approval(state, qualifies)];
  const code = state.lines.find(({ eligibility }) => eligibility !== undefined)?.eligibility?.code;
  return [rejection(state, code ?? 'rejected')];
};

/** What is decided with the request itself: by the platform that made it, by a policy, or by the terms. */
export const settledAtOnce = (state: Unversioned, told: Told, judged: Judged | undefined): readonly Event[] => {
  if (told === 'requested') return [];
  if (told === 'rejected') return [rejection(state, 'rejected_by_platform')];
  if (told === 'approved') return [approval(state, () => true)];
  if (wantsEvidence(state) && judged?.verdict !== 'rejected') return [];
  if (judged !== undefined) return byPolicy(state, judged);
  return state.terms.approval === 'auto' ? [approval(state, () => true)] : [];
};

const path = () => '/observed/status';

/** What the rules of the service say against what a platform has decided with the request. */
export const objectionsTo = (state: Unversioned, told: Told): readonly Objection[] => {
  const asked = state.lines.map(({ orderLineId, quantities }) => ({ orderLineId, units: quantities.requested }));
  if (told === 'rejected') return floorObjections(state.terms, asked);
  return told === 'approved'
    ? [...eligibilityObjections(state.lines, path), ...evidenceObjections(state.lines, [], path)]
    : [];
};
