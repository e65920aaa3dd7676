import type { Evaluation, TraceEntry } from '../evaluation.ts';
import type { Facts, LineFacts } from '../facts.ts';
import type { LineState } from './choose.ts';
import type { CompiledPolicy } from './compile.ts';
import {
  type LineCase,
  type EvaluationInput,
  evaluateEach,
  evaluateResolutions,
  evaluateWindows,
} from './evaluate-lines.ts';
import { evaluateApproval, evaluateFees, evaluateLimits, evaluateLists, evaluateSettings } from './evaluate-return.ts';
import { readLineFacts, readRequestFacts } from './fact-values.ts';
import { lineVerdict, requestVerdict } from './verdict.ts';

const everyResolution = ['refund', 'exchange', 'store_credit', 'repair', 'none'] as const;

/**
 * Returns whether a declared withdrawal covers a line. The right exists before the delivery, so the missing delivery is
 * then a denial that the law overrules.
 */
const isWithdrawn = ({ return: { basis } }: Facts, { rights }: LineFacts): boolean =>
  basis === 'withdrawal' && rights.some(({ claim }) => claim === 'withdrawal');

const notDelivered = { code: 'not_delivered', missing: [] };

const initialLineState = (facts: Facts, line: LineFacts): LineState => ({
  partial: facts.order.completeness === 'partial',
  undelivered: line.delivered === false && !isWithdrawn(facts, line),
  denials: line.delivered === false ? [notDelivered] : [],
  reviews: [],
  resolutions: everyResolution,
  returnableUntil: undefined,
  fees: undefined,
});

const completenessEntry = ({ order }: Facts): TraceEntry => ({
  rule: 'facts.completeness',
  phase: 'facts',
  result: order.completeness === 'partial' ? 'matched' : 'not_matched',
  inputs: { 'order.completeness': order.completeness },
});

const compareByRule = (a: TraceEntry, b: TraceEntry): number => (a.rule === b.rule ? 0 : a.rule < b.rule ? -1 : 1);

const rightsEntries = ({ lines }: Facts): readonly TraceEntry[] =>
  lines
    .flatMap(({ rights }, line) =>
      rights.map(({ law, claim, certain }): TraceEntry => {
        const inputs = { claim, certain };
        return { rule: `floor.${law}`, phase: 'floor', line, result: 'matched', inputs };
      }),
    )
    .toSorted(compareByRule);

const deliveryEntry = ({ return: { basis } }: Facts, { delivered }: LineFacts, line: number): TraceEntry => {
  const inputs = { 'line.delivered': delivered ?? null };
  const entry = { rule: 'integrity.delivered', phase: 'integrity', line } as const;
  if (delivered === false) {
    const read = { ...inputs, 'return.basis': basis ?? null };
    return { ...entry, result: 'matched', inputs: read, effect: { deny: 'not_delivered' } };
  }
  return { ...entry, result: delivered === undefined ? 'unknown' : 'not_matched', inputs };
};

/** Makes the trace entries that no policy decides: completeness, statutory rights, delivery. */
const initialTrace = (facts: Facts): TraceEntry[] => {
  const trace = [completenessEntry(facts)];
  if (facts.lines.some(({ rights }) => rights.length > 0)) trace.push(...rightsEntries(facts));
  facts.lines.forEach((line, index) => trace.push(deliveryEntry(facts, line, index)));
  return trace;
};

const emptyInputs = (inputs: number): LineCase['shown'] => Array<undefined>(inputs);

/**
 * Evaluates a request under a policy, with a trace of every rule in phase order.
 * The result depends only on the facts and the policy, and not on the order of its rules.
 */
export const evaluate = ({ rules, kinds, lineFees, holidays, inputs }: CompiledPolicy, facts: Facts): Evaluation => {
  const known = readRequestFacts(facts);
  const cases: LineCase[] = [];
  for (const [index, line] of facts.lines.entries()) {
    const state = initialLineState(facts, line);
    cases.push({ facts, line, index, known: readLineFacts(known, line), shown: emptyInputs(inputs), state });
  }
  const input: EvaluationInput = {
    whole: { facts, known, shown: emptyInputs(inputs) },
    cases,
    trace: initialTrace(facts),
  };
  const exempt = evaluateLists(rules.list, input);
  evaluateEach(rules.exclusion, 'exclusion', input, exempt);
  evaluateWindows(rules.window, input, exempt, holidays);
  evaluateEach(rules.requirement, 'requirement', input, exempt);
  evaluateLimits(rules.limit, input, exempt);
  evaluateResolutions(rules.resolution, input);
  const fees = evaluateFees(rules.fee, { kinds: kinds.fee, lineFees }, input);
  const logistics = evaluateSettings(rules.logistics, kinds.logistics, input);
  const settlement = evaluateSettings(rules.settlement, kinds.settlement, input);
  const approval = evaluateApproval(rules.approval, input);
  const lines = input.cases.map(({ line, state }) => lineVerdict(line, state));
  return {
    verdict: requestVerdict(lines, facts.lines, approval),
    approval,
    lines,
    fees,
    settings: { ...logistics, ...settlement },
    trace: input.trace,
  };
};
