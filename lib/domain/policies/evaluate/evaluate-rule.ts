import type { RuleInputs, CompiledRule } from './compile.ts';
import type { Effect, RuleResult, TraceEntry } from '../evaluation.ts';
import type { Facts, LineFacts } from '../facts.ts';
import type { FactValues } from './fact-values.ts';
import { evaluateCondition } from './compile-condition.ts';

/** The scope of a rule: the whole request, or one of its lines. */
export type EvaluationScope = {
  readonly facts: Facts;
  readonly line?: LineFacts;
  readonly index?: number;
  readonly known: FactValues;
  /** The inputs in the trace, by their ids. Rules that read the same facts share one. */
  readonly shown: (TraceEntry['inputs'] | undefined)[];
};

const hasRight = ({ lines }: Facts): boolean => lines.some(({ rights }) => rights.length > 0);

/** Evaluates the condition of a rule. A rule on conduct does not hold while a fact is missing, for the customer's sake. */
export const evaluateRule = ({ test, applies }: CompiledRule, { known, facts }: EvaluationScope): RuleResult => {
  if (applies !== 'always' && (applies === 'never' || hasRight(facts))) return 'skipped';
  const truth = test === undefined || evaluateCondition(test, known);
  if (truth === undefined) return applies === 'always' ? 'unknown' : 'not_matched';
  return truth ? 'matched' : 'not_matched';
};

/** Evaluates the conditions of rules. The results have the indexes of the rules. */
export const evaluateRules = (rules: readonly CompiledRule[], subject: EvaluationScope): readonly RuleResult[] => {
  const results: RuleResult[] = [];
  for (const rule of rules) results.push(evaluateRule(rule, subject));
  return results;
};

/** Returns the missing facts of a rule's condition. */
export const missingFacts = (
  { tested: { names, indexes } }: CompiledRule,
  { known }: EvaluationScope,
): readonly string[] => names.filter((_, index) => known[indexes[index] ?? 0] === undefined);

/** Returns whether a rule holds, or may hold. The trace then shows its effect. */
export const mayHold = (result: RuleResult): boolean => result === 'matched' || result === 'unknown';

const traceInputs = ({ id, names, indexes }: RuleInputs, { known, shown }: EvaluationScope): TraceEntry['inputs'] => {
  const before = shown[id];
  if (before !== undefined) return before;
  const inputs: Record<string, TraceEntry['inputs'][string]> = {};
  for (let index = 0; index < names.length; index += 1) inputs[names[index] ?? ''] = known[indexes[index] ?? 0] ?? null;
  shown[id] = inputs;
  return inputs;
};

const noInputs: TraceEntry['inputs'] = {};

/** Makes the trace entry of a rule. */
export const toTraceEntry = (
  rule: CompiledRule,
  subject: EvaluationScope,
  result: RuleResult,
  effect?: Effect,
  overruledBy?: string,
): TraceEntry => {
  const { id, phase } = rule;
  const { index: line } = subject;
  const inputs = result === 'skipped' ? noInputs : traceInputs(rule.inputs, subject);
  // Explicit literals are many times faster than spreading, because each creates objects of one shape.
  if (overruledBy !== undefined) {
    const overruled = { rule: id, phase, result, inputs, overruledBy, ...(effect && { effect }) };
    return line === undefined ? overruled : { ...overruled, line };
  }
  if (line === undefined)
    return effect === undefined ? { rule: id, phase, result, inputs } : { rule: id, phase, result, inputs, effect };
  return effect === undefined
    ? { rule: id, phase, line, result, inputs }
    : { rule: id, phase, line, result, inputs, effect };
};
