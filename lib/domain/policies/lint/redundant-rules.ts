import type { Rule } from '../policy.ts';
import { covers } from './cases.ts';
import { type LintFinding, outranks, type LintedRule } from './linted-rule.ts';

/*
 * Finds rules that can be deleted without a change to any verdict, code, window, resolution, fee or setting. Only the
 * trace and the list of missing facts may then be shorter. The check is sound, not complete. For each phase it follows
 * what the evaluator does with a true rule and with an unknown one (lib/domain/policies/evaluate).
 */

/**
 * The maximum cost of all comparisons. A pair of rules costs the number of its pairs of cases. Above it no further rule
 * is found.
 */
const maxComparisons = 100_000;

/** Counts the cost of comparisons, and rejects them above the maximum. */
const coverChecker = () => {
  let left = maxComparisons;
  return (rule: LintedRule, cover: LintedRule): boolean => {
    if (rule.wording === cover.wording) return true;
    left -= Math.max(rule.exact?.length ?? 0, 1) * Math.max(cover.exact?.length ?? 0, 1);
    return left >= 0 && covers(rule.exact, cover.exact);
  };
};

/** The rules of a phase in the two relevant orders. */
type PhaseRules = {
  /** Neighbours by id with the same effect have the same number. */
  readonly run: ReadonlyMap<LintedRule, number>;
  /** The rule that is chosen in place of a removed one. */
  readonly next: ReadonlyMap<LintedRule, LintedRule>;
};

const phaseRulesOf = (rules: readonly LintedRule[]): PhaseRules => {
  const run = new Map<LintedRule, number>();
  const byId = rules.toSorted((a, b) => (a.rule.id < b.rule.id ? -1 : 1));
  for (const [index, rule] of byId.entries()) {
    const before = byId[index - 1];
    const number = before === undefined ? 0 : (run.get(before) ?? 0);
    run.set(rule, before?.effect === rule.effect ? number : number + 1);
  }
  const next = new Map<LintedRule, LintedRule>();
  for (const rivals of Map.groupBy(rules, ({ choice }) => choice).values()) {
    const byRank = rivals.toSorted((a, b) => (outranks(a, b) ? -1 : 1));
    for (const [index, rule] of byRank.entries()) {
      const after = byRank[index + 1];
      if (after !== undefined) next.set(rule, after);
    }
  }
  return { run, next };
};

const isWithin = (some: readonly unknown[], all: readonly unknown[]): boolean =>
  some.every((value) => all.includes(value));

/**
 * Returns whether codes keep their order. Codes are listed in order of rule ids, so the code of the cover must have the
 * same place.
 */
const preservesOrder = (rule: LintedRule, cover: LintedRule, { run }: PhaseRules): boolean =>
  cover.rule.id < rule.rule.id || run.get(rule) === run.get(cover);

const strictness = ['auto', 'manual', 'reject'] as const;

type Approving = Extract<Rule, { readonly phase: 'approval' }>;

/** The strictest approval counts. An unknown `auto` counts for nothing, an unknown `manual` as `manual`. */
const isStricter = (a: Approving, b: Approving, isCertain: boolean): boolean =>
  a.approval === 'auto' ||
  a.approval === b.approval ||
  (isCertain && strictness.indexOf(a.approval) < strictness.indexOf(b.approval));

/**
 * Returns whether a cover has the whole effect of a rule. The condition of the cover has at least the value of the
 * rule's.
 */
const coversEffect = (rule: LintedRule, cover: LintedRule, phaseRules: PhaseRules): boolean => {
  const [a, b] = [rule.rule, cover.rule];
  // Without its last rule on facts of a line, a fee is one of the whole return.
  if (rule.readsLine && !cover.readsLine) return false;
  if (cover.readsConduct && !rule.readsConduct) return false;
  // An unknown rule requires a review where its cover would be chosen.
  if (rule.choice !== undefined)
    return rule.certain && phaseRules.next.get(rule) === cover && rule.effect === cover.effect;
  if ('exempts' in a) return 'exempts' in b && isWithin(a.exempts, b.exempts);
  if ('resolutions' in a) return 'resolutions' in b && isWithin(b.resolutions, a.resolutions);
  if ('require' in a) {
    const isKnown = rule.certain || rule.wording === cover.wording;
    return 'require' in b && isWithin(a.require, b.require) && isKnown && preservesOrder(rule, cover, phaseRules);
  }
  if ('approval' in a && a.approval !== 'reject') return 'approval' in b && isStricter(a, b, rule.certain);
  return rule.effect === cover.effect && preservesOrder(rule, cover, phaseRules);
};

const redundantFinding = ({ rule, path }: LintedRule, { rule: cover }: LintedRule): LintFinding => ({
  code: 'redundant',
  severity: 'warning',
  path,
  message: `can be deleted: in every case, ${cover.id} decides the same or is stricter`,
  rules: [rule.id, cover.id],
});

/**
 * Finds rules that another rule makes redundant. All of them can be deleted together, because no covering rule is
 * redundant itself.
 *
 * @param rules all rules of a policy
 * @param found the earlier lint findings; rules with an error are neither redundant nor covering
 */
export const redundantRules = (rules: readonly LintedRule[], found: readonly LintFinding[]): readonly LintFinding[] => {
  const faulty = new Set(found.flatMap((finding) => (finding.severity === 'error' ? (finding.rules ?? []) : [])));
  const isCovered = coverChecker();
  const findings = new Map<string, LintFinding>();
  for (const ofPhase of Map.groupBy(rules, ({ rule }) => rule.phase).values()) {
    const phaseRules = phaseRulesOf(ofPhase);
    for (const rule of ofPhase.toSorted((a, b) => (a.rule.id < b.rule.id ? 1 : -1))) {
      if (faulty.has(rule.rule.id)) continue;
      const cover = ofPhase.find(
        (other) =>
          other !== rule &&
          !faulty.has(other.rule.id) &&
          !findings.has(other.rule.id) &&
          coversEffect(rule, other, phaseRules) &&
          isCovered(rule, other),
      );
      if (cover !== undefined) findings.set(rule.rule.id, redundantFinding(rule, cover));
    }
  }
  return rules.flatMap(({ rule }) => findings.get(rule.id) ?? []);
};
