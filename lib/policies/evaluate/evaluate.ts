import type { Evaluation, TraceEntry } from '../evaluation.ts';
import type { Facts, LineFacts } from '../facts.ts';
import type { Standing } from './choose.ts';
import type { Compiled } from './compile.ts';
import { type Case, type Hearing, judgeEach, judgeResolutions, judgeWindows } from './judge-lines.ts';
import { judgeApproval, judgeFees, judgeLimits, judgeLists, judgeSettings } from './judge-return.ts';
import { readLine, readWhole } from './known.ts';
import { lineVerdict, verdictOf } from './verdict.ts';

const everyResolution = ['refund', 'exchange', 'store_credit', 'repair', 'none'] as const;

const standingOf = ({ order }: Facts, { delivered }: LineFacts): Standing => ({
  partial: order.completeness === 'partial',
  undelivered: delivered === false,
  denials: [],
  reviews: [],
  resolutions: everyResolution,
  returnableUntil: undefined,
});

const completeness = ({ order }: Facts): TraceEntry => ({
  rule: 'facts.completeness',
  phase: 'facts',
  result: order.completeness === 'partial' ? 'matched' : 'not_matched',
  inputs: { 'order.completeness': order.completeness },
});

const byRule = (a: TraceEntry, b: TraceEntry): number => (a.rule === b.rule ? 0 : a.rule < b.rule ? -1 : 1);

const rightsIn = ({ lines }: Facts): readonly TraceEntry[] =>
  lines
    .flatMap(({ rights }, line) =>
      rights.map(({ law, claim, certain }): TraceEntry => {
        const inputs = { claim, certain };
        return { rule: `floor.${law}`, phase: 'floor', line, result: 'matched', inputs };
      }),
    )
    .toSorted(byRule);

const delivery = ({ delivered }: LineFacts, line: number): TraceEntry => {
  const inputs = { 'line.delivered': delivered ?? null };
  const told = { rule: 'integrity.delivered', phase: 'integrity', line } as const;
  if (delivered === false) return { ...told, result: 'matched', inputs, effect: { deny: 'not_delivered' } };
  return { ...told, result: delivered === undefined ? 'unknown' : 'not_matched', inputs };
};

/** What no policy says: whether all is known, what the law gives, whether the goods came. */
const given = (facts: Facts): TraceEntry[] => {
  const trace = [completeness(facts)];
  if (facts.lines.some(({ rights }) => rights.length > 0)) trace.push(...rightsIn(facts));
  facts.lines.forEach((line, index) => trace.push(delivery(line, index)));
  return trace;
};

const shownOf = (inputs: number): Case['shown'] => Array<undefined>(inputs);

/**
 * Decides what a policy says of a request, and shows how: every rule, in the order of the phases. The same facts under the
 * same policy give the same, whatever order its rules are in.
 */
export const evaluate = ({ rules, kinds, holidays, inputs }: Compiled, facts: Facts): Evaluation => {
  const known = readWhole(facts);
  const cases: Case[] = [];
  for (const [index, line] of facts.lines.entries()) {
    const standing = standingOf(facts, line);
    cases.push({ facts, line, index, known: readLine(known, line), shown: shownOf(inputs), standing });
  }
  const hearing: Hearing = { whole: { facts, known, shown: shownOf(inputs) }, cases, trace: given(facts) };
  const exempt = judgeLists(rules.list, hearing);
  judgeEach(rules.exclusion, 'exclusion', hearing, exempt);
  judgeWindows(rules.window, hearing, exempt, holidays);
  judgeEach(rules.requirement, 'requirement', hearing, exempt);
  judgeLimits(rules.limit, hearing, exempt);
  judgeResolutions(rules.resolution, hearing);
  const fees = judgeFees(rules.fee, kinds.fee, hearing);
  const logistics = judgeSettings(rules.logistics, kinds.logistics, hearing);
  const settlement = judgeSettings(rules.settlement, kinds.settlement, hearing);
  const approval = judgeApproval(rules.approval, hearing);
  const lines = hearing.cases.map(({ line, standing }) => lineVerdict(line, standing));
  return {
    verdict: verdictOf(lines, facts.lines, approval),
    approval,
    lines,
    fees,
    settings: { ...logistics, ...settlement },
    trace: hearing.trace,
  };
};
