import type { OrderRef } from '../../returns/model/order.ts';
import { type Evaluation, type LineVerdict, lineRank } from '../evaluation.ts';
import {
  collectByName,
  type LineGroup,
  type LineGroups,
  toLineGroups,
  mergeByName,
  mergeLineGroups,
  mergeMoneyDeltas,
  type MoneyDelta,
  moneyDelta,
  noLineGroups,
} from './line-groups.ts';
import type { Incomparable, BacktestOutcome, ComparedDecision } from './outcome.ts';

type ComparedOutcome = Extract<BacktestOutcome, { readonly kind: 'compared' }>;

/** The number of verdicts that changed from one to another, or stayed. `name` holds both verdicts. */
type VerdictTransition<Verdict extends string> = {
  readonly name: string;
  readonly from: Verdict;
  readonly to: Verdict;
  readonly count: number;
};

type ExampleSide = {
  readonly verdict: Evaluation['verdict'];
  readonly codes: readonly string[];
  readonly refund: number;
};

/** An example of a changed decision. Refunds are in minor units of the currency. */
export type BacktestExample = {
  readonly decisionId: string;
  readonly returnId: string;
  readonly order: OrderRef;
  readonly currency: string;
  readonly before: ExampleSide;
  readonly after: ExampleSide;
};

/** The examples with the smallest ids of each direction, `name`. */
type ExampleGroup = { readonly name: string; readonly examples: readonly BacktestExample[] };

/** A reason why decisions cannot be compared, their number, and the smallest ids of them. */
type FailureGroup = { readonly name: Incomparable; readonly count: number; readonly decisionIds: readonly string[] };

/** The effects of a draft on stored decisions. */
export type BacktestReport = {
  /** Compared decisions. In `unchanged` ones no verdict and no refund changes. */
  readonly compared: number;
  readonly unchanged: number;
  /** Decisions that the draft would not decide, or that have no shadow evaluation of it. */
  readonly others: number;
  readonly verdicts: readonly VerdictTransition<Evaluation['verdict']>[];
  readonly lines: readonly VerdictTransition<LineVerdict>[];
  /** Changes of refunds, by currency. */
  readonly money: readonly MoneyDelta[];
  /** Lines whose verdict changes, by return reason and by category. A line may have several categories. */
  readonly byReason: LineGroups;
  readonly byCategory: LineGroups;
  readonly examples: readonly ExampleGroup[];
  readonly failures: readonly FailureGroup[];
};

/** The neutral element of `mergeReports`. */
export const emptyReport: BacktestReport = {
  compared: 0,
  unchanged: 0,
  others: 0,
  verdicts: [],
  lines: [],
  money: [],
  byReason: noLineGroups,
  byCategory: noLineGroups,
  examples: [],
  failures: [],
};

const maxExamples = 10;

const verdictTransition = <Verdict extends string>(from: Verdict, to: Verdict): VerdictTransition<Verdict> => ({
  name: `${from} ${to}`,
  from,
  to,
  count: 1,
});

const addTransitions = <Verdict extends string>(
  a: VerdictTransition<Verdict>,
  b: VerdictTransition<Verdict>,
): VerdictTransition<Verdict> => ({
  ...a,
  count: a.count + b.count,
});

const addExamples = (a: ExampleGroup, b: ExampleGroup): ExampleGroup => ({
  name: a.name,
  examples: [...a.examples, ...b.examples]
    .toSorted((first, second) => (first.decisionId < second.decisionId ? -1 : 1))
    .slice(0, maxExamples),
});

const addFailures = (a: FailureGroup, b: FailureGroup): FailureGroup => ({
  name: a.name,
  count: a.count + b.count,
  decisionIds: [...a.decisionIds, ...b.decisionIds].toSorted().slice(0, maxExamples),
});

/** Groups the lines whose verdict changes, each under all of its names. */
const groupChangedLines = (
  { facts, before, after }: ComparedOutcome,
  namesOf: (line: ComparedOutcome['facts']['lines'][number]) => readonly string[],
): LineGroups =>
  toLineGroups(
    facts.lines.flatMap((line, index): LineGroup[] => {
      const [from, to] = [before.lines[index]?.verdict, after.lines[index]?.verdict];
      if (from === undefined || to === undefined || from === to) return [];
      const isBetter = lineRank[to] > lineRank[from];
      const worth = moneyDelta(
        facts.order.currency,
        (to === 'eligible' ? line.value : 0) - (from === 'eligible' ? line.value : 0),
      );
      return [...new Set(namesOf(line))].map((name) => ({
        name,
        better: isBetter ? 1 : 0,
        worse: isBetter ? 0 : 1,
        worth,
      }));
    }),
  );

const exampleSide = ({ verdict, lines, refund }: ComparedDecision): ExampleSide => ({
  verdict,
  codes: [...new Set(lines.flatMap(({ code }) => code ?? []))].toSorted(),
  refund,
});

const toExample = ({ id, returnId, order, facts, before, after }: ComparedOutcome): ExampleGroup => ({
  name: `${before.verdict} ${after.verdict}`,
  examples: [
    {
      decisionId: id,
      returnId,
      order,
      currency: facts.order.currency,
      before: exampleSide(before),
      after: exampleSide(after),
    },
  ],
});

const reportOfCompared = (outcome: ComparedOutcome): BacktestReport => {
  const { before, after, facts } = outcome;
  const lines = before.lines.map(({ verdict }, index) =>
    verdictTransition(verdict, after.lines[index]?.verdict ?? verdict),
  );
  const flips = lines.some(({ from, to }) => from !== to);
  const counted: BacktestReport = {
    ...emptyReport,
    compared: 1,
    verdicts: [verdictTransition(before.verdict, after.verdict)],
    lines: collectByName(lines, addTransitions),
  };
  if (!flips && before.verdict === after.verdict && before.refund === after.refund) return { ...counted, unchanged: 1 };
  return {
    ...counted,
    money: moneyDelta(facts.order.currency, after.refund - before.refund),
    byReason: groupChangedLines(outcome, ({ reason }) => [reason]),
    byCategory: groupChangedLines(outcome, ({ categories = [] }) => categories),
    examples: [toExample(outcome)],
  };
};

const reportOfOutcome = (outcome: BacktestOutcome): BacktestReport => {
  if (outcome.kind === 'compared') return reportOfCompared(outcome);
  return outcome.kind === 'other'
    ? { ...emptyReport, others: 1 }
    : { ...emptyReport, failures: [{ name: outcome.code, count: 1, decisionIds: [outcome.id] }] };
};

/** Merges reports over disjoint sets of decisions. The order of merging does not change the result. */
export const mergeReports = (a: BacktestReport, b: BacktestReport): BacktestReport => ({
  compared: a.compared + b.compared,
  unchanged: a.unchanged + b.unchanged,
  others: a.others + b.others,
  verdicts: mergeByName(a.verdicts, b.verdicts, addTransitions),
  lines: mergeByName(a.lines, b.lines, addTransitions),
  money: mergeMoneyDeltas(a.money, b.money),
  byReason: mergeLineGroups(a.byReason, b.byReason),
  byCategory: mergeLineGroups(a.byCategory, b.byCategory),
  examples: mergeByName(a.examples, b.examples, addExamples),
  failures: mergeByName(a.failures, b.failures, addFailures),
});

/** Adds one decision to a report. */
export const addOutcome = (report: BacktestReport, outcome: BacktestOutcome): BacktestReport =>
  mergeReports(report, reportOfOutcome(outcome));
