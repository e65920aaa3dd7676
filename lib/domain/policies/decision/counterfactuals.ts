import { sum } from '../../returns/units-by-line.ts';
import { type Policy, type Value, type Leaf, leavesOf } from '../policy.ts';
import type { CompiledPolicy } from '../evaluate/compile.ts';
import { evaluate } from '../evaluate/evaluate.ts';
import { type Evaluation, type LineVerdict, type TraceEntry, lineRank } from '../evaluation.ts';
import { factKinds } from '../fact-catalogue.ts';
import type { Facts, LineFacts } from '../facts.ts';
import { compareInstants, justBefore } from '../time/calendar.ts';
import { refundEstimate } from './stored-decision.ts';

const verdictScore = ({ lines }: Evaluation): number => sum(lines.map(({ verdict }) => lineRank[verdict]));

/** Returns the earliest end of a return window over the lines. A line without a window has no end. */
const earliestEnd = ({ lines }: Evaluation): string =>
  lines.map(({ returnableUntil = '9999-12-31T23:59:59.999Z' }) => returnableUntil).toSorted(compareInstants)[0] ?? '';

/**
 * Returns whether one evaluation of a request is better for the customer than another one.
 * It compares the verdicts on lines, then the refund, then the end of the window.
 */
export const isBetterForCustomer = (a: Evaluation, b: Evaluation, facts: Facts): boolean => {
  const difference =
    verdictScore(a) - verdictScore(b) ||
    refundEstimate(a, facts) - refundEstimate(b, facts) ||
    compareInstants(earliestEnd(a), earliestEnd(b));
  return difference > 0;
};

/** Changed facts of a line, and the policy's verdict with them. */
export type Counterfactual = {
  /** The index of the line in the request, from 0. */
  readonly line: number;
  readonly changes: readonly FactChange[];
  readonly verdict: LineVerdict;
};

/** A fact, its present value, and the condition that its changed value would meet. */
export type FactChange = {
  readonly fact: string;
  readonly is: Value | readonly string[] | null;
  readonly op: 'eq' | 'neq' | 'notIn' | 'lt' | 'lte' | 'gt' | 'gte' | 'hasNone';
  readonly value: Value | readonly string[];
};

/** A proposed change, and a function that applies it to the facts. */
type Proposal = { readonly change: FactChange; readonly rule: string; readonly alter: (facts: Facts) => Facts };

/** The limits of tried changes per line and of explained lines. They bound the time of an explanation. */
const maxProposals = 12;
const maxLines = 20;

/** No order and no line has this value. */
const unknownWord = '\u0000';

type FactGroup = 'order' | 'customer' | 'return';

/** Returns the facts with one of them changed. Only the explained line is included. */
const withFact =
  (name: string, value: Value | readonly string[]) =>
  (facts: Facts): Facts => {
    const [group = '', field = ''] = name.split('.');
    if (name === 'requestedAt') return { ...facts, requestedAt: String(value) };
    if (group === 'line') return { ...facts, lines: facts.lines.map((line) => ({ ...line, [field]: value })) };
    return { ...facts, [group]: { ...facts[group as FactGroup], [field]: value } };
  };

type WantedFact = Pick<FactChange, 'op' | 'value'> & { readonly to: Value | readonly string[] };

type FactValue = Value | readonly string[];

/** Lists the words that the policy's conditions compare a fact with. */
const wordsComparedWith = (fact: string, { rules, conditions = {} }: Policy): readonly string[] =>
  rules
    .flatMap(({ when }) => (when === undefined ? [] : leavesOf(when, conditions)))
    .filter((leaf) => leaf.fact === fact)
    .flatMap(({ op, value }): readonly unknown[] => {
      if (op === 'eq' || op === 'neq') return [value];
      return op === 'in' || op === 'notIn' ? value : [];
    })
    .filter((word) => typeof word === 'string');

/**
 * Returns the change of a fact to a word that the policy does not name.
 * All such words have the same result, while a word that another condition names may have another one.
 */
const anyOtherWord = (fact: string, is: FactValue, policy: Policy): WantedFact | undefined => {
  if (typeof is !== 'string' || factKinds.get(fact) === 'instant') return undefined;
  const words = [...new Set([is, ...wordsComparedWith(fact, policy)])].toSorted();
  return words.length === 1
    ? { op: 'neq', value: is, to: unknownWord }
    : { op: 'notIn', value: words, to: unknownWord };
};

const justBeyond = (op: 'lt' | 'gt', value: Value): WantedFact | undefined =>
  typeof value === 'number' ? { op, value, to: op === 'lt' ? value - 1 : value + 1 } : undefined;

/** Returns a change of a fact that makes a leaf false; undefined when there is no simple one. */
const factAgainst = (leaf: Leaf, is: FactValue, policy: Policy): WantedFact | undefined => {
  const { op, value } = leaf;
  if (op === 'eq') return typeof is === 'boolean' ? { op, value: !is, to: !is } : anyOtherWord(leaf.fact, is, policy);
  if (op === 'neq') return { op: 'eq', value, to: value };
  if (op === 'in') return anyOtherWord(leaf.fact, is, policy);
  if (op === 'gt') return { op: 'lte', value, to: value };
  if (op === 'lt') return { op: 'gte', value, to: value };
  if (op === 'gte') return justBeyond('lt', value);
  if (op === 'lte') return justBeyond('gt', value);
  if (op !== 'hasAny' || typeof is !== 'object') return undefined;
  const words = new Set<unknown>(value);
  return {
    op: 'hasNone',
    value: is.filter((word) => words.has(word)),
    to: is.filter((word) => !words.has(word)),
  };
};

type LineRequest = { readonly policy: Policy; readonly facts: Facts; readonly line: LineFacts };

const proposalsByLeaves = (entry: TraceEntry, { policy }: LineRequest): readonly Proposal[] => {
  const rule = policy.rules.find(({ id }) => id === entry.rule);
  if (rule?.when === undefined) return [];
  return leavesOf(rule.when, policy.conditions ?? {}).flatMap((leaf) => {
    const is = entry.inputs[leaf.fact] ?? null;
    const wanted = is === null ? undefined : factAgainst(leaf, is, policy);
    if (wanted === undefined) return [];
    const { op, value, to } = wanted;
    return [{ change: { fact: leaf.fact, is, op, value }, rule: entry.rule, alter: withFact(leaf.fact, to) }];
  });
};

/** Returns the changes after which one rule no longer denies a line. */
const proposalsOf = (entry: TraceEntry, request: LineRequest): readonly Proposal[] => {
  const { effect, rule } = entry;
  if (effect === undefined) return [];
  if ('expired' in effect) {
    if (!effect.expired) return [];
    const change = { fact: 'requestedAt', is: request.facts.requestedAt, op: 'lt', value: effect.end } as const;
    return [
      { change, rule, alter: withFact('requestedAt', justBefore(effect.end)) },
      ...proposalsByLeaves(entry, request),
    ];
  }
  if ('lacks' in effect)
    return effect.lacks.map((requirement) => {
      const fact = requirement === 'note' ? 'line.hasNote' : 'line.hasEvidence';
      return { change: { fact, is: false, op: 'eq', value: true }, rule, alter: withFact(fact, true) };
    });
  if ('resolutions' in effect)
    return effect.resolutions
      .filter((resolution) => resolution !== request.line.resolution)
      .map((resolution) => ({
        change: { fact: 'line.resolution', is: request.line.resolution, op: 'eq', value: resolution },
        rule,
        alter: withFact('line.resolution', resolution),
      }));
  return 'deny' in effect || 'approval' in effect ? proposalsByLeaves(entry, request) : [];
};

/** Returns the trace entries that deny a line. */
const entriesAgainst = ({ trace }: Evaluation, index: number): readonly TraceEntry[] =>
  trace.filter(
    ({ line, result, overruledBy }) => result === 'matched' && overruledBy === undefined && (line ?? index) === index,
  );

/** Returns the first proposed changes of the rules that deny a line. It collects no more than are tried. */
const proposalsAgainst = (evaluation: Evaluation, index: number, request: LineRequest): readonly Proposal[] => {
  const proposals: Proposal[] = [];
  for (const entry of entriesAgainst(evaluation, index)) {
    proposals.push(...proposalsOf(entry, request));
    if (proposals.length >= maxProposals) break;
  }
  return proposals.slice(0, maxProposals);
};

const verdictOf = (compiled: CompiledPolicy, facts: Facts): LineVerdict =>
  evaluate(compiled, facts).lines[0]?.verdict ?? 'ineligible';

const lineCounterfactuals = (
  policy: Policy,
  compiled: CompiledPolicy,
  facts: Facts,
  evaluation: Evaluation,
  index: number,
) => {
  const line = facts.lines[index];
  const found = evaluation.lines[index];
  if (line === undefined || found === undefined || found.verdict === 'eligible') return [];
  const alone: Facts = { ...facts, lines: [line] };
  const proposals = proposalsAgainst(evaluation, index, { policy, facts, line });
  const helped = (changes: readonly Proposal[]): readonly Counterfactual[] => {
    const verdict = verdictOf(
      compiled,
      changes.reduce((altered, { alter }) => alter(altered), alone),
    );
    if (lineRank[verdict] <= lineRank[found.verdict]) return [];
    return [{ line: index, changes: changes.map(({ change }) => change), verdict }];
  };
  const single = proposals.flatMap((proposal) => helped([proposal]));
  if (single.length > 0) return single;
  // When several rules deny the line, one change is not enough. The first proposal of each rule is tried together.
  const together = proposals.filter(
    ({ rule }, position) => proposals.findIndex((proposal) => proposal.rule === rule) === position,
  );
  return together.length > 1 ? helped(together) : [];
};

/**
 * Returns the changes after which a policy would allow denied lines.
 * It tries single facts first, then several together. Each result is verified by an evaluation.
 */
export const counterfactuals = (
  policy: Policy,
  compiled: CompiledPolicy,
  facts: Facts,
  evaluation: Evaluation,
): readonly Counterfactual[] =>
  facts.lines
    .map((_, index) => index)
    .filter((index) => evaluation.lines[index]?.verdict !== 'eligible')
    .slice(0, maxLines)
    .flatMap((index) => lineCounterfactuals(policy, compiled, facts, evaluation, index));
