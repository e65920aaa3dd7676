import type { Effect, Evaluation, LineEvaluation, TraceEntry } from '../../../../lib/domain/policies/evaluation.ts';
import type { Resolution } from '../../../../lib/domain/returns/model/return.ts';

/** The result that the trace must explain. */
export type Explained = {
  readonly verdict: Evaluation['verdict'];
  readonly approval: Evaluation['approval'];
  readonly lines: readonly Pick<LineEvaluation, 'verdict' | 'codes'>[];
};

type Kind = Effect extends infer One ? (One extends Effect ? keyof One : never) : never;

/** Returns the given member of an effect, if the effect has it. */
const memberOf = ({ effect }: TraceEntry, kind: Kind): unknown =>
  (effect as Readonly<Record<string, unknown>> | undefined)?.[kind];

const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? (value as readonly string[]) : []);

/** The effect of an entry on a line: a denial, a review, or none. */
type Reason = { readonly denies: boolean; readonly codes: readonly string[] };

const denial = (code: unknown): Reason => ({ denies: true, codes: [String(code)] });
const doubt: Reason = { denies: false, codes: ['needs_review'] };
const nothing: Reason = { denies: false, codes: [] };

const reasonOf = (entry: TraceEntry, resolution: Resolution): Reason => {
  const { phase, result, overruledBy } = entry;
  const isCertain = result === 'matched';
  if (result === 'not_matched' || result === 'skipped') return nothing;
  if (phase === 'facts') return { denies: false, codes: ['partial_order'] };
  if (phase === 'floor') return nothing;
  if (phase === 'integrity') return isCertain ? denial(memberOf(entry, 'deny')) : nothing;
  if (phase === 'resolution') {
    const isAllowed = texts(memberOf(entry, 'resolutions')).includes(resolution);
    if (isAllowed) return nothing;
    return isCertain ? denial('resolution_not_allowed') : doubt;
  }
  if (phase === 'window') {
    if (overruledBy !== undefined) return nothing;
    if (!isCertain || memberOf(entry, 'end') === undefined) return doubt;
    return memberOf(entry, 'expired') === true ? denial('window_expired') : nothing;
  }
  if (phase === 'fee' || phase === 'logistics' || phase === 'settlement')
    return isCertain || overruledBy !== undefined ? nothing : doubt;
  const lacks = texts(memberOf(entry, 'lacks'));
  if (lacks.length > 0) return isCertain ? { denies: false, codes: lacks.map((one) => `${one}_required`) } : doubt;
  if (memberOf(entry, 'deny') === undefined) return nothing;
  return isCertain ? denial(memberOf(entry, 'deny')) : doubt;
};

/** Turns a denial that an allow list might exempt from into a review. */
const doubted = (trace: readonly TraceEntry[], { phase }: TraceEntry, reason: Reason): Reason => {
  const mayBeExempt = trace.some(
    (entry) => entry.result === 'unknown' && texts(memberOf(entry, 'exempts')).some((exempted) => exempted === phase),
  );
  return reason.denies && mayBeExempt ? doubt : reason;
};

const distinct = (codes: readonly string[]): readonly string[] => [...new Set(codes)];

type ExplainedLine = Explained['lines'][number];

const lineOf = (trace: readonly TraceEntry[], index: number, resolution: Resolution): ExplainedLine => {
  const about = trace.filter(({ line }) => line === undefined || line === index);
  const reasons = about.map((entry) => doubted(trace, entry, reasonOf(entry, resolution)));
  const denials = distinct(reasons.filter(({ denies }) => denies).flatMap(({ codes }) => codes));
  const reviews = distinct(reasons.filter(({ denies }) => !denies).flatMap(({ codes }) => codes));
  const policy: ExplainedLine =
    denials.length > 0
      ? { verdict: 'ineligible', codes: denials }
      : { verdict: reviews.length > 0 ? 'needs_review' : 'eligible', codes: reviews };
  const isUndelivered = denials.includes('not_delivered');
  if (isUndelivered && !isWithdrawn(about)) return policy;
  const isOwed =
    hasCertainWithdrawal(about) &&
    !reviews.includes('partial_order') &&
    (resolution === 'refund' || (!isUndelivered && !denials.includes('resolution_not_allowed')));
  if (isOwed) return { verdict: 'eligible', codes: [] };
  const hasRight = about.some(({ phase }) => phase === 'floor');
  return hasRight && denials.length > 0 ? { verdict: 'needs_review', codes: ['statutory_right', ...denials] } : policy;
};

const hasCertainWithdrawal = (entries: readonly TraceEntry[]): boolean =>
  entries.some(
    ({ phase, inputs }) => phase === 'floor' && inputs['claim'] === 'withdrawal' && inputs['certain'] === true,
  );

const isWithdrawn = (entries: readonly TraceEntry[]): boolean =>
  entries.some(({ inputs }) => inputs['return.basis'] === 'withdrawal' && 'line.delivered' in inputs) &&
  entries.some(({ phase, inputs }) => phase === 'floor' && inputs['claim'] === 'withdrawal');

const approvalOf = (trace: readonly TraceEntry[]): Explained['approval'] => {
  const entries = trace.filter(({ phase }) => phase === 'approval');
  const saying = (approval: string, ...results: readonly string[]) =>
    entries.some((entry) => memberOf(entry, 'approval') === approval && results.includes(entry.result));
  if (saying('reject', 'matched')) return 'reject';
  return saying('auto', 'matched') && !saying('manual', 'matched', 'unknown') ? 'auto' : 'manual';
};

/**
 * Derives the verdicts from a trace alone, because a trace must be enough to understand them.
 *
 * @param resolutions the requested resolution of each line
 */
export const fromTrace = (trace: readonly TraceEntry[], resolutions: readonly Resolution[]): Explained => {
  const lines = resolutions.map((resolution, index) => lineOf(trace, index, resolution));
  const approval = approvalOf(trace);
  const isOwed = lines.every(
    ({ verdict }, index) => verdict !== 'eligible' || hasCertainWithdrawal(trace.filter(({ line }) => line === index)),
  );
  const verdict = (): Explained['verdict'] => {
    if (lines.every((line) => line.verdict === 'ineligible')) return 'rejected';
    if (lines.some((line) => line.verdict === 'needs_review')) return 'needs_review';
    return approval === 'auto' || isOwed ? 'approved' : 'needs_review';
  };
  return { verdict: verdict(), approval, lines };
};
