import { undecided } from '../goods/quantities.ts';
import type { Instant } from '../model/order.ts';
import type { Fault } from '../model/reason.ts';
import type { Line, Return } from '../model/return.ts';
import type { Terms } from '../model/terms.ts';
import { expiresAt } from './deadlines.ts';
import type { RuleFailure } from './discrepancies.ts';
import { isProtected } from './floor.ts';
import { type Command, type Scope, scopeOf } from './states.ts';

type EvidenceLine = Pick<Line, 'id' | 'evidenceRequired'>;

/** No law lets evidence be asked of who gives back what is not liked any more, whatever is wrong with it besides. */
export const mayDemandEvidence = (
  fault: Fault | undefined,
  orderLineId: string,
  { terms: { floor }, basis }: { readonly terms: Pick<Terms, 'floor'>; readonly basis: Return['basis'] },
): boolean =>
  floor === null ||
  !isProtected(floor, orderLineId) ||
  (basis !== 'withdrawal' && (fault === 'merchant' || fault === 'carrier'));

/** Whether a line still lacks the evidence that its reason demands: an attachment of its own, or of the whole return. */
const lacksEvidence = ({ id, evidenceRequired }: EvidenceLine, evidence: Return['evidence']): boolean =>
  evidenceRequired === true && !evidence.some(({ lineId = id }) => lineId === id);

/** The objections to approving lines without the evidence that their reasons demand; `pathOf` says where each is named. */
export const evidenceFailures = (
  approved: readonly EvidenceLine[],
  evidence: Return['evidence'],
  pathOf: (lineId: string) => string,
): readonly RuleFailure[] => {
  const errors = approved
    .filter((line) => lacksEvidence(line, evidence))
    .map(({ id }) => ({
      path: pathOf(id),
      code: 'evidence',
      message: `needs an attachment of line ${id} or of the whole return, or an override`,
    }));
  return errors.length === 0
    ? []
    : [{ code: 'evidence_required', detail: 'The reason of a line demands evidence, and there is none.', errors }];
};

type EligibilityLine = Pick<Line, 'id' | 'eligibility'>;

/** What a policy says against lines that are approved; `pathOf` says where an override of each is given. */
export const eligibilityFailures = (
  approved: readonly EligibilityLine[],
  pathOf: (lineId: string) => string,
): readonly RuleFailure[] => {
  const errors = approved.flatMap(({ id, eligibility }) =>
    eligibility?.verdict === 'ineligible'
      ? [
          {
            path: pathOf(id),
            code: eligibility.code,
            message: `must say why line ${id} is approved all the same; an override needs the scope returns:admin`,
          },
        ]
      : [],
  );
  return errors.length === 0
    ? []
    : [{ code: 'not_eligible', detail: 'By the policy that decides on this return, lines do not qualify.', errors }];
};

/**
 * Whether only an override approves any of what is open: a policy speaks against all of it, or against a line that no
 * approval of the others may reject.
 */
const needsOverride = ({ lines, terms: { floor } }: Pick<Return, 'lines' | 'terms'>): boolean => {
  const open = lines.filter(({ quantities }) => undecided(quantities) > 0);
  const against = open.filter(({ eligibility }) => eligibility?.verdict === 'ineligible');
  return (
    (open.length > 0 && against.length === open.length) ||
    (floor !== null && against.some(({ orderLineId }) => isProtected(floor, orderLineId)))
  );
};

/** The scope that a command needs now: only an admin lets a return expire before its time, or approves against a policy. */
export const requiredScope = (state: Return, command: Command, now: Instant): Scope => {
  const usual = scopeOf(command, state.status);
  if (command === 'approve' && needsOverride(state)) return 'returns:admin';
  if (command !== 'expire') return usual;
  const time = expiresAt(state);
  return time !== undefined && time <= now ? usual : 'returns:admin';
};
