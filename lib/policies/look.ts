import type { Ready } from './compile.ts';
import type { Effect, RuleResult, TraceEntry } from './evaluation.ts';
import type { Facts, LineFacts } from './facts.ts';

/** What a rule is evaluated on: the whole of a request, or one of its lines. */
export type Subject = { readonly facts: Facts; readonly line?: LineFacts; readonly index?: number };

/** Whether a fee is in the money of the order. */
const isInCurrency = ({ rule }: Ready, { order }: Facts): boolean =>
  rule.phase !== 'fee' ||
  [rule.fee.amount, rule.fee.cap].every((money) => (money?.currency ?? order.currency) === order.currency);

/** What a rule's condition comes to. */
export const look = (ready: Ready, { facts, line }: Subject): RuleResult => {
  if (!isInCurrency(ready, facts)) return 'not_matched';
  const truth = ready.test === undefined || ready.test(facts, line);
  if (truth === undefined) return 'unknown';
  return truth ? 'matched' : 'not_matched';
};

/** The facts that a rule's condition names and that nobody knows. */
export const missingOf = ({ tested }: Ready, { facts, line }: Subject): readonly string[] =>
  tested.filter(({ read }) => read(facts, line) === undefined).map(({ name }) => name);

/** Whether a rule holds, or might: then the trace tells what it does. */
export const mayHold = (result: RuleResult): boolean => result === 'matched' || result === 'unknown';

/** What the trace tells beside the result. */
type Told = { readonly effect?: Effect; readonly overruledBy?: string };

/** A rule's entry in the trace. */
export const entryOf = (ready: Ready, { facts, line, index }: Subject, result: RuleResult, told?: Told): TraceEntry => {
  const inputs: Record<string, string | number | boolean | readonly string[] | null> = {};
  if (result !== 'skipped') for (const { name, read } of ready.inputs) inputs[name] = read(facts, line) ?? null;
  const { id, phase } = ready.rule;
  return { rule: id, phase, ...(index === undefined ? {} : { line: index }), result, inputs, ...told };
};
