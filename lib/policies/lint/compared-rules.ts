import { canMeet, implies, weightOf } from './cases.ts';
import { areEqual, type Finding, outranks, type PlacedRule } from './placed-rule.ts';

/** As many others as a finding names at most. */
const maxNamed = 10;

const isNever = ({ cases }: PlacedRule): boolean => cases?.length === 0;

/** Whether a rule is true only where another is, as far as that is plain. */
const isWithin = (a: PlacedRule, b: PlacedRule): boolean => a.wording === b.wording || implies(a.cases, b.cases);

const areAlike = (a: PlacedRule, b: PlacedRule): boolean =>
  a.specificity === b.specificity && isWithin(a, b) && isWithin(b, a);

/** What several rules require adds up, and what they exempt from. */
const addUp = ({ rule: a }: PlacedRule, { rule: b }: PlacedRule): boolean =>
  'exempts' in a || 'exempts' in b || ('require' in a && 'require' in b);

/** Whether two rules cannot both be meant for the same cases. */
const areOpposed = (a: PlacedRule, b: PlacedRule): boolean =>
  a.rule.phase === b.rule.phase &&
  a.choice === b.choice &&
  (a.choice === undefined || areEqual(a, b)) &&
  !addUp(a, b) &&
  a.effect !== b.effect;

/** Blocking goes before exempting: whoever is always blocked is never exempt. */
const isBlockedBy = (exempting: PlacedRule, blocking: PlacedRule): boolean =>
  'exempts' in exempting.rule && 'block' in blocking.rule && isWithin(exempting, blocking);

const contradiction = (rule: PlacedRule, index: number, rules: readonly PlacedRule[]): readonly Finding[] => {
  const against =
    rules.find((other) => isBlockedBy(rule, other)) ??
    rules.slice(0, index).find((other) => areOpposed(rule, other) && areAlike(rule, other));
  if (against === undefined) return [];
  return [
    {
      code: 'contradiction',
      severity: 'error',
      path: rule.path,
      message: `says something else than ${against.rule.id} for the same cases`,
      rules: [against.rule.id, rule.rule.id],
    },
  ];
};

const isShadowedBy = (rule: PlacedRule, other: PlacedRule): boolean =>
  outranks(other, rule) && isWithin(rule, other) && !(areOpposed(rule, other) && areAlike(rule, other));

const shadowed = (rule: PlacedRule, rivals: readonly PlacedRule[]): readonly Finding[] => {
  const above = rivals.find((other) => other !== rule && isShadowedBy(rule, other));
  if (above === undefined) return [];
  return [
    {
      code: 'unreachable',
      severity: 'error',
      path: rule.path,
      message: `can never be chosen: ${above.rule.id} goes before it wherever it holds`,
      rules: [rule.rule.id, above.rule.id],
    },
  ];
};

/** Whether only their ids say what becomes of some cases. */
const overlaps = (a: PlacedRule, b: PlacedRule): boolean =>
  a.effect !== b.effect &&
  areEqual(a, b) &&
  canMeet(a.cases, b.cases) &&
  !(outranks(a, b) ? isWithin(b, a) : isWithin(a, b));

const overlap = (rule: PlacedRule, rivals: readonly PlacedRule[]): readonly Finding[] => {
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
      message: `can hold beside ${others.join(', ')}: their ids alone say which is chosen; give one a priority`,
      rules: [rule.rule.id, ...others],
    },
  ];
};

/** As much as all conditions may come to that are compared, each with each. */
const maxWeight = 5000;

/** The more rules there are, the simpler they must be; of others only the wording is compared. */
const comparable = (rules: readonly PlacedRule[]): readonly PlacedRule[] =>
  rules.map((rule) => (weightOf(rule.cases) * rules.length > maxWeight ? { ...rule, cases: undefined } : rule));

const never = ({ rule, path }: PlacedRule): Finding => ({
  code: 'unreachable',
  severity: 'error',
  path: `${path}/when`,
  message: 'can never be true',
  rules: [rule.id],
});

/** What rules are to each other: never true, never chosen, against another, or told apart by their ids alone. */
export const comparedRules = (all: readonly PlacedRule[]): readonly Finding[] => {
  const rules = comparable(all.filter((rule) => !isNever(rule)));
  const rivals = Map.groupBy(rules, ({ choice }) => choice);
  return [
    ...all.filter(isNever).map(never),
    ...rules.flatMap((rule, index) => contradiction(rule, index, rules)),
    ...rules.flatMap((rule) => {
      const choosable = rule.choice === undefined ? [] : (rivals.get(rule.choice) ?? []);
      return [...shadowed(rule, choosable), ...overlap(rule, choosable)];
    }),
  ];
};
