import type { Evaluation, Settings } from '../evaluation.ts';
import type { Exemptible } from '../policy.ts';
import { type RuleChoice, chooseRule, denyLine, type Exemptions, requireReview } from './choose.ts';
import type { CompiledRule, CompiledRuleOf } from './compile.ts';
import type { EvaluationInput } from './evaluate-lines.ts';
import { toTraceEntry, evaluateRule, evaluateRules, mayHold, missingFacts } from './evaluate-rule.ts';

const reviewAll = ({ cases }: EvaluationInput, missing: readonly string[]): void => {
  for (const { standing } of cases) requireReview(standing, missing);
};

const denyAll = ({ cases }: EvaluationInput, code: string, mayBeExempt?: readonly string[]): void => {
  for (const { standing } of cases) denyLine(standing, code, mayBeExempt);
};

/** Evaluates block and allow lists. A block precedes an allowance. */
export const evaluateLists = (rules: readonly CompiledRuleOf<'list'>[], hearing: EvaluationInput): Exemptions => {
  const certain: Exemptible[] = [];
  const possible: Partial<Record<Exemptible, readonly string[]>> = {};
  for (const ready of rules) {
    const { rule } = ready;
    const result = evaluateRule(ready, hearing.whole);
    const missing = result === 'unknown' ? missingFacts(ready, hearing.whole) : [];
    if ('exempts' in rule) {
      if (result === 'matched') certain.push(...rule.exempts);
      if (result === 'unknown')
        for (const phase of rule.exempts) possible[phase] = [...(possible[phase] ?? []), ...missing];
    } else {
      if (result === 'matched') denyAll(hearing, rule.block);
      if (result === 'unknown') reviewAll(hearing, missing);
    }
    hearing.trace.push(toTraceEntry(ready, hearing.whole, result, mayHold(result) ? ready.effect : undefined));
  }
  return { certain, possible };
};

/** Evaluates the limits of a customer or a return. */
export const evaluateLimits = (
  rules: readonly CompiledRuleOf<'limit'>[],
  hearing: EvaluationInput,
  exempt: Exemptions,
): void => {
  for (const ready of rules) {
    if (exempt.certain.includes('limit')) {
      hearing.trace.push(toTraceEntry(ready, hearing.whole, 'skipped'));
      continue;
    }
    const result = evaluateRule(ready, hearing.whole);
    if (result === 'matched') denyAll(hearing, ready.rule.deny, exempt.possible.limit);
    if (result === 'unknown') reviewAll(hearing, missingFacts(ready, hearing.whole));
    hearing.trace.push(toTraceEntry(ready, hearing.whole, result, mayHold(result) ? ready.effect : undefined));
  }
};

const noChoice: RuleChoice = { chosen: undefined, rivals: [] };

/** Evaluates rules of which one per kind counts, and returns those. */
const evaluateKinds = (
  rules: readonly CompiledRule[],
  kinds: readonly string[],
  hearing: EvaluationInput,
): readonly CompiledRule[] => {
  if (rules.length === 0) return [];
  const results = evaluateRules(rules, hearing.whole);
  const choices = kinds.map((kind) => chooseRule(rules, results, kind));
  for (const [place, ready] of rules.entries()) {
    const result = results[place] ?? 'not_matched';
    const { chosen, rivals } = choices[kinds.indexOf(ready.kind)] ?? noChoice;
    const isRival = rivals.includes(ready);
    if (isRival) reviewAll(hearing, missingFacts(ready, hearing.whole));
    const isBehind = mayHold(result) && chosen !== undefined && ready !== chosen && !isRival;
    const effect = mayHold(result) ? ready.effect : undefined;
    hearing.trace.push(toTraceEntry(ready, hearing.whole, result, effect, isBehind ? chosen.id : undefined));
  }
  return choices.flatMap(({ chosen }) => chosen ?? []);
};

/** Evaluates fees: one of each type. */
export const evaluateFees = (
  rules: readonly CompiledRule[],
  kinds: readonly string[],
  hearing: EvaluationInput,
): Evaluation['fees'] => {
  const fees: { -readonly [Type in keyof Evaluation['fees']]: Evaluation['fees'][Type] } = {};
  for (const { id, effect } of evaluateKinds(rules, kinds, hearing))
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
  hearing: EvaluationInput,
): Settings => {
  const settings: Settings = {};
  for (const { effect } of evaluateKinds(rules, kinds, hearing))
    if (effect !== undefined && 'set' in effect) Object.assign(settings, effect.set);
  return settings;
};

const strictness = ['auto', 'manual', 'reject'] as const;

/** Evaluates the approval. The strictest of all matched rules counts, and without one a review is required. */
export const evaluateApproval = (
  rules: readonly CompiledRuleOf<'approval'>[],
  hearing: EvaluationInput,
): Evaluation['approval'] => {
  let strictest = -1;
  let mayReject: readonly string[] | undefined;
  for (const ready of rules) {
    const { rule } = ready;
    const result = evaluateRule(ready, hearing.whole);
    const strict = strictness.indexOf(rule.approval);
    if (result === 'matched') strictest = Math.max(strictest, strict);
    if (result === 'matched' && rule.approval === 'reject') denyAll(hearing, rule.deny);
    if (result === 'unknown' && rule.approval === 'manual') strictest = Math.max(strictest, strict);
    if (result === 'unknown' && rule.approval === 'reject')
      mayReject = [...(mayReject ?? []), ...missingFacts(ready, hearing.whole)];
    hearing.trace.push(toTraceEntry(ready, hearing.whole, result, mayHold(result) ? ready.effect : undefined));
  }
  if (mayReject !== undefined) reviewAll(hearing, mayReject);
  return strictness[strictest] ?? 'manual';
};
