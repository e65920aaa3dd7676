import type { Effect, RuleResult, TraceEntry } from '../evaluation.ts';
import type { LineFacts } from '../facts.ts';
import type { Exemptible } from '../policy.ts';
import { compareInstants } from '../time/calendar.ts';
import { chooseRule, denyLine, type Exemptions, requireReview, type LineState } from './choose.ts';
import type { CompiledRule, CompiledRuleOf } from './compile.ts';
import {
  toTraceEntry,
  evaluateRule,
  evaluateRules,
  mayHold,
  missingFacts,
  type EvaluationScope,
} from './evaluate-rule.ts';
import { startFacts, windowEnd } from './window-end.ts';

type LineScope = Required<EvaluationScope>;

/** A line in evaluation: its facts and its state. */
export type LineCase = LineScope & { readonly state: LineState };

/** A request in evaluation, with all of its lines. */
export type EvaluationInput = {
  readonly whole: EvaluationScope;
  readonly cases: readonly LineCase[];
  readonly trace: TraceEntry[];
};

type LinePhase = Exemptible & ('exclusion' | 'requirement' | 'window');

/** A rule of a phase in which each matched rule counts against a line. */
type BlockingRule = CompiledRuleOf<'exclusion'> | CompiledRuleOf<'requirement'>;

/** Returns whether an allow list exempts a phase. Its rules are then in the trace, but not evaluated. */
const isSkipped = (
  rules: readonly CompiledRule[],
  phase: LinePhase,
  input: EvaluationInput,
  exempt: Exemptions,
): boolean => {
  if (!exempt.certain.includes(phase)) return false;
  for (const rule of rules)
    for (const lineCase of input.cases) input.trace.push(toTraceEntry(rule, lineCase, 'skipped'));
  return true;
};

const missingRequirements = ({ source }: BlockingRule, line: LineFacts): readonly string[] =>
  'require' in source
    ? source.require.filter((requirement) => (requirement === 'note' ? !line.hasNote : !line.hasEvidence))
    : [];

const effectOf = (rule: BlockingRule, { line }: LineCase): Effect =>
  rule.effect ?? { lacks: missingRequirements(rule, line) };

/** Returns whether a matched rule denies a line. A requirement that the line meets does not. */
const isBlocking = (effect: Effect): boolean => 'deny' in effect || ('lacks' in effect && effect.lacks.length > 0);

/** Applies the effect of a matched exclusion or requirement. */
const applyEffect = (effect: Effect, { state }: LineCase, mayBeExempt?: readonly string[]): void => {
  if ('deny' in effect) denyLine(state, effect.deny ?? '', mayBeExempt);
  if ('lacks' in effect) for (const requirement of effect.lacks) requireReview(state, [], `${requirement}_required`);
};

/** Evaluates exclusions and requirements. Every matched rule counts. */
export const evaluateEach = (
  rules: readonly BlockingRule[],
  phase: 'exclusion' | 'requirement',
  input: EvaluationInput,
  exempt: Exemptions,
): void => {
  if (isSkipped(rules, phase, input, exempt)) return;
  for (const rule of rules)
    for (const lineCase of input.cases) {
      const result = evaluateRule(rule, lineCase);
      const effect = mayHold(result) ? effectOf(rule, lineCase) : undefined;
      if (effect !== undefined && result === 'matched') applyEffect(effect, lineCase, exempt.possible[phase]);
      if (effect !== undefined && result === 'unknown' && isBlocking(effect))
        requireReview(lineCase.state, missingFacts(rule, lineCase));
      input.trace.push(toTraceEntry(rule, lineCase, result, effect));
    }
};

/** The results of the windows for one line, by rule index. */
type WindowOutcome = {
  readonly results: readonly RuleResult[];
  readonly chosen: CompiledRule | undefined;
  /** The rule that precedes the others. */
  readonly over?: string;
  readonly effect?: Effect;
};

const noWindow: WindowOutcome = { results: [], chosen: undefined };

const evaluateWindow = (
  rules: readonly CompiledRuleOf<'window'>[],
  lineCase: LineCase,
  holidays: ReadonlySet<string>,
  mayBeExempt?: readonly string[],
): WindowOutcome => {
  const results = evaluateRules(rules, lineCase);
  const { chosen, rivals } = chooseRule(rules, results, 'window');
  const [rival] = rivals;
  if (rival !== undefined) {
    requireReview(
      lineCase.state,
      rivals.flatMap((rule) => missingFacts(rule, lineCase)),
    );
    return { results, chosen: undefined, over: rival.id };
  }
  if (chosen === undefined) return { results, chosen };
  const end = windowEnd(chosen.source.window, lineCase, holidays);
  if (end === undefined) {
    requireReview(lineCase.state, startFacts(chosen.source.window));
    return { results, chosen, over: chosen.id };
  }
  const expired = compareInstants(lineCase.facts.requestedAt, end) >= 0;
  lineCase.state.returnableUntil = end;
  if (expired) denyLine(lineCase.state, 'window_expired', mayBeExempt);
  return { results, chosen, over: chosen.id, effect: { end, expired } };
};

/** Evaluates windows. The first matched one by rank counts for a line. */
export const evaluateWindows = (
  rules: readonly CompiledRuleOf<'window'>[],
  input: EvaluationInput,
  exempt: Exemptions,
  holidays: ReadonlySet<string>,
): void => {
  if (isSkipped(rules, 'window', input, exempt)) return;
  const found: WindowOutcome[] = [];
  for (const lineCase of input.cases) found.push(evaluateWindow(rules, lineCase, holidays, exempt.possible.window));
  for (const [ruleIndex, rule] of rules.entries())
    for (const [index, lineCase] of input.cases.entries()) {
      const { results, chosen, over, effect } = found[index] ?? noWindow;
      const result = results[ruleIndex] ?? 'not_matched';
      const isBehind = rule !== chosen && (result === 'matched' || (result === 'unknown' && chosen !== undefined));
      input.trace.push(
        toTraceEntry(rule, lineCase, result, rule === chosen ? effect : undefined, isBehind ? over : undefined),
      );
    }
};

/** Evaluates resolutions. Each matched rule removes the ones that it does not allow. */
export const evaluateResolutions = (rules: readonly CompiledRuleOf<'resolution'>[], input: EvaluationInput): void => {
  for (const rule of rules) {
    const allowed = rule.source.resolutions;
    for (const lineCase of input.cases) {
      const result = evaluateRule(rule, lineCase);
      if (result === 'matched')
        lineCase.state.resolutions = lineCase.state.resolutions.filter((resolution) => allowed.includes(resolution));
      if (result === 'unknown' && !allowed.includes(lineCase.line.resolution))
        requireReview(lineCase.state, missingFacts(rule, lineCase));
      input.trace.push(toTraceEntry(rule, lineCase, result, mayHold(result) ? rule.effect : undefined));
    }
  }
  for (const { line, state } of input.cases)
    if (!state.resolutions.includes(line.resolution)) denyLine(state, 'resolution_not_allowed');
};
