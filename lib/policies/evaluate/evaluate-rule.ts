import type { RuleInputs, CompiledRule } from './compile.ts';
import type { Effect, RuleResult, TraceEntry } from '../evaluation.ts';
import type { Facts, LineFacts } from '../facts.ts';
import type { FactValues } from './fact-values.ts';
import { evaluateCondition } from './evaluate-condition.ts';

/** What a rule is evaluated on: the whole of a request, or one of its lines. */
export type EvaluationScope = {
  readonly facts: Facts;
  readonly line?: LineFacts;
  readonly index?: number;
  readonly known: FactValues;
  /** What the trace tells of inputs, by their ids: rules that look at the same show the same. */
  readonly shown: (TraceEntry['inputs'] | undefined)[];
};

/** What a rule's condition comes to. */
export const evaluateRule = ({ test }: CompiledRule, { known }: EvaluationScope): RuleResult => {
  const truth = test === undefined || evaluateCondition(test, known);
  if (truth === undefined) return 'unknown';
  return truth ? 'matched' : 'not_matched';
};

/** What the conditions of rules come to, in the places of the rules. */
export const evaluateRules = (rules: readonly CompiledRule[], subject: EvaluationScope): readonly RuleResult[] => {
  const results: RuleResult[] = [];
  for (const ready of rules) results.push(evaluateRule(ready, subject));
  return results;
};

/** The facts that a rule's condition names and that nobody knows. */
export const missingFacts = (
  { tested: { names, places } }: CompiledRule,
  { known }: EvaluationScope,
): readonly string[] => names.filter((_, index) => known[places[index] ?? 0] === undefined);

/** Whether a rule holds, or might: then the trace tells what it does. */
export const mayHold = (result: RuleResult): boolean => result === 'matched' || result === 'unknown';

const traceInputs = ({ id, names, places }: RuleInputs, { known, shown }: EvaluationScope): TraceEntry['inputs'] => {
  const before = shown[id];
  if (before !== undefined) return before;
  const inputs: Record<string, TraceEntry['inputs'][string]> = {};
  for (let index = 0; index < names.length; index += 1) inputs[names[index] ?? ''] = known[places[index] ?? 0] ?? null;
  shown[id] = inputs;
  return inputs;
};

const noInputs: TraceEntry['inputs'] = {};

/** A rule's entry in the trace. */
export const toTraceEntry = (
  ready: CompiledRule,
  subject: EvaluationScope,
  result: RuleResult,
  effect?: Effect,
  overruledBy?: string,
): TraceEntry => {
  const { id: rule, phase } = ready;
  const { index: line } = subject;
  const inputs = result === 'skipped' ? noInputs : traceInputs(ready.inputs, subject);
  // Spelled out: objects of one shape each are made many times faster than by spreading.
  if (overruledBy !== undefined) {
    const overruled = { rule, phase, result, inputs, overruledBy, ...(effect && { effect }) };
    return line === undefined ? overruled : { ...overruled, line };
  }
  if (line === undefined)
    return effect === undefined ? { rule, phase, result, inputs } : { rule, phase, result, inputs, effect };
  return effect === undefined ? { rule, phase, line, result, inputs } : { rule, phase, line, result, inputs, effect };
};
