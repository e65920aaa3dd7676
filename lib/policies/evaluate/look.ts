import type { Inputs, Ready } from './compile.ts';
import type { Effect, RuleResult, TraceEntry } from '../evaluation.ts';
import type { Facts, LineFacts } from '../facts.ts';
import type { Known } from './known.ts';
import { truthOf } from './truth-of.ts';

/** What a rule is evaluated on: the whole of a request, or one of its lines. */
export type Subject = {
  readonly facts: Facts;
  readonly line?: LineFacts;
  readonly index?: number;
  readonly known: Known;
  /** What the trace tells of inputs, by their ids: rules that look at the same show the same. */
  readonly shown: (TraceEntry['inputs'] | undefined)[];
};

/** What a rule's condition comes to. */
export const look = ({ test }: Ready, { known }: Subject): RuleResult => {
  const truth = test === undefined || truthOf(test, known);
  if (truth === undefined) return 'unknown';
  return truth ? 'matched' : 'not_matched';
};

/** What the conditions of rules come to, in the places of the rules. */
export const lookAll = (rules: readonly Ready[], subject: Subject): readonly RuleResult[] => {
  const results: RuleResult[] = [];
  for (const ready of rules) results.push(look(ready, subject));
  return results;
};

/** The facts that a rule's condition names and that nobody knows. */
export const missingOf = ({ tested: { names, places } }: Ready, { known }: Subject): readonly string[] =>
  names.filter((_, index) => known[places[index] ?? 0] === undefined);

/** Whether a rule holds, or might: then the trace tells what it does. */
export const mayHold = (result: RuleResult): boolean => result === 'matched' || result === 'unknown';

const show = ({ id, names, places }: Inputs, { known, shown }: Subject): TraceEntry['inputs'] => {
  const before = shown[id];
  if (before !== undefined) return before;
  const inputs: Record<string, TraceEntry['inputs'][string]> = {};
  for (let index = 0; index < names.length; index += 1) inputs[names[index] ?? ''] = known[places[index] ?? 0] ?? null;
  shown[id] = inputs;
  return inputs;
};

const none: TraceEntry['inputs'] = {};

/** A rule's entry in the trace. */
export const entryOf = (
  ready: Ready,
  subject: Subject,
  result: RuleResult,
  effect?: Effect,
  overruledBy?: string,
): TraceEntry => {
  const { id: rule, phase } = ready;
  const { index: line } = subject;
  const inputs = result === 'skipped' ? none : show(ready.inputs, subject);
  // Spelled out: objects of one shape each are made many times faster than by spreading.
  if (overruledBy !== undefined) {
    const overruled = { rule, phase, result, inputs, overruledBy, ...(effect && { effect }) };
    return line === undefined ? overruled : { ...overruled, line };
  }
  if (line === undefined)
    return effect === undefined ? { rule, phase, result, inputs } : { rule, phase, result, inputs, effect };
  return effect === undefined ? { rule, phase, line, result, inputs } : { rule, phase, line, result, inputs, effect };
};
