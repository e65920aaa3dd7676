import type { Evaluation, Settings } from '../evaluation.ts';
import type { Exemptible } from '../policy.ts';
import { type RuleChoice, chooseRule, denyLine, type Exemptions, requireReview } from './choose.ts';
import type { CompiledRule, CompiledRuleOf } from './compile.ts';
import type { EvaluationInput } from './evaluate-lines.ts';
import { toTraceEntry, evaluateRule, evaluateRules, mayHold, missingFacts } from './evaluate-rule.ts';

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

const noChoice: RuleChoice = { chosen: undefined, rivals: [] };

/** Evaluates rules of which one per kind counts, and returns those. */
const evaluateKinds = (
  rules: readonly CompiledRule[],
  kinds: readonly string[],
  input: EvaluationInput,
): readonly CompiledRule[] => {
  if (rules.length === 0) return [];
  const results = evaluateRules(rules, input.whole);
  const choices = kinds.map((kind) => chooseRule(rules, results, kind));
  for (const [index, rule] of rules.entries()) {
    const result = results[index] ?? 'not_matched';
    const { chosen, rivals } = choices[kinds.indexOf(rule.kind)] ?? noChoice;
    const isRival = rivals.includes(rule);
    if (isRival) reviewAll(input, missingFacts(rule, input.whole));
    const isBehind = mayHold(result) && chosen !== undefined && rule !== chosen && !isRival;
    const effect = mayHold(result) ? rule.effect : undefined;
    input.trace.push(toTraceEntry(rule, input.whole, result, effect, isBehind ? chosen.id : undefined));
  }
  return choices.flatMap(({ chosen }) => chosen ?? []);
};

/** Evaluates fees: one of each type. */
export const evaluateFees = (
  rules: readonly CompiledRule[],
  kinds: readonly string[],
  input: EvaluationInput,
): Evaluation['fees'] => {
  const fees: { -readonly [Type in keyof Evaluation['fees']]: Evaluation['fees'][Type] } = {};
  for (const { id, effect } of evaluateKinds(rules, kinds, input))
    if (effect !== undefined && 'fee' in effect) {
      const { fee, ...terms } = effect;
      fees[fee] = { rule: id, ...terms };
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
  for (const { effect } of evaluateKinds(rules, kinds, input))
    if (effect !== undefined && 'set' in effect) Object.assign(settings, effect.set);
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
