import type { OrderRef } from '../../returns/model/order.ts';
import type { Evaluation, LineVerdict } from '../evaluation.ts';
import { lineRank } from '../leaves.ts';
import {
  collected,
  type Group,
  type Groups,
  groupsOf,
  joined,
  mergeGroups,
  mergeMoved,
  type Moved,
  movedBy,
  noGroups,
} from './moved.ts';
import type { Incomparable, Outcome, Said } from './outcome.ts';

type Compared = Extract<Outcome, { readonly kind: 'compared' }>;

/** How many went from one verdict to another, or stayed: `name` is both. */
type Flow<Verdict extends string> = {
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

/** One of those that change. Refunds are in minor units of the currency. */
export type Example = {
  readonly decisionId: string;
  readonly returnId: string;
  readonly order: OrderRef;
  readonly currency: string;
  readonly before: ExampleSide;
  readonly after: ExampleSide;
};

/** Those with the smallest ids of each direction, `name`. */
type Examples = { readonly name: string; readonly examples: readonly Example[] };

/** Why decisions could not be compared, how many, and the smallest ids of them. */
type Failed = { readonly name: Incomparable; readonly count: number; readonly decisionIds: readonly string[] };

/** What a draft does to decisions that were made. */
export type Report = {
  /** Those that were compared; of `unchanged` no verdict, of the return or of a line, and no refund changes. */
  readonly compared: number;
  readonly unchanged: number;
  /** Those that are not the draft's to decide, or have no shadow of it. */
  readonly others: number;
  readonly verdicts: readonly Flow<Evaluation['verdict']>[];
  readonly lines: readonly Flow<LineVerdict>[];
  /** What would be paid, by currency. */
  readonly money: readonly Moved[];
  /** Lines whose verdict changes, by the reason for which they come back, and by category: one may be of several. */
  readonly byReason: Groups;
  readonly byCategory: Groups;
  readonly examples: readonly Examples[];
  readonly failures: readonly Failed[];
};

/** The neutral element of `merge`. */
export const emptyReport: Report = {
  compared: 0,
  unchanged: 0,
  others: 0,
  verdicts: [],
  lines: [],
  money: [],
  byReason: noGroups,
  byCategory: noGroups,
  examples: [],
  failures: [],
};

const maxExamples = 10;

const flow = <Verdict extends string>(from: Verdict, to: Verdict): Flow<Verdict> => ({
  name: `${from} ${to}`,
  from,
  to,
  count: 1,
});

const addFlows = <Verdict extends string>(a: Flow<Verdict>, b: Flow<Verdict>): Flow<Verdict> => ({
  ...a,
  count: a.count + b.count,
});

const addExamples = (a: Examples, b: Examples): Examples => ({
  name: a.name,
  examples: [...a.examples, ...b.examples]
    .toSorted((one, other) => (one.decisionId < other.decisionId ? -1 : 1))
    .slice(0, maxExamples),
});

const addFailed = (a: Failed, b: Failed): Failed => ({
  name: a.name,
  count: a.count + b.count,
  decisionIds: [...a.decisionIds, ...b.decisionIds].toSorted().slice(0, maxExamples),
});

/** The lines whose verdict changes, each under every name that it goes by. */
const groupsBy = (
  { facts, before, after }: Compared,
  namesOf: (line: Compared['facts']['lines'][number]) => readonly string[],
): Groups =>
  groupsOf(
    facts.lines.flatMap((line, index): Group[] => {
      const [from, to] = [before.lines[index]?.verdict, after.lines[index]?.verdict];
      if (from === undefined || to === undefined || from === to) return [];
      const isBetter = lineRank[to] > lineRank[from];
      const worth = movedBy(
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

const side = ({ verdict, lines, refund }: Said): ExampleSide => ({
  verdict,
  codes: [...new Set(lines.flatMap(({ code }) => code ?? []))].toSorted(),
  refund,
});

const exampleOf = ({ id, returnId, order, facts, before, after }: Compared): Examples => ({
  name: `${before.verdict} ${after.verdict}`,
  examples: [
    {
      decisionId: id,
      returnId,
      order,
      currency: facts.order.currency,
      before: side(before),
      after: side(after),
    },
  ],
});

const ofCompared = (outcome: Compared): Report => {
  const { before, after, facts } = outcome;
  const lines = before.lines.map(({ verdict }, index) => flow(verdict, after.lines[index]?.verdict ?? verdict));
  const flips = lines.some(({ from, to }) => from !== to);
  const counted: Report = {
    ...emptyReport,
    compared: 1,
    verdicts: [flow(before.verdict, after.verdict)],
    lines: collected(lines, addFlows),
  };
  if (!flips && before.verdict === after.verdict && before.refund === after.refund) return { ...counted, unchanged: 1 };
  return {
    ...counted,
    money: movedBy(facts.order.currency, after.refund - before.refund),
    byReason: groupsBy(outcome, ({ reason }) => [reason]),
    byCategory: groupsBy(outcome, ({ categories = [] }) => categories),
    examples: [exampleOf(outcome)],
  };
};

const ofOutcome = (outcome: Outcome): Report => {
  if (outcome.kind === 'compared') return ofCompared(outcome);
  return outcome.kind === 'other'
    ? { ...emptyReport, others: 1 }
    : { ...emptyReport, failures: [{ name: outcome.code, count: 1, decisionIds: [outcome.id] }] };
};

/** Two reports over different decisions as one: in whatever order they are merged, the same comes out. */
export const merge = (a: Report, b: Report): Report => ({
  compared: a.compared + b.compared,
  unchanged: a.unchanged + b.unchanged,
  others: a.others + b.others,
  verdicts: joined(a.verdicts, b.verdicts, addFlows),
  lines: joined(a.lines, b.lines, addFlows),
  money: mergeMoved(a.money, b.money),
  byReason: mergeGroups(a.byReason, b.byReason),
  byCategory: mergeGroups(a.byCategory, b.byCategory),
  examples: joined(a.examples, b.examples, addExamples),
  failures: joined(a.failures, b.failures, addFailed),
});

/** A report with one more decision. */
export const withOutcome = (report: Report, outcome: Outcome): Report => merge(report, ofOutcome(outcome));
