import type { Evaluation, Settings } from '../evaluation.ts';
import type { Exemptible } from '../policy.ts';
import { type Choice, choose, deny, type Exemptions, review } from './choose.ts';
import type { Ready, ReadyOf } from './compile.ts';
import type { Hearing } from './judge-lines.ts';
import { entryOf, look, lookAll, mayHold, missingOf } from './look.ts';

const reviewAll = ({ cases }: Hearing, missing: readonly string[]): void => {
  for (const { standing } of cases) review(standing, missing);
};

const denyAll = ({ cases }: Hearing, code: string, mayBeExempt?: readonly string[]): void => {
  for (const { standing } of cases) deny(standing, code, mayBeExempt);
};

/** Block and allow lists. A customer who is blocked and allowed is blocked. */
export const judgeLists = (rules: readonly ReadyOf<'list'>[], hearing: Hearing): Exemptions => {
  const certain: Exemptible[] = [];
  const possible: Partial<Record<Exemptible, readonly string[]>> = {};
  for (const ready of rules) {
    const { rule } = ready;
    const result = look(ready, hearing.whole);
    const missing = result === 'unknown' ? missingOf(ready, hearing.whole) : [];
    if ('exempts' in rule) {
      if (result === 'matched') certain.push(...rule.exempts);
      if (result === 'unknown')
        for (const phase of rule.exempts) possible[phase] = [...(possible[phase] ?? []), ...missing];
    } else {
      if (result === 'matched') denyAll(hearing, rule.block);
      if (result === 'unknown') reviewAll(hearing, missing);
    }
    hearing.trace.push(entryOf(ready, hearing.whole, result, mayHold(result) ? ready.effect : undefined));
  }
  return { certain, possible };
};

/** Limits on what a customer or a return comes to. */
export const judgeLimits = (rules: readonly ReadyOf<'limit'>[], hearing: Hearing, exempt: Exemptions): void => {
  for (const ready of rules) {
    if (exempt.certain.includes('limit')) {
      hearing.trace.push(entryOf(ready, hearing.whole, 'skipped'));
      continue;
    }
    const result = look(ready, hearing.whole);
    if (result === 'matched') denyAll(hearing, ready.rule.deny, exempt.possible.limit);
    if (result === 'unknown') reviewAll(hearing, missingOf(ready, hearing.whole));
    hearing.trace.push(entryOf(ready, hearing.whole, result, mayHold(result) ? ready.effect : undefined));
  }
};

const none: Choice = { chosen: undefined, rivals: [] };

/** Goes through rules of which one of each kind counts, and gives those that do. */
const judgeKinds = (rules: readonly Ready[], kinds: readonly string[], hearing: Hearing): readonly Ready[] => {
  if (rules.length === 0) return [];
  const results = lookAll(rules, hearing.whole);
  const choices = kinds.map((kind) => choose(rules, results, kind));
  for (const [place, ready] of rules.entries()) {
    const result = results[place] ?? 'not_matched';
    const { chosen, rivals } = choices[kinds.indexOf(ready.kind)] ?? none;
    const isRival = rivals.includes(ready);
    if (isRival) reviewAll(hearing, missingOf(ready, hearing.whole));
    const isBehind = mayHold(result) && chosen !== undefined && ready !== chosen && !isRival;
    const effect = mayHold(result) ? ready.effect : undefined;
    hearing.trace.push(entryOf(ready, hearing.whole, result, effect, isBehind ? chosen.id : undefined));
  }
  return choices.flatMap(({ chosen }) => chosen ?? []);
};

/** Fees: one of each type. */
export const judgeFees = (rules: readonly Ready[], kinds: readonly string[], hearing: Hearing): Evaluation['fees'] => {
  const fees: { -readonly [Type in keyof Evaluation['fees']]: Evaluation['fees'][Type] } = {};
  for (const { id, effect } of judgeKinds(rules, kinds, hearing))
    if (effect !== undefined && 'fee' in effect) {
      const { fee, ...terms } = effect;
      fees[fee] = { rule: id, ...terms };
    }
  return fees;
};

/** Logistics and settlement: one rule of each kind. */
export const judgeSettings = (rules: readonly Ready[], kinds: readonly string[], hearing: Hearing): Settings => {
  const settings: Settings = {};
  for (const { effect } of judgeKinds(rules, kinds, hearing))
    if (effect !== undefined && 'set' in effect) Object.assign(settings, effect.set);
  return settings;
};

const strictness = ['auto', 'manual', 'reject'] as const;

/** Approval: the strictest of all rules that hold; somebody has to where none does. */
export const judgeApproval = (rules: readonly ReadyOf<'approval'>[], hearing: Hearing): Evaluation['approval'] => {
  let strictest = -1;
  let mayReject: readonly string[] | undefined;
  for (const ready of rules) {
    const { rule } = ready;
    const result = look(ready, hearing.whole);
    const strict = strictness.indexOf(rule.approval);
    if (result === 'matched') strictest = Math.max(strictest, strict);
    if (result === 'matched' && rule.approval === 'reject') denyAll(hearing, rule.deny);
    if (result === 'unknown' && rule.approval === 'manual') strictest = Math.max(strictest, strict);
    if (result === 'unknown' && rule.approval === 'reject')
      mayReject = [...(mayReject ?? []), ...missingOf(ready, hearing.whole)];
    hearing.trace.push(entryOf(ready, hearing.whole, result, mayHold(result) ? ready.effect : undefined));
  }
  if (mayReject !== undefined) reviewAll(hearing, mayReject);
  return strictness[strictest] ?? 'manual';
};
