import type { Effect, RuleResult, TraceEntry } from '../evaluation.ts';
import type { LineFacts } from '../facts.ts';
import type { Exemptible } from '../policy.ts';
import { compareInstants } from '../time/calendar.ts';
import { choose, deny, type Exemptions, review, type Standing } from './choose.ts';
import type { Ready, ReadyOf } from './compile.ts';
import { entryOf, look, lookAll, mayHold, missingOf, type Subject } from './look.ts';
import { anchorFacts, windowEnd } from './window-end.ts';

type LineSubject = Required<Subject>;

/** A line as it is gone through: what it is, and where it stands. */
export type Case = LineSubject & { readonly standing: Standing };

/** A request as it is gone through, with all of its lines. */
export type Hearing = { readonly whole: Subject; readonly cases: readonly Case[]; readonly trace: TraceEntry[] };

type LinePhase = Exemptible & ('exclusion' | 'requirement' | 'window');

/** A rule of which each one that holds counts against a line. */
type Against = ReadyOf<'exclusion'> | ReadyOf<'requirement'>;

/** Whether an allow list took a phase out of the way: then its rules are named and not looked at. */
const isSkipped = (rules: readonly Ready[], phase: LinePhase, hearing: Hearing, exempt: Exemptions): boolean => {
  if (!exempt.certain.includes(phase)) return false;
  for (const ready of rules) for (const one of hearing.cases) hearing.trace.push(entryOf(ready, one, 'skipped'));
  return true;
};

const lacking = ({ rule }: Against, line: LineFacts): readonly string[] =>
  'require' in rule ? rule.require.filter((one) => (one === 'note' ? !line.hasNote : !line.hasEvidence)) : [];

const effectOf = (ready: Against, { line }: Case): Effect => ready.effect ?? { lacks: lacking(ready, line) };

/** Whether a rule that holds speaks against a line: one that wants what the line has does not. */
const isOpposed = (effect: Effect): boolean => 'deny' in effect || ('lacks' in effect && effect.lacks.length > 0);

/** Does what a rule of exclusions or requirements does that holds. */
const apply = (effect: Effect, { standing }: Case, mayBeExempt?: readonly string[]): void => {
  if ('deny' in effect) deny(standing, effect.deny ?? '', mayBeExempt);
  if ('lacks' in effect) for (const one of effect.lacks) review(standing, [], `${one}_required`);
};

/** Exclusions and requirements: each rule that holds counts. */
export const judgeEach = (
  rules: readonly Against[],
  phase: 'exclusion' | 'requirement',
  hearing: Hearing,
  exempt: Exemptions,
): void => {
  if (isSkipped(rules, phase, hearing, exempt)) return;
  for (const ready of rules)
    for (const one of hearing.cases) {
      const result = look(ready, one);
      const effect = mayHold(result) ? effectOf(ready, one) : undefined;
      if (effect !== undefined && result === 'matched') apply(effect, one, exempt.possible[phase]);
      if (effect !== undefined && result === 'unknown' && isOpposed(effect))
        review(one.standing, missingOf(ready, one));
      hearing.trace.push(entryOf(ready, one, result, effect));
    }
};

/** What became of the windows of one line, by the places of the rules. */
type Windows = {
  readonly results: readonly RuleResult[];
  readonly chosen: Ready | undefined;
  /** The rule that goes before the others. */
  readonly over?: string;
  readonly effect?: Effect;
};

const none: Windows = { results: [], chosen: undefined };

const windowOf = (
  rules: readonly ReadyOf<'window'>[],
  one: Case,
  holidays: ReadonlySet<string>,
  mayBeExempt?: readonly string[],
): Windows => {
  const results = lookAll(rules, one);
  const { chosen, rivals } = choose(rules, results, 'window');
  const [rival] = rivals;
  if (rival !== undefined) {
    review(
      one.standing,
      rivals.flatMap((ready) => missingOf(ready, one)),
    );
    return { results, chosen: undefined, over: rival.id };
  }
  if (chosen === undefined) return { results, chosen };
  const end = windowEnd(chosen.rule.window, one, holidays);
  if (end === undefined) {
    review(one.standing, [anchorFacts[chosen.rule.window.anchor]]);
    return { results, chosen, over: chosen.id };
  }
  const expired = compareInstants(one.facts.requestedAt, end) >= 0;
  one.standing.returnableUntil = end;
  if (expired) deny(one.standing, 'window_expired', mayBeExempt);
  return { results, chosen, over: chosen.id, effect: { end, expired } };
};

/** Windows: of those that hold for a line the first counts. */
export const judgeWindows = (
  rules: readonly ReadyOf<'window'>[],
  hearing: Hearing,
  exempt: Exemptions,
  holidays: ReadonlySet<string>,
): void => {
  if (isSkipped(rules, 'window', hearing, exempt)) return;
  const found: Windows[] = [];
  for (const one of hearing.cases) found.push(windowOf(rules, one, holidays, exempt.possible.window));
  for (const [place, ready] of rules.entries())
    for (const [index, one] of hearing.cases.entries()) {
      const { results, chosen, over, effect } = found[index] ?? none;
      const result = results[place] ?? 'not_matched';
      const isBehind = ready !== chosen && (result === 'matched' || (result === 'unknown' && chosen !== undefined));
      hearing.trace.push(
        entryOf(ready, one, result, ready === chosen ? effect : undefined, isBehind ? over : undefined),
      );
    }
};

/** Resolutions: what is left when each rule that holds has taken away what it does not allow. */
export const judgeResolutions = (rules: readonly ReadyOf<'resolution'>[], hearing: Hearing): void => {
  for (const ready of rules) {
    const allowed = ready.rule.resolutions;
    for (const one of hearing.cases) {
      const result = look(ready, one);
      if (result === 'matched')
        one.standing.resolutions = one.standing.resolutions.filter((each) => allowed.includes(each));
      if (result === 'unknown' && !allowed.includes(one.line.resolution)) review(one.standing, missingOf(ready, one));
      hearing.trace.push(entryOf(ready, one, result, mayHold(result) ? ready.effect : undefined));
    }
  }
  for (const { line, standing } of hearing.cases)
    if (!standing.resolutions.includes(line.resolution)) deny(standing, 'resolution_not_allowed');
};
