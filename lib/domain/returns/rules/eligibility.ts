import { undecided } from '../goods/quantities.ts';
import type { Instant } from '../model/order.ts';
import type { Line, Return, LiableParty } from '../model/return.ts';
import type { Terms } from '../model/terms.ts';
import { expiresAt } from './deadlines.ts';
import type { RuleFailure } from './discrepancies.ts';
import { isProtected } from './floor.ts';
import { type Command, type Scope, scopeOf } from './states.ts';

type EvidenceLine = Pick<Line, 'id' | 'evidenceRequired'>;

/**
 * Returns whether evidence may be required for a line. For a protected line the law allows it only for a defect, and
 * never for a withdrawal.
 */
export const mayDemandEvidence = (
  liableParty: LiableParty | undefined,
  orderLineId: string,
  { terms: { floor }, basis }: { readonly terms: Pick<Terms, 'floor'>; readonly basis: Return['basis'] },
): boolean =>
  floor === null ||
  !isProtected(floor, orderLineId) ||
  (basis !== 'withdrawal' && (liableParty === 'merchant' || liableParty === 'carrier'));

/** Returns whether a line lacks required evidence: an attachment of its own, or of the whole return. */
const lacksEvidence = ({ id, evidenceRequired }: EvidenceLine, evidence: Return['evidence']): boolean =>
  evidenceRequired === true && !evidence.some(({ lineId = id }) => lineId === id);

/** Lists approved lines that lack required evidence. `pathOf` returns the path of a line. */
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
      message: `needs an attachment for line ${id} or for the whole return, or an override`,
    }));
  return errors.length === 0
    ? []
    : [
        {
          code: 'evidence_required',
          detail: 'The reason of a line requires evidence. Add an attachment first.',
          errors,
        },
      ];
};

type EligibilityLine = Pick<Line, 'id' | 'eligibility'>;

/** Lists approved lines that the policy does not allow. `pathOf` returns the path of the override of a line. */
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
            message: `must give the reason to approve line ${id}; an override needs the scope returns:admin`,
          },
        ]
      : [],
  );
  return errors.length === 0
    ? []
    : [{ code: 'not_eligible', detail: 'The policy does not allow the return of these lines.', errors }];
};

/**
 * Returns whether no approval is possible without an override. The policy denies all open lines, or a line that an
 * approval of the others must not reject.
 */
const needsOverride = ({ lines, terms: { floor } }: Pick<Return, 'lines' | 'terms'>): boolean => {
  const open = lines.filter(({ quantities }) => undecided(quantities) > 0);
  const against = open.filter(({ eligibility }) => eligibility?.verdict === 'ineligible');
  return (
    (open.length > 0 && against.length === open.length) ||
    (floor !== null && against.some(({ orderLineId }) => isProtected(floor, orderLineId)))
  );
};

/**
 * Returns the scope that a command requires now. Only an admin expires a return before its time, or approves against a
 * policy.
 */
export const requiredScope = (state: Return, command: Command, now: Instant): Scope => {
  const usual = scopeOf(command, state.status);
  if (command === 'approve' && needsOverride(state)) return 'returns:admin';
  if (command !== 'expire') return usual;
  const time = expiresAt(state);
  return time !== undefined && time <= now ? usual : 'returns:admin';
};
