import type { LineEvaluation } from '../../../../lib/domain/policies/evaluation.ts';
import { choose, doubtOf, numberOf, rulesWith, type Denial, type Review } from './choose.ts';
import { truthOf, type ConditionInput } from './truth.ts';
import { feesOf, type Whole } from './whole.ts';
import { anchorFact, windowEnd } from './window.ts';

/** The input of a condition about one line. */
export type LineConditionInput = ConditionInput & Required<Pick<ConditionInput, 'line'>>;

type Findings = { readonly denials: readonly Denial[]; readonly reviews: readonly Review[] };

const none: Findings = { denials: [], reviews: [] };

const exclusionsAndRequirements = (input: LineConditionInput, { exempt }: Whole): Findings => {
  const denying = rulesWith(input.policy, 'deny').filter(
    ({ phase }) => (phase === 'exclusion' || phase === 'requirement') && !exempt.has(phase),
  );
  return {
    denials: denying
      .filter(({ when }) => truthOf(when, input) === true)
      .map(({ id, phase, deny }) => ({ phase: numberOf(phase), rule: id, code: deny })),
    reviews: denying.filter(({ when }) => truthOf(when, input) === undefined).map((rule) => doubtOf(rule, input)),
  };
};

const proofs = (input: LineConditionInput, { exempt }: Whole): Findings => {
  if (exempt.has('requirement')) return none;
  const lacks = { note: !input.line.hasNote, evidence: !input.line.hasEvidence };
  const reviews = rulesWith(input.policy, 'require').flatMap((rule): Review[] => {
    const truth = truthOf(rule.when, input);
    const lacking = rule.require.filter((proof) => lacks[proof]);
    if (lacking.length === 0 || truth === false) return [];
    if (truth === undefined) return [doubtOf(rule, input)];
    return lacking.map((proof) => ({
      phase: numberOf('requirement'),
      rule: rule.id,
      code: `${proof}_required`,
      missing: [],
    }));
  });
  return { denials: [], reviews };
};

const windows = (input: LineConditionInput, { exempt }: Whole): Findings & { readonly end?: number } => {
  if (exempt.has('window')) return none;
  const { chosen, rivals } = choose(rulesWith(input.policy, 'window'), input);
  const phase = numberOf('window');
  if (rivals.length > 0) return { denials: [], reviews: rivals.map((rule) => doubtOf(rule, input)) };
  if (chosen === undefined) return none;
  const end = windowEnd(chosen.window, input.policy, input.facts, input.line);
  const { anchor, fallback } = chosen.window;
  if (end === undefined)
    return {
      denials: [],
      reviews: [
        {
          ...doubtOf(chosen, input),
          missing: [anchor, ...(fallback ? [fallback.anchor] : [])].map((of) => anchorFact[of]),
        },
      ],
    };
  const isOver = Date.parse(input.facts.requestedAt) >= end;
  return { end, denials: isOver ? [{ phase, rule: chosen.id, code: 'window_expired' }] : [], reviews: [] };
};

const allResolutions = ['refund', 'exchange', 'store_credit', 'repair', 'none'] as const;

const resolutionsOf = (input: LineConditionInput) => {
  const rules = rulesWith(input.policy, 'resolutions');
  const certain = rules.filter(({ when }) => truthOf(when, input) === true);
  const unknown = rules.filter(({ when }) => truthOf(when, input) === undefined);
  const allowed = allResolutions.filter((one) => certain.every(({ resolutions }) => resolutions.includes(one)));
  const isAllowed = allowed.includes(input.line.resolution);
  const denial = { phase: numberOf('resolution'), rule: '', code: 'resolution_not_allowed' };
  return {
    allowed,
    isAllowed,
    denials: isAllowed ? [] : [denial],
    reviews: unknown
      .filter(({ resolutions }) => !resolutions.includes(input.line.resolution))
      .map((rule) => doubtOf(rule, input)),
  };
};

/** Turns denials that an allow list might exempt from into reviews. */
const doubted = (denials: readonly Denial[], { maybeExempt }: Whole): Findings => {
  const doubtsOf = (denial: Denial) => maybeExempt.filter(({ phase }) => numberOf(phase) === denial.phase);
  return {
    denials: denials.filter((denial) => doubtsOf(denial).length === 0),
    reviews: denials.flatMap((denial) =>
      doubtsOf(denial).map(({ doubt }) => ({ ...denial, code: doubt.code, missing: doubt.missing })),
    ),
  };
};

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

/** Returns the codes by phase, then by rule. */
const codesOf = (reasons: readonly Denial[]): readonly string[] =>
  unique(reasons.toSorted((a, b) => a.phase - b.phase || (a.rule < b.rule ? -1 : 1)).map(({ code }) => code));

type Verdict = Pick<LineEvaluation, 'verdict' | 'code' | 'codes' | 'missing' | 'right'>;

const eligible: Verdict = { verdict: 'eligible', codes: [], missing: [] };

const unraised = ({ denials, reviews }: Findings): Verdict => {
  const [denied] = codesOf(denials);
  if (denied !== undefined) return { verdict: 'ineligible', code: denied, codes: codesOf(denials), missing: [] };
  const codes = codesOf(reviews);
  const [code] = codes;
  if (code === undefined) return eligible;
  const missing = unique(reviews.flatMap((review) => review.missing)).toSorted();
  return { verdict: 'needs_review', code, codes, missing };
};

const raised = (verdict: Verdict, input: LineConditionInput, isAllowed: boolean): Verdict => {
  const { line, facts } = input;
  const isPartial = facts.order.completeness === 'partial';
  const withdrawals = line.rights.filter(({ claim }) => claim === 'withdrawal');
  const isWithdrawn = facts.return.basis === 'withdrawal' && withdrawals.length > 0;
  if ((line.delivered === false && !isWithdrawn) || verdict.verdict === 'eligible') return verdict;
  const withdrawal = withdrawals.find(({ certain }) => certain);
  const isGranted = line.resolution === 'refund' || (isAllowed && line.delivered !== false);
  if (withdrawal !== undefined && !isPartial && isGranted) return { ...eligible, right: withdrawal.law };
  const [right] = line.rights;
  if (verdict.verdict !== 'ineligible' || right === undefined) return verdict;
  const code = 'statutory_right';
  return { verdict: 'needs_review', code, codes: [code, ...verdict.codes], missing: [], right: right.law };
};

/** Evaluates the rules of one line, and the statutory floor over them. */
export const evaluateLine = (input: LineConditionInput, whole: Whole): LineEvaluation => {
  const { facts, line } = input;
  const window = windows(input, whole);
  const resolution = resolutionsOf(input);
  const charged = feesOf(input);
  const policyDenials = [
    ...whole.denials,
    ...[exclusionsAndRequirements(input, whole), window, resolution].flatMap(({ denials }) => denials),
  ];
  const certain = doubted(policyDenials, whole);
  const partial: Review = { phase: 0, rule: 'facts.completeness', code: 'partial_order', missing: [] };
  const findings: Findings = {
    denials: [
      ...(line.delivered === false ? [{ phase: 2, rule: 'integrity.delivered', code: 'not_delivered' }] : []),
      ...certain.denials,
    ],
    reviews: [
      ...(facts.order.completeness === 'partial' ? [partial] : []),
      ...whole.reviews,
      ...[exclusionsAndRequirements(input, whole), proofs(input, whole), window, resolution, charged, certain].flatMap(
        ({ reviews }) => reviews,
      ),
    ],
  };
  return {
    orderLineId: line.orderLineId,
    ...raised(unraised(findings), input, resolution.isAllowed),
    ...(window.end === undefined ? {} : { returnableUntil: new Date(window.end).toISOString() }),
    resolutions: resolution.allowed,
    ...(Object.keys(charged.fees).length === 0 ? {} : { fees: charged.fees }),
  };
};
