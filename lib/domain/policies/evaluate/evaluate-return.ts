import type { Evaluation, RuleResult, Settings, TraceEntry } from '../evaluation.ts';
import type { Exemptible } from '../policy.ts';
import { type RuleChoice, chooseRule, denyLine, type Exemptions, requireReview } from './choose.ts';
import type { CompiledRule, CompiledRuleOf } from './compile.ts';
import type { EvaluationInput, LineCase } from './evaluate-lines.ts';
import {
  toTraceEntry,
  evaluateRule,
  evaluateRules,
  type EvaluationScope,
  mayHold,
  missingFacts,
} from './evaluate-rule.ts';

const reviewAll = ({ cases }: EvaluationInput, missing: readonly string[]): void => {
  for (const { state } of cases) requireReview(state, missing);
};

const denyAll = ({ cases }: EvaluationInput, code: string, mayBeExempt?: readonly string[]): void => {
  for (const { state } of cases) denyLine(state, code, mayBeExempt);
};

/** Evaluates block and allow lists. A block precedes an allowance. */
export const evaluateLists = (rules: readonly CompiledRuleOf<'list'>[], input: EvaluationInput): Exemptions => {
  const certain: Exemptible[] = [];
  const possible: Partial<Record<Exemptible, readonly string[]>> = {};
  for (const rule of rules) {
    const { source } = rule;
    const result = evaluateRule(rule, input.whole);
    const missing = result === 'unknown' ? missingFacts(rule, input.whole) : [];
    if ('exempts' in source) {
      if (result === 'matched') certain.push(...source.exempts);
      if (result === 'unknown')
        for (const phase of source.exempts) possible[phase] = [...(possible[phase] ?? []), ...missing];
    } else {
      if (result === 'matched') denyAll(input, source.block);
      if (result === 'unknown') reviewAll(input, missing);
    }
    input.trace.push(toTraceEntry(rule, input.whole, result, mayHold(result) ? rule.effect : undefined));
  }
  return { certain, possible };
};

/** Evaluates the limits of a customer or a return. */
export const evaluateLimits = (
  rules: readonly CompiledRuleOf<'limit'>[],
  input: EvaluationInput,
  exempt: Exemptions,
): void => {
  for (const rule of rules) {
    if (exempt.certain.includes('limit')) {
      input.trace.push(toTraceEntry(rule, input.whole, 'skipped'));
      continue;
    }
    const result = evaluateRule(rule, input.whole);
    if (result === 'matched') denyAll(input, rule.source.deny, exempt.possible.limit);
    if (result === 'unknown') reviewAll(input, missingFacts(rule, input.whole));
    input.trace.push(toTraceEntry(rule, input.whole, result, mayHold(result) ? rule.effect : undefined));
  }
};

/** A scope in which one rule of each kind is chosen: the whole return, or a line. */
type ChoiceScope = {
  readonly scope: EvaluationScope;
  /** The lines that wait for a review when the choice is uncertain. */
  readonly cases: readonly LineCase[];
  readonly results: readonly RuleResult[];
};

/** The choice of one rule of a kind in a scope. */
type ScopedChoice = ChoiceScope & RuleChoice;

/** Adds a rule to the trace of a scope, and requires a review when it might precede the chosen rule. */
const traceChoice = (
  rule: CompiledRule,
  result: RuleResult,
  { scope, cases, chosen, rivals }: ScopedChoice,
  trace: TraceEntry[],
): void => {
  const isRival = rivals.includes(rule);
  if (isRival) for (const { state } of cases) requireReview(state, missingFacts(rule, scope));
  const isBehind = mayHold(result) && chosen !== undefined && rule !== chosen && !isRival;
  const effect = mayHold(result) ? rule.effect : undefined;
  trace.push(toTraceEntry(rule, scope, result, effect, isBehind ? chosen.id : undefined));
};

const noKinds: ReadonlySet<string> = new Set();

/**
 * Evaluates rules of which one per kind counts, and returns the choices.
 *
 * @param ofLine the kinds of which one rule counts for each line
 */
const evaluateKinds = (
  rules: readonly CompiledRule[],
  kinds: readonly string[],
  { whole, cases, trace }: EvaluationInput,
  ofLine = noKinds,
): readonly ScopedChoice[] => {
  if (rules.length === 0) return [];
  const once: readonly ChoiceScope[] = [{ scope: whole, cases, results: evaluateRules(rules, whole) }];
  const perLine =
    ofLine.size === 0
      ? once
      : cases.map((line): ChoiceScope => ({ scope: line, cases: [line], results: evaluateRules(rules, line) }));
  const choices = new Map(
    kinds.map((kind) => [
      kind,
      (ofLine.has(kind) ? perLine : once).map((of) => ({ ...of, ...chooseRule(rules, of.results, kind) })),
    ]),
  );
  for (const [index, rule] of rules.entries())
    for (const choice of choices.get(rule.kind) ?? [])
      traceChoice(rule, choice.results[index] ?? 'not_matched', choice, trace);
  return [...choices.values()].flat();
};

/** Evaluates fees: one of each type, for the return or for each line. */
export const evaluateFees = (
  rules: readonly CompiledRule[],
  { kinds, lineFees }: { readonly kinds: readonly string[]; readonly lineFees: ReadonlySet<string> },
  input: EvaluationInput,
): Evaluation['fees'] => {
  const fees: { -readonly [Type in keyof Evaluation['fees']]: Evaluation['fees'][Type] } = {};
  for (const { scope, cases, chosen } of evaluateKinds(rules, kinds, input, lineFees)) {
    if (chosen?.effect === undefined || !('fee' in chosen.effect)) continue;
    const { fee, ...terms } = chosen.effect;
    const decided = { [fee]: { rule: chosen.id, ...terms } };
    if (scope.line === undefined) Object.assign(fees, decided);
    else for (const { state } of cases) state.fees = { ...state.fees, ...decided };
  }
  return fees;
};

/** Evaluates logistics and settlement: one rule of each kind. */
export const evaluateSettings = (
  rules: readonly CompiledRule[],
  kinds: readonly string[],
  input: EvaluationInput,
): Settings => {
  const settings: Settings = {};
  for (const { chosen } of evaluateKinds(rules, kinds, input))
    if (chosen?.effect !== undefined && 'set' in chosen.effect) Object.assign(settings, chosen.effect.set);
  return settings;
};

const strictness = ['auto', 'manual', 'reject'] as const;

/** Evaluates the approval. The strictest of all matched rules counts, and without one a review is required. */
export const evaluateApproval = (
  rules: readonly CompiledRuleOf<'approval'>[],
  input: EvaluationInput,
): Evaluation['approval'] => {
  let strictest = -1;
  let mayReject: readonly string[] | undefined;
  for (const rule of rules) {
    const { source } = rule;
    const result = evaluateRule(rule, input.whole);
    const strict = strictness.indexOf(source.approval);
    if (result === 'matched') strictest = Math.max(strictest, strict);
    if (result === 'matched' && source.approval === 'reject') denyAll(input, source.deny);
    if (result === 'unknown' && source.approval === 'manual') strictest = Math.max(strictest, strict);
    if (result === 'unknown' && source.approval === 'reject')
      mayReject = [...(mayReject ?? []), ...missingFacts(rule, input.whole)];
    input.trace.push(toTraceEntry(rule, input.whole, result, mayHold(result) ? rule.effect : undefined));
  }
  if (mayReject !== undefined) reviewAll(input, mayReject);
  return strictness[strictest] ?? 'manual';
};
