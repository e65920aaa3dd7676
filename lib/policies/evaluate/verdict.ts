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

/** What the policy alone says of a line. A denial counts more than what is missing: nothing of that could make it better. */
const policyVerdict = ({ partial, denials, reviews }: LineState): LineVerdictDetails => {
  if (denials.length > 0) return negativeVerdict('ineligible', denials);
  const open = partial ? [{ code: 'partial_order', missing: [] }, ...reviews] : reviews;
  return open.length > 0 ? negativeVerdict('needs_review', open) : eligibleVerdict;
};

/** The right to give back what nobody likes any more, where it is certain: it is one to a refund, and to no exchange. */
const certainWithdrawal = ({ rights, resolution }: LineFacts, { resolutions }: LineState): Right | undefined =>
  resolution === 'refund' || resolutions.includes(resolution)
    ? rights.find(({ claim, certain }) => claim === 'withdrawal' && certain)
    : undefined;

/** Somebody has to look at what a policy denies and a law may give all the same. */
const withStatutoryReview = ({ rights: [right] }: LineFacts, judged: LineVerdictDetails): LineVerdictDetails =>
  judged.verdict !== 'ineligible' || right === undefined
    ? judged
    : {
        verdict: 'needs_review',
        code: 'statutory_right',
        codes: ['statutory_right', ...judged.codes],
        missing: [],
        right: right.law,
      };

/**
 * What is said of a line in the end: no policy goes below what the law gives. A certain right to withdraw is granted; one
 * that is not, and one that rests on a fault, is for somebody to look at. What was never delivered no law decides.
 */
const evaluateLine = (line: LineFacts, standing: LineState): LineVerdictDetails => {
  if (standing.undelivered)
    return negativeVerdict('ineligible', [{ code: 'not_delivered', missing: [] }, ...standing.denials]);
  const judged = policyVerdict(standing);
  const sure = standing.partial ? undefined : certainWithdrawal(line, standing);
  return sure === undefined || judged.verdict === 'eligible'
    ? withStatutoryReview(line, judged)
    : { ...eligibleVerdict, right: sure.law };
};

/** The verdict on a line. */
export const lineVerdict = (line: LineFacts, standing: LineState): LineEvaluation => {
  const { verdict, code, codes, missing, right } = evaluateLine(line, standing);
  const { returnableUntil, resolutions } = standing;
  const said: { -readonly [Field in keyof LineEvaluation]: LineEvaluation[Field] } = {
    orderLineId: line.orderLineId,
    verdict,
    codes,
    missing,
    resolutions,
  };
  // Assigned: what is spread into an object behind other fields the engine copies one by one, by their names.
  if (code !== undefined) said.code = code;
  if (right !== undefined) said.right = right;
  if (returnableUntil !== undefined) said.returnableUntil = returnableUntil;
  return said;
};

const hasCertainWithdrawal = ({ rights }: LineFacts): boolean =>
  rights.some(({ claim, certain }) => claim === 'withdrawal' && certain);

/** The verdict on the whole: what a law gives is approved even where somebody approves all else. */
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
