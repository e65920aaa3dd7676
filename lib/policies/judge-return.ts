import type { Ready } from './compile.ts';
import { choose, type Candidate } from './choose.ts';
import type { Effect, Evaluation, RuleResult, Settings } from './evaluation.ts';
import type { Hearing } from './judge-lines.ts';
import { entryOf, look, mayHold, missingOf } from './look.ts';
import type { Exemptible } from './policy.ts';
import { deny, review, type Exemptions } from './standing.ts';

const reviewAll = ({ cases }: Hearing, missing: readonly string[]): void => {
  for (const { standing } of cases) review(standing, missing);
};

const denyAll = ({ cases }: Hearing, code: string, mayBeExempt?: readonly string[]): void => {
  for (const { standing } of cases) deny(standing, code, mayBeExempt);
};

/** Block and allow lists. A customer who is blocked and allowed is blocked. */
export const judgeLists = (rules: readonly Ready[], hearing: Hearing): Exemptions => {
  const certain = new Set<string>();
  const possible = new Map<Exemptible, readonly string[]>();
  for (const ready of rules) {
    const { rule } = ready;
    if (rule.phase !== 'list') continue;
    const result = look(ready, hearing);
    const missing = result === 'unknown' ? missingOf(ready, hearing) : [];
    if ('exempts' in rule) {
      if (result === 'matched') rule.exempts.forEach((phase) => certain.add(phase));
      if (result === 'unknown')
        rule.exempts.forEach((phase) => possible.set(phase, [...(possible.get(phase) ?? []), ...missing]));
    } else {
      if (result === 'matched') denyAll(hearing, rule.block);
      if (result === 'unknown') reviewAll(hearing, missing);
    }
    const effect: Effect = 'exempts' in rule ? { exempts: rule.exempts } : { deny: rule.block };
    hearing.trace.push(entryOf(ready, hearing, result, mayHold(result) ? { effect } : undefined));
  }
  return { certain, possible };
};

/** Limits on what a customer or a return comes to. */
export const judgeLimits = (rules: readonly Ready[], hearing: Hearing, exempt: Exemptions): void => {
  for (const ready of rules) {
    if (ready.rule.phase !== 'limit') continue;
    if (exempt.certain.has('limit')) {
      hearing.trace.push(entryOf(ready, hearing, 'skipped'));
      continue;
    }
    const result = look(ready, hearing);
    const { deny: code } = ready.rule;
    if (result === 'matched') denyAll(hearing, code, exempt.possible.get('limit'));
    if (result === 'unknown') reviewAll(hearing, missingOf(ready, hearing));
    hearing.trace.push(entryOf(ready, hearing, result, mayHold(result) ? { effect: { deny: code } } : undefined));
  }
};

/** Goes through rules of which one of each kind counts; what that one says is for the caller to take. */
const judgeKinds = (
  rules: readonly Ready[],
  hearing: Hearing,
  effectOf: (ready: Ready) => Effect,
): readonly Ready[] => {
  const candidates: readonly Candidate[] = rules.map((ready) => ({ ready, result: look(ready, hearing) }));
  const choices = new Map(
    [...Map.groupBy(candidates, ({ ready }) => ready.kind)].map(([kind, group]) => [kind, choose(group)]),
  );
  for (const { ready, result } of candidates) {
    const choice = choices.get(ready.kind);
    const isRival = choice?.rivals.includes(ready) ?? false;
    if (isRival) reviewAll(hearing, missingOf(ready, hearing));
    const chosen = choice?.chosen;
    const told = toldOf(ready, result, chosen, isRival, effectOf);
    hearing.trace.push(entryOf(ready, hearing, result, told));
  }
  return [...choices.values()].flatMap(({ chosen }) => (chosen === undefined ? [] : [chosen]));
};

const toldOf = (
  ready: Ready,
  result: RuleResult,
  chosen: Ready | undefined,
  isRival: boolean,
  effectOf: (ready: Ready) => Effect,
) => {
  if (!mayHold(result)) return undefined;
  const isBehind = chosen !== undefined && ready !== chosen && !isRival;
  return { effect: effectOf(ready), ...(isBehind ? { overruledBy: chosen.rule.id } : {}) };
};

const feeOf = ({ rule }: Ready) => {
  if (rule.phase !== 'fee') throw new Error(`${rule.id} is no fee`);
  const { type, bps, amount, cap } = rule.fee;
  return {
    type,
    terms: {
      ...(bps === undefined ? {} : { bps }),
      ...(amount === undefined ? {} : { amount: amount.amount }),
      ...(cap === undefined ? {} : { cap: cap.amount }),
    },
  };
};

/** Fees: one of each type. */
export const judgeFees = (rules: readonly Ready[], hearing: Hearing): Evaluation['fees'] => {
  const chosen = judgeKinds(rules, hearing, (ready) => {
    const { type, terms } = feeOf(ready);
    return { fee: type, ...terms };
  });
  return Object.fromEntries(
    chosen.map((ready) => {
      const { type, terms } = feeOf(ready);
      return [type, { rule: ready.rule.id, ...terms }];
    }),
  );
};

/** What a rule of logistics or settlement settles. */
const settingOf = ({ rule, kind }: Ready): Settings => ({
  [kind]: (rule as unknown as Readonly<Record<string, unknown>>)[kind],
});

/** Logistics and settlement: one rule of each kind. */
export const judgeSettings = (rules: readonly Ready[], hearing: Hearing): Settings =>
  Object.assign({}, ...judgeKinds(rules, hearing, (ready) => ({ set: settingOf(ready) })).map(settingOf)) as Settings;

const strictness = ['auto', 'manual', 'reject'] as const;

/** Approval: the strictest of all rules that hold; somebody has to where none does. */
export const judgeApproval = (rules: readonly Ready[], hearing: Hearing): Evaluation['approval'] => {
  let strictest = -1;
  let mayReject: readonly string[] | undefined;
  for (const ready of rules) {
    const { rule } = ready;
    if (rule.phase !== 'approval') continue;
    const result = look(ready, hearing);
    const strict = strictness.indexOf(rule.approval);
    if (result === 'matched') strictest = Math.max(strictest, strict);
    if (result === 'matched' && rule.approval === 'reject') denyAll(hearing, rule.deny);
    if (result === 'unknown' && rule.approval === 'manual') strictest = Math.max(strictest, strict);
    if (result === 'unknown' && rule.approval === 'reject')
      mayReject = [...(mayReject ?? []), ...missingOf(ready, hearing)];
    const effect: Effect = { approval: rule.approval, ...('deny' in rule ? { deny: rule.deny } : {}) };
    hearing.trace.push(entryOf(ready, hearing, result, mayHold(result) ? { effect } : undefined));
  }
  if (mayReject !== undefined) reviewAll(hearing, mayReject);
  return strictness[strictest] ?? 'manual';
};
