import type { Compiled } from './compile.ts';
import type { Evaluation, TraceEntry } from './evaluation.ts';
import type { Facts, LineFacts } from './facts.ts';
import { readFacts } from './known.ts';
import { wholeOf } from './look.ts';
import { judgeEach, judgeResolutions, judgeWindows, type Hearing } from './judge-lines.ts';
import { judgeApproval, judgeFees, judgeLimits, judgeLists, judgeSettings } from './judge-return.ts';
import type { Standing } from './standing.ts';
import { lineVerdict, verdictOf } from './verdict.ts';

const everyResolution = ['refund', 'exchange', 'store_credit', 'repair', 'none'] as const;

const standingOf = ({ order }: Facts, { delivered }: LineFacts): Standing => ({
  partial: order.completeness === 'partial',
  undelivered: delivered === false,
  denials: [],
  reviews: [],
  resolutions: everyResolution,
});

/** What no policy says: whether all is known, what the law gives, whether the goods came. */
const given = ({ order, lines }: Facts): TraceEntry[] => {
  const completeness: TraceEntry = {
    rule: 'facts.completeness',
    phase: 'facts',
    result: order.completeness === 'partial' ? 'matched' : 'not_matched',
    inputs: { 'order.completeness': order.completeness },
  };
  const rights = lines.flatMap((line, index) =>
    line.rights.map(
      ({ law, claim, certain }): TraceEntry => ({
        rule: `floor.${law}`,
        phase: 'floor',
        line: index,
        result: 'matched',
        inputs: { claim, certain },
      }),
    ),
  );
  const delivered = lines.map(
    (line, index): TraceEntry => ({
      rule: 'integrity.delivered',
      phase: 'integrity',
      line: index,
      result: line.delivered === undefined ? 'unknown' : line.delivered ? 'not_matched' : 'matched',
      inputs: { 'line.delivered': line.delivered ?? null },
      ...(line.delivered === false ? { effect: { deny: 'not_delivered' } } : {}),
    }),
  );
  return [completeness, ...rights.toSorted((a, b) => (a.rule === b.rule ? 0 : a.rule < b.rule ? -1 : 1)), ...delivered];
};

/**
 * Decides what a policy says of a request, and shows how: every rule, in the order of the phases. The same facts under the
 * same policy give the same, whatever order its rules are in.
 */
export const evaluate = ({ rules, holidays, facts: names }: Compiled, facts: Facts): Evaluation => {
  const hearing: Hearing = {
    whole: wholeOf(names, facts),
    cases: facts.lines.map((line, index) => ({
      facts,
      line,
      index,
      known: readFacts(names, facts, line),
      shown: [],
      standing: standingOf(facts, line),
    })),
    trace: given(facts),
  };
  const exempt = judgeLists(rules.list, hearing);
  judgeEach(rules.exclusion, 'exclusion', hearing, exempt);
  judgeWindows(rules.window, hearing, exempt, holidays);
  judgeEach(rules.requirement, 'requirement', hearing, exempt);
  judgeLimits(rules.limit, hearing, exempt);
  judgeResolutions(rules.resolution, hearing);
  const fees = judgeFees(rules.fee, hearing);
  const logistics = judgeSettings(rules.logistics, hearing);
  const settlement = judgeSettings(rules.settlement, hearing);
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
