import { canBothHold, implies, comparisonWeight } from './cases.ts';
import { haveEqualRank, type LintFinding, outranks, type LintedRule } from './linted-rule.ts';

/** The maximum number of other rules that a finding names. */
const maxNamed = 10;

const isNeverTrue = ({ cases }: LintedRule): boolean => cases?.length === 0;

/** Returns whether a rule is true only where another is, as far as the cases show it. */
const isWithin = (a: LintedRule, b: LintedRule): boolean => a.wording === b.wording || implies(a.cases, b.cases);

const areAlike = (a: LintedRule, b: LintedRule): boolean =>
  a.specificity === b.specificity && isWithin(a, b) && isWithin(b, a);

/** Returns whether two rules add up: requirements and exemptions do. */
const areAdditive = ({ rule: a }: LintedRule, { rule: b }: LintedRule): boolean =>
  'exempts' in a || 'exempts' in b || ('require' in a && 'require' in b);

/** Returns whether two rules contradict each other for the same cases. */
const areOpposed = (a: LintedRule, b: LintedRule): boolean =>
  a.rule.phase === b.rule.phase &&
  a.choice === b.choice &&
  (a.choice === undefined || haveEqualRank(a, b)) &&
  !areAdditive(a, b) &&
  a.effect !== b.effect;

/** Returns whether a block precedes an exemption. A customer who is always blocked is never exempt. */
const isBlockedBy = (exempting: LintedRule, blocking: LintedRule): boolean =>
  'exempts' in exempting.rule && 'block' in blocking.rule && isWithin(exempting, blocking);

const contradictionFinding = (
  rule: LintedRule,
  index: number,
  rules: readonly LintedRule[],
): readonly LintFinding[] => {
  const against =
    rules.find((other) => isBlockedBy(rule, other)) ??
    rules.slice(0, index).find((other) => areOpposed(rule, other) && areAlike(rule, other));
  if (against === undefined) return [];
  return [
    {
      code: 'contradiction',
      severity: 'error',
      path: rule.path,
      message: `contradicts ${against.rule.id} for the same cases`,
      rules: [against.rule.id, rule.rule.id],
    },
  ];
};

const isShadowedBy = (rule: LintedRule, other: LintedRule): boolean =>
  outranks(other, rule) && isWithin(rule, other) && !(areOpposed(rule, other) && areAlike(rule, other));

const shadowedFinding = (rule: LintedRule, rivals: readonly LintedRule[]): readonly LintFinding[] => {
  const above = rivals.find((other) => other !== rule && isShadowedBy(rule, other));
  if (above === undefined) return [];
  return [
    {
      code: 'unreachable',
      severity: 'error',
      path: rule.path,
      message: `can never apply: ${above.rule.id} takes precedence in every case`,
      rules: [rule.rule.id, above.rule.id],
    },
  ];
};

/** Returns whether only the ids of two rules decide which one applies in some cases. */
const overlaps = (a: LintedRule, b: LintedRule): boolean =>
  a.effect !== b.effect &&
  haveEqualRank(a, b) &&
  canBothHold(a.cases, b.cases) &&
  !(outranks(a, b) ? isWithin(b, a) : isWithin(a, b));

const overlapFinding = (rule: LintedRule, rivals: readonly LintedRule[]): readonly LintFinding[] => {
  const others: string[] = [];
  for (const other of rivals.slice(rivals.indexOf(rule) + 1)) {
    if (overlaps(rule, other)) others.push(other.rule.id);
    if (others.length === maxNamed) break;
  }
  if (others.length === 0) return [];
  return [
    {
      code: 'overlap',
      severity: 'warning',
      path: rule.path,
      message: `can apply together with ${others.join(', ')}: only their ids decide which one applies; give one a priority`,
      rules: [rule.rule.id, ...others],
    },
  ];
};

/** The maximum cost of all compared conditions. */
const maxWeight = 5000;

/**
 * Returns the rules to compare. The more rules there are, the simpler they must be. Of the others only the wording is
 * compared.
 */
const comparable = (rules: readonly LintedRule[]): readonly LintedRule[] =>
  rules.map((rule) => (comparisonWeight(rule.cases) * rules.length > maxWeight ? { ...rule, cases: undefined } : rule));

const neverTrueFinding = ({ rule, path }: LintedRule): LintFinding => ({
  code: 'unreachable',
  severity: 'error',
  path: `${path}/when`,
  message: 'can never be true',
  rules: [rule.id],
});

/**
 * Compares rules. It finds rules that are never true, never apply, or contradict another rule. It also finds rules that
 * overlap with only their ids to decide.
 */
export const compareRules = (linted: readonly LintedRule[]): readonly LintFinding[] => {
  const rules = comparable(linted.filter((rule) => !isNeverTrue(rule)));
  const rivals = Map.groupBy(rules, ({ choice }) => choice);
  return [
    ...linted.filter(isNeverTrue).map(neverTrueFinding),
    ...rules.flatMap((rule, index) => contradictionFinding(rule, index, rules)),
    ...rules.flatMap((rule) => {
      const choosable = rule.choice === undefined ? [] : (rivals.get(rule.choice) ?? []);
      return [...shadowedFinding(rule, choosable), ...overlapFinding(rule, choosable)];
    }),
  ];
};
