import type { Evaluation, LineEvaluation } from '../evaluation.ts';
import type { LineFacts, Right } from '../facts.ts';
import type { LineBlocker, LineState } from './choose.ts';

const codesOf = (objections: readonly LineBlocker[]): readonly string[] => {
  const codes: string[] = [];
  for (const { code } of objections) if (!codes.includes(code)) codes.push(code);
  return codes;
};

const missingIn = (objections: readonly LineBlocker[]): readonly string[] => {
  const facts: string[] = [];
  for (const { missing } of objections) for (const fact of missing) if (!facts.includes(fact)) facts.push(fact);
  return facts.length < 2 ? facts : facts.toSorted();
};

type LineVerdictDetails = Pick<LineEvaluation, 'verdict' | 'code' | 'codes' | 'missing' | 'right'>;

const negativeVerdict = (
  verdict: 'ineligible' | 'needs_review',
  objections: readonly LineBlocker[],
): LineVerdictDetails => {
  const codes = codesOf(objections);
  const missing = missingIn(objections);
  const code = codes[0];
  return code === undefined ? { verdict, codes, missing } : { verdict, code, codes, missing };
};

const eligibleVerdict: LineVerdictDetails = { verdict: 'eligible', codes: [], missing: [] };

/**
 * Returns the verdict of the policy alone on a line. A denial precedes missing facts, because no fact can revoke it.
 */
const policyVerdict = ({ partial, denials, reviews }: LineState): LineVerdictDetails => {
  if (denials.length > 0) return negativeVerdict('ineligible', denials);
  const open = partial ? [{ code: 'partial_order', missing: [] }, ...reviews] : reviews;
  return open.length > 0 ? negativeVerdict('needs_review', open) : eligibleVerdict;
};

/**
 * Returns the right of withdrawal, if it is certain. It grants a refund. Another resolution that the policy allows needs
 * delivered goods.
 */
const certainWithdrawal = (
  { rights, resolution, delivered }: LineFacts,
  { resolutions }: LineState,
): Right | undefined =>
  resolution === 'refund' || (delivered !== false && resolutions.includes(resolution))
    ? rights.find(({ claim, certain }) => claim === 'withdrawal' && certain)
    : undefined;

/** Requires a review of a line that the policy denies and a law may grant. */
const withStatutoryReview = ({ rights: [right] }: LineFacts, byPolicy: LineVerdictDetails): LineVerdictDetails =>
  byPolicy.verdict !== 'ineligible' || right === undefined
    ? byPolicy
    : {
        verdict: 'needs_review',
        code: 'statutory_right',
        codes: ['statutory_right', ...byPolicy.codes],
        missing: [],
        right: right.law,
      };

/**
 * Returns the final verdict on a line. A policy cannot go below the law. A certain right of withdrawal is granted. An
 * uncertain one, or one that rests on a defect, needs a review. No law decides on an undelivered line, unless it is
 * withdrawn.
 */
const evaluateLine = (line: LineFacts, state: LineState): LineVerdictDetails => {
  const byPolicy = policyVerdict(state);
  if (state.undelivered) return byPolicy;
  const sure = state.partial ? undefined : certainWithdrawal(line, state);
  return sure === undefined || byPolicy.verdict === 'eligible'
    ? withStatutoryReview(line, byPolicy)
    : { ...eligibleVerdict, right: sure.law };
};

/** Returns the verdict on a line. */
export const lineVerdict = (line: LineFacts, state: LineState): LineEvaluation => {
  const { verdict, code, codes, missing, right } = evaluateLine(line, state);
  const { returnableUntil, resolutions, fees } = state;
  const said: { -readonly [Field in keyof LineEvaluation]: LineEvaluation[Field] } = {
    orderLineId: line.orderLineId,
    verdict,
    codes,
    missing,
    resolutions,
  };
  // Assigned and not spread: the engine copies spread fields one by one, by name.
  if (code !== undefined) said.code = code;
  if (right !== undefined) said.right = right;
  if (returnableUntil !== undefined) said.returnableUntil = returnableUntil;
  if (fees !== undefined) said.fees = fees;
  return said;
};

const hasCertainWithdrawal = ({ rights }: LineFacts): boolean =>
  rights.some(({ claim, certain }) => claim === 'withdrawal' && certain);

/** Returns the verdict on the request. A statutory right is approved even when staff must approve the rest. */
export const requestVerdict = (
  lines: readonly LineEvaluation[],
  facts: readonly LineFacts[],
  approval: Evaluation['approval'],
): Evaluation['verdict'] => {
  if (lines.every(({ verdict }) => verdict === 'ineligible')) return 'rejected';
  if (lines.some(({ verdict }) => verdict === 'needs_review')) return 'needs_review';
  const isDue = lines.every(({ verdict }, index) => {
    const line = facts[index];
    return verdict === 'ineligible' || (line !== undefined && hasCertainWithdrawal(line));
  });
  return approval === 'auto' || isDue ? 'approved' : 'needs_review';
};
