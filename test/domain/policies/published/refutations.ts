import type { DecidedFee, LimitedEvaluation } from '../../../../lib/domain/policies/evaluation.ts';
import { type CompiledPolicy, compilePolicy } from '../../../../lib/domain/policies/evaluate/compile.ts';
import { evaluate } from '../../../../lib/domain/policies/evaluate/evaluate.ts';
import type { Facts, LineFacts } from '../../../../lib/domain/policies/facts.ts';
import { applyStatutoryLimits } from '../../../../lib/domain/policies/law/statutory-floor.ts';
import { statutoryRules } from '../../../../lib/domain/policies/law/statutory-rules.ts';
import type { Policy, Rule } from '../../../../lib/domain/policies/policy.ts';
import { readRules } from '../../../../lib/domain/policies/published/read-rules.ts';
import type { TextScope } from '../../../../lib/domain/policies/published/scope.ts';
import type {
  Circumstance,
  Circumstances,
  PublishedFee,
  Statement,
  StatementOf,
} from '../../../../lib/domain/policies/published/statement.ts';
import { defaultTerms } from '../../../../lib/domain/policies/terms/policy-terms.ts';
import { factOf, truthOf, type Truth } from '../model/truth.ts';
import { windowEnd } from '../model/window.ts';

/* Compares published statements with decisions. It reads statements as a customer does, and not the rules. */

/** A decision on one line. */
type Subject = {
  readonly policy: Policy;
  readonly facts: Facts;
  readonly line: LineFacts;
  readonly index: number;
  readonly decision: LimitedEvaluation;
  /** Whether no rule that the text omits may apply, so that the decision must be exactly as stated. */
  readonly isExact: boolean;
};

/** A line of a request. */
type LineOf = Pick<Subject, 'policy' | 'facts' | 'line'>;

const all = (truths: ReadonlySet<Truth>): Truth => {
  if (truths.has(false)) return false;
  return truths.has(undefined) ? undefined : true;
};

const circumstancesTruth = (circumstances: Circumstances, { policy, facts, line }: LineOf): Truth => {
  const truthOfOne = (one: Circumstance): Truth => {
    const found = factOf(one.fact, { policy, facts, line });
    if (found === undefined) return undefined;
    const values = 'is' in one ? one.is : one.isNot;
    const has = [found].flat().some((value) => values.includes(String(value)));
    return 'is' in one ? has : !has;
  };
  const alternatives = new Set(circumstances.map((together) => all(new Set(together.map(truthOfOne)))));
  if (alternatives.has(true)) return true;
  return alternatives.has(undefined) ? undefined : false;
};

/** Returns whether a statement covers a line: for certain, for certain not, or perhaps. */
export const coverage = ({ when, except = [] }: Statement, subject: LineOf): Truth => {
  const holds = when === undefined ? true : circumstancesTruth(when, subject);
  const excepted = circumstancesTruth(except, subject);
  if (holds === false || excepted === true) return false;
  return holds === true && excepted === false ? true : undefined;
};

const dayAfter = 24 * 3_600_000;

const refutesWindow = ({ window }: StatementOf<'window'>, subject: Subject): string | undefined => {
  const { policy, facts, line, index, decision, isExact } = subject;
  const { returnableUntil, codes = [] } = decision.lines[index] ?? {};
  const end = returnableUntil === undefined ? undefined : Date.parse(returnableUntil);
  const isExpired = codes.includes('window_expired');
  if (window === null) {
    if (isExpired) return 'has no limit, but expired';
    return isExact && end !== undefined ? 'has no limit, but ends' : undefined;
  }
  const stated = windowEnd(window, policy, facts, line);
  if (stated === undefined) return undefined;
  if (end !== undefined && end < stated) return 'ends before the stated end';
  if (isExpired && Date.parse(facts.requestedAt) < stated) return 'expired before the stated end';
  if (!isExact) return undefined;
  if (end === undefined) return 'has no end, but one is stated';
  const grace = Math.max(0, ...policy.rules.map((rule) => ('window' in rule ? (rule.window.graceDays ?? 0) : 0)));
  return end > stated + (grace === 0 ? 0 : (grace + 0.1) * dayAfter) ? 'ends after the stated end' : undefined;
};

const refutesResolutions = (
  { resolutions, more }: StatementOf<'resolutions'>,
  subject: Subject,
): string | undefined => {
  const { line, index, decision, isExact } = subject;
  const decided = decision.lines[index];
  if (resolutions.includes(line.resolution))
    return decided?.codes.includes('resolution_not_allowed') === true ? 'denies a stated resolution' : undefined;
  return isExact && more === undefined && line.rights.length === 0 && decided?.verdict === 'eligible'
    ? 'grants a resolution that is not stated'
    : undefined;
};

/** Returns the fee that a decision charges for a line, by a rule or by the terms of the deployment. */
export const chargedFee = (
  { type }: Pick<PublishedFee, 'type'>,
  { decision, index }: Pick<Subject, 'decision' | 'index'>,
): DecidedFee | undefined => {
  const line = decision.lines[index];
  if (line?.removedFees?.[type] !== undefined || decision.removedFees?.[type] !== undefined) return undefined;
  const decided = line?.fees?.[type] ?? decision.fees?.[type];
  if (decided !== undefined) return decided;
  const { restockingBps, inspectionCapBps, returnShipping } = defaultTerms.fees;
  const bps = { restocking: restockingBps, inspection: inspectionCapBps };
  if (type === 'restocking' || type === 'inspection') return bps[type] === 0 ? undefined : { rule: '', bps: bps[type] };
  return type === 'return_shipping' && returnShipping > 0 ? { rule: '', amount: returnShipping } : undefined;
};

const isCharged = (fee: DecidedFee | undefined, { type }: PublishedFee): fee is DecidedFee =>
  fee !== undefined && (type === 'promotion' || ((fee.bps ?? fee.amount ?? 0) > 0 && fee.cap !== 0));

const refutesFee = ({ fee }: StatementOf<'fee'>, subject: Subject): string | undefined => {
  const { facts, isExact } = subject;
  const charged = chargedFee(fee, subject);
  const laws = facts.lines.flatMap(({ rights }) => rights);
  // The default terms are limited later.
  if (charged?.rule === '' && laws.length > 0) return undefined;
  if (fee.none === true) return isCharged(charged, fee) ? 'charges a fee that is not stated' : undefined;
  if (!isCharged(charged, fee))
    return isExact && !laws.some(({ law, uninformed }) => uninformed || (fee.removedBy ?? []).includes(law))
      ? 'charges no fee, but one is stated'
      : undefined;
  const { currency } = facts.order;
  if ([fee.amount, fee.cap].some((money) => money !== undefined && money.currency !== currency))
    return 'states another currency';
  const pairs = [
    [charged.bps ?? 0, fee.bps ?? 0],
    [charged.amount ?? 0, fee.amount?.amount ?? 0],
    [charged.cap ?? Infinity, fee.cap?.amount ?? Infinity],
  ] as const;
  if (pairs.some(([decided, stated]) => decided > stated)) return 'charges more than stated';
  return isExact && pairs.some(([decided, stated]) => decided !== stated) ? 'charges less than stated' : undefined;
};

const refutesRestriction = (statement: Statement, { line, index, decision, isExact }: Subject): string | undefined => {
  if (!isExact || line.rights.length > 0) return undefined;
  const lacks = (requirement: 'note' | 'evidence') => (requirement === 'note' ? !line.hasNote : !line.hasEvidence);
  if (statement.kind === 'requirement' && !statement.require.some(lacks)) return undefined;
  return decision.lines[index]?.verdict === 'eligible' ? 'grants what is stated as denied' : undefined;
};

const refutes = (statement: Statement, subject: Subject): string | undefined => {
  switch (statement.kind) {
    case 'window':
      return refutesWindow(statement, subject);
    case 'resolutions':
      return refutesResolutions(statement, subject);
    case 'fee':
      return refutesFee(statement, subject);
    case 'exclusion':
    case 'requirement':
      return refutesRestriction(statement, subject);
    case 'examination':
      return statement.of === 'each' && subject.decision.approval === 'auto'
        ? 'approves without examination'
        : undefined;
    case 'right':
      return undefined;
  }
};

/** Codes of denials that other statements are compared with, or that no policy decides. */
const toldElsewhere = new Set(['window_expired', 'resolution_not_allowed', 'not_delivered', 'statutory_right']);

/** Returns why a denial contradicts the text as a whole: no statement tells the customer of it. */
const unexplained = (statements: readonly Statement[], subject: Subject): string | undefined => {
  const { decision, index } = subject;
  const line = decision.lines[index];
  if (line === undefined || statements.some(({ kind }) => kind === 'examination')) return undefined;
  if (line.verdict === 'eligible') {
    const isOpen = decision.lines.some(({ verdict }) => verdict === 'needs_review');
    return decision.verdict === 'needs_review' && !isOpen ? 'examines without a statement' : undefined;
  }
  if (line.missing.length > 0) return undefined;
  const isTold = statements.some(
    (statement) =>
      (statement.kind === 'exclusion' || statement.kind === 'requirement') && coverage(statement, subject) !== false,
  );
  return isTold || line.codes.some((code) => toldElsewhere.has(code)) ? undefined : 'denies without a statement';
};

export type Refutation = { readonly statement: Statement | undefined; readonly line: number; readonly why: string };

/** The result of a comparison, and how many statements covered a line, by kind and whether they had to be exact. */
export type Comparison = { readonly refutations: readonly Refutation[]; readonly covered: readonly string[] };

const compiled = new WeakMap<Policy, CompiledPolicy>();

/** Returns the decision of a policy within the limits of the law. */
export const decide = (policy: Policy, facts: Facts): LimitedEvaluation => {
  const rules = compiled.get(policy) ?? compilePolicy(policy);
  compiled.set(policy, rules);
  return applyStatutoryLimits(evaluate(rules, facts), facts, statutoryRules, null);
};

/** Returns the rules that a text omits. */
const omittedRules = (policy: Policy, scope: TextScope): readonly Rule[] =>
  readRules(policy, scope).flatMap(({ rule, reading }) => (reading !== 'always' && 'hidden' in reading ? [rule] : []));

const omittedByPolicy = new WeakMap<Policy, readonly Rule[]>();

/** Returns whether no rule that a text omits may apply to a line. The decision is then exactly as stated. */
export const isExactFor = (policy: Policy, scope: TextScope, facts: Facts, line: LineFacts): boolean => {
  const omitted = omittedByPolicy.get(policy) ?? omittedRules(policy, scope);
  omittedByPolicy.set(policy, omitted);
  return omitted.every(({ when }) => truthOf(when, { policy, facts, line }) === false);
};

/** Compares statements with the decision of a policy. It may differ from the policy that the statements are of. */
export const compare = (
  statements: readonly Statement[],
  policy: Policy,
  scope: TextScope,
  facts: Facts,
): Comparison => {
  const decision = decide(policy, facts);
  const refutations: Refutation[] = [];
  const covered: string[] = [];
  for (const [index, line] of facts.lines.entries()) {
    const isExact = isExactFor(policy, scope, facts, line);
    const subject: Subject = { policy, facts, line, index, decision, isExact };
    for (const statement of statements) {
      if (coverage(statement, subject) !== true) continue;
      covered.push(`${statement.kind} ${isExact ? 'exact' : 'at least'}`);
      const why = refutes(statement, subject);
      if (why !== undefined) refutations.push({ statement, line: index, why });
    }
    const why = unexplained(statements, subject);
    if (why !== undefined) refutations.push({ statement: undefined, line: index, why });
  }
  return { refutations, covered };
};
