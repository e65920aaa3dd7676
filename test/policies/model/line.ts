import type { LineEvaluation } from '../../../lib/policies/evaluation.ts';
import { choose, doubtOf, numberOf, rulesWith, type Denial, type Review } from './choose.ts';
import { truthOf, type Asked } from './truth.ts';
import type { Whole } from './whole.ts';
import { anchorFact, windowEnd } from './window.ts';

/** The input of a condition about one line. */
export type AskedOfLine = Asked & Required<Pick<Asked, 'line'>>;

type Findings = { readonly denials: readonly Denial[]; readonly reviews: readonly Review[] };

const none: Findings = { denials: [], reviews: [] };

const exclusionsAndRequirements = (asked: AskedOfLine, { exempt }: Whole): Findings => {
  const denying = rulesWith(asked.policy, 'deny').filter(
    ({ phase }) => (phase === 'exclusion' || phase === 'requirement') && !exempt.has(phase),
  );
  return {
    denials: denying
      .filter(({ when }) => truthOf(when, asked) === true)
      .map(({ id, phase, deny }) => ({ phase: numberOf(phase), rule: id, code: deny })),
    reviews: denying.filter(({ when }) => truthOf(when, asked) === undefined).map((rule) => doubtOf(rule, asked)),
  };
};

const proofs = (asked: AskedOfLine, { exempt }: Whole): Findings => {
  if (exempt.has('requirement')) return none;
  const lacks = { note: !asked.line.hasNote, evidence: !asked.line.hasEvidence };
  const reviews = rulesWith(asked.policy, 'require').flatMap((rule): Review[] => {
    const truth = truthOf(rule.when, asked);
    const lacking = rule.require.filter((proof) => lacks[proof]);
    if (lacking.length === 0 || truth === false) return [];
    if (truth === undefined) return [doubtOf(rule, asked)];
    return lacking.map((proof) => ({
      phase: numberOf('requirement'),
      rule: rule.id,
      code: `${proof}_required`,
      missing: [],
    }));
  });
  return { denials: [], reviews };
};

const windows = (asked: AskedOfLine, { exempt }: Whole): Findings & { readonly end?: number } => {
  if (exempt.has('window')) return none;
  const { chosen, rivals } = choose(rulesWith(asked.policy, 'window'), asked);
  const phase = numberOf('window');
  if (rivals.length > 0) return { denials: [], reviews: rivals.map((rule) => doubtOf(rule, asked)) };
  if (chosen === undefined) return none;
  const end = windowEnd(chosen.window, asked.policy, asked.facts, asked.line);
  if (end === undefined)
    return { denials: [], reviews: [{ ...doubtOf(chosen, asked), missing: [anchorFact[chosen.window.anchor]] }] };
  const isOver = Date.parse(asked.facts.requestedAt) >= end;
  return { end, denials: isOver ? [{ phase, rule: chosen.id, code: 'window_expired' }] : [], reviews: [] };
};

const allResolutions = ['refund', 'exchange', 'store_credit', 'repair', 'none'] as const;

const resolutionsOf = (asked: AskedOfLine) => {
  const rules = rulesWith(asked.policy, 'resolutions');
  const certain = rules.filter(({ when }) => truthOf(when, asked) === true);
  const unknown = rules.filter(({ when }) => truthOf(when, asked) === undefined);
  const allowed = allResolutions.filter((one) => certain.every(({ resolutions }) => resolutions.includes(one)));
  const isAllowed = allowed.includes(asked.line.resolution);
  const denial = { phase: numberOf('resolution'), rule: '', code: 'resolution_not_allowed' };
  return {
    allowed,
    isAllowed,
    denials: isAllowed ? [] : [denial],
    reviews: unknown
      .filter(({ resolutions }) => !resolutions.includes(asked.line.resolution))
      .map((rule) => doubtOf(rule, asked)),
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

const raised = (given: Verdict, asked: AskedOfLine, isAllowed: boolean): Verdict => {
  const { line, facts } = asked;
  const isPartial = facts.order.completeness === 'partial';
  if (line.delivered === false || given.verdict === 'eligible') return given;
  const withdrawal = line.rights.find(({ claim, certain }) => claim === 'withdrawal' && certain);
  if (withdrawal !== undefined && !isPartial && (line.resolution === 'refund' || isAllowed))
    return { ...eligible, right: withdrawal.law };
  const [right] = line.rights;
  if (given.verdict !== 'ineligible' || right === undefined) return given;
  const code = 'statutory_right';
  return { verdict: 'needs_review', code, codes: [code, ...given.codes], missing: [], right: right.law };
};

/** Evaluates the rules of one line, and the statutory floor over them. */
export const judgeLine = (asked: AskedOfLine, whole: Whole): LineEvaluation => {
  const { facts, line } = asked;
  const window = windows(asked, whole);
  const resolution = resolutionsOf(asked);
  const policyDenials = [
    ...whole.denials,
    ...[exclusionsAndRequirements(asked, whole), window, resolution].flatMap(({ denials }) => denials),
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
      ...[exclusionsAndRequirements(asked, whole), proofs(asked, whole), window, resolution, certain].flatMap(
        ({ reviews }) => reviews,
      ),
    ],
  };
  return {
    orderLineId: line.orderLineId,
    ...raised(unraised(findings), asked, resolution.isAllowed),
    ...(window.end === undefined ? {} : { returnableUntil: new Date(window.end).toISOString() }),
    resolutions: resolution.allowed,
  };
};
