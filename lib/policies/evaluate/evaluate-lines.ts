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
import { anchorFacts, windowEnd } from './window-end.ts';

type LineScope = Required<EvaluationScope>;

/** A line as it is gone through: what it is, and where it stands. */
export type LineCase = LineScope & { readonly standing: LineState };

/** A request as it is gone through, with all of its lines. */
export type EvaluationInput = {
  readonly whole: EvaluationScope;
  readonly cases: readonly LineCase[];
  readonly trace: TraceEntry[];
};

type LinePhase = Exemptible & ('exclusion' | 'requirement' | 'window');

/** A rule of which each one that holds counts against a line. */
type BlockingRule = CompiledRuleOf<'exclusion'> | CompiledRuleOf<'requirement'>;

/** Whether an allow list took a phase out of the way: then its rules are named and not looked at. */
const isSkipped = (
  rules: readonly CompiledRule[],
  phase: LinePhase,
  hearing: EvaluationInput,
  exempt: Exemptions,
): boolean => {
  if (!exempt.certain.includes(phase)) return false;
  for (const ready of rules) for (const one of hearing.cases) hearing.trace.push(toTraceEntry(ready, one, 'skipped'));
  return true;
};

const missingRequirements = ({ rule }: BlockingRule, line: LineFacts): readonly string[] =>
  'require' in rule ? rule.require.filter((one) => (one === 'note' ? !line.hasNote : !line.hasEvidence)) : [];

const effectOf = (ready: BlockingRule, { line }: LineCase): Effect =>
  ready.effect ?? { lacks: missingRequirements(ready, line) };

/** Whether a rule that holds speaks against a line: one that wants what the line has does not. */
const isBlocking = (effect: Effect): boolean => 'deny' in effect || ('lacks' in effect && effect.lacks.length > 0);

/** Does what a rule of exclusions or requirements does that holds. */
const applyEffect = (effect: Effect, { standing }: LineCase, mayBeExempt?: readonly string[]): void => {
  if ('deny' in effect) denyLine(standing, effect.deny ?? '', mayBeExempt);
  if ('lacks' in effect) for (const one of effect.lacks) requireReview(standing, [], `${one}_required`);
};

/** Exclusions and requirements: each rule that holds counts. */
export const evaluateEach = (
  rules: readonly BlockingRule[],
  phase: 'exclusion' | 'requirement',
  hearing: EvaluationInput,
  exempt: Exemptions,
): void => {
  if (isSkipped(rules, phase, hearing, exempt)) return;
  for (const ready of rules)
    for (const one of hearing.cases) {
      const result = evaluateRule(ready, one);
      const effect = mayHold(result) ? effectOf(ready, one) : undefined;
      if (effect !== undefined && result === 'matched') applyEffect(effect, one, exempt.possible[phase]);
      if (effect !== undefined && result === 'unknown' && isBlocking(effect))
        requireReview(one.standing, missingFacts(ready, one));
      hearing.trace.push(toTraceEntry(ready, one, result, effect));
    }
};

/** What became of the windows of one line, by the places of the rules. */
type WindowOutcome = {
  readonly results: readonly RuleResult[];
  readonly chosen: CompiledRule | undefined;
  /** The rule that goes before the others. */
  readonly over?: string;
  readonly effect?: Effect;
};

const noWindow: WindowOutcome = { results: [], chosen: undefined };

const evaluateWindow = (
  rules: readonly CompiledRuleOf<'window'>[],
  one: LineCase,
  holidays: ReadonlySet<string>,
  mayBeExempt?: readonly string[],
): WindowOutcome => {
  const results = evaluateRules(rules, one);
  const { chosen, rivals } = chooseRule(rules, results, 'window');
  const [rival] = rivals;
  if (rival !== undefined) {
    requireReview(
      one.standing,
      rivals.flatMap((ready) => missingFacts(ready, one)),
    );
    return { results, chosen: undefined, over: rival.id };
  }
  if (chosen === undefined) return { results, chosen };
  const end = windowEnd(chosen.rule.window, one, holidays);
  if (end === undefined) {
    requireReview(one.standing, [anchorFacts[chosen.rule.window.anchor]]);
    return { results, chosen, over: chosen.id };
  }
  const expired = compareInstants(one.facts.requestedAt, end) >= 0;
  one.standing.returnableUntil = end;
  if (expired) denyLine(one.standing, 'window_expired', mayBeExempt);
  return { results, chosen, over: chosen.id, effect: { end, expired } };
};

/** Windows: of those that hold for a line the first counts. */
export const evaluateWindows = (
  rules: readonly CompiledRuleOf<'window'>[],
  hearing: EvaluationInput,
  exempt: Exemptions,
  holidays: ReadonlySet<string>,
): void => {
  if (isSkipped(rules, 'window', hearing, exempt)) return;
  const found: WindowOutcome[] = [];
  for (const one of hearing.cases) found.push(evaluateWindow(rules, one, holidays, exempt.possible.window));
  for (const [place, ready] of rules.entries())
    for (const [index, one] of hearing.cases.entries()) {
      const { results, chosen, over, effect } = found[index] ?? noWindow;
      const result = results[place] ?? 'not_matched';
      const isBehind = ready !== chosen && (result === 'matched' || (result === 'unknown' && chosen !== undefined));
      hearing.trace.push(
        toTraceEntry(ready, one, result, ready === chosen ? effect : undefined, isBehind ? over : undefined),
      );
    }
};

/** Resolutions: what is left when each rule that holds has taken away what it does not allow. */
export const evaluateResolutions = (rules: readonly CompiledRuleOf<'resolution'>[], hearing: EvaluationInput): void => {
  for (const ready of rules) {
    const allowed = ready.rule.resolutions;
    for (const one of hearing.cases) {
      const result = evaluateRule(ready, one);
      if (result === 'matched')
        one.standing.resolutions = one.standing.resolutions.filter((each) => allowed.includes(each));
      if (result === 'unknown' && !allowed.includes(one.line.resolution))
        requireReview(one.standing, missingFacts(ready, one));
      hearing.trace.push(toTraceEntry(ready, one, result, mayHold(result) ? ready.effect : undefined));
    }
  }
  for (const { line, standing } of hearing.cases)
    if (!standing.resolutions.includes(line.resolution)) denyLine(standing, 'resolution_not_allowed');
};
