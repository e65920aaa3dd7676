import { type Policy, type Selectors, type Condition, type Leaf, leavesOf } from '../policy.ts';
import { customerCounts } from '../facts.ts';
import { type StatutoryRule, statutoryRules } from '../law/statutory-rules.ts';
import { canBothHold, casesWith, implies, type NamedConditions } from './cases.ts';
import { compareRules } from './compare-rules.ts';
import { literal, type Literal, literalsOf } from './literal.ts';
import { type LintFinding, type LintedRule, lintedRules } from './linted-rule.ts';
import { redundantRules } from './redundant-rules.ts';
import { contradictedTexts } from './rule-texts.ts';

type WordCheck = {
  readonly code: LintFinding['code'];
  readonly known: ReadonlySet<string> | undefined;
  readonly what: string;
};

const wordsByFact = (policy: Policy, reasons: ReadonlySet<string>): ReadonlyMap<string, WordCheck> => {
  const categories: WordCheck = {
    code: 'unknown_category',
    known: policy.categories && new Set(policy.categories),
    what: 'a category of this policy',
  };
  const reason: WordCheck = { code: 'unknown_reason', known: reasons, what: 'a known reason code' };
  const groups = new Set([...reasons].flatMap((code) => code.split('.').slice(0, 1)));
  return new Map([
    ['line.categories', categories],
    ['return.categories', categories],
    ['line.reason', reason],
    ['return.reasons', reason],
    ['line.reasonGroup', { code: 'unknown_reason', known: groups, what: 'a group of reasons' }],
    [
      'customer.lists',
      { code: 'unknown_list', known: new Set(Object.keys(policy.lists ?? {})), what: 'a list of this policy' },
    ],
  ]);
};

type PlacedComparison = readonly [Leaf, string];

const comparisonsIn = (condition: Condition, path: string): readonly PlacedComparison[] => {
  if ('fact' in condition) return [[condition, path]];
  if ('use' in condition) return [];
  if ('not' in condition) return comparisonsIn(condition.not, `${path}/not`);
  const [parts, join] = 'and' in condition ? [condition.and, 'and'] : [condition.or, 'or'];
  return parts.flatMap((part, index) => comparisonsIn(part, `${path}/${join}/${index}`));
};

const wordsIn = ({ value }: Leaf): readonly (readonly [string, string])[] => {
  if (typeof value === 'string') return [[value, '']];
  if (typeof value !== 'object') return [];
  return value.flatMap((word, index) => (typeof word === 'string' ? [[word, `/${index}`] as const] : []));
};

/** Finds unknown categories, reasons and lists in conditions. Such a comparison is never true. */
const unknownWords = (policy: Policy, reasons: ReadonlySet<string>): readonly LintFinding[] => {
  const words = wordsByFact(policy, reasons);
  const comparisons = [
    ...Object.entries(policy.conditions ?? {}).flatMap(([name, condition]) =>
      comparisonsIn(condition, `/conditions/${name}`).map(([comparison, path]) => ({ comparison, path, rules: {} })),
    ),
    ...policy.rules.flatMap(({ id, when }, index) =>
      (when === undefined ? [] : comparisonsIn(when, `/rules/${index}/when`)).map(([comparison, path]) => ({
        comparison,
        path,
        rules: { rules: [id] },
      })),
    ),
  ];
  return comparisons.flatMap(({ comparison, path, rules }) => {
    const { code, known, what } = words.get(comparison.fact) ?? {};
    if (code === undefined || known === undefined) return [];
    return wordsIn(comparison)
      .filter(([word]) => !known.has(word))
      .map(
        ([, at]): LintFinding => ({
          code,
          severity: 'error',
          path: `${path}/value${at}`,
          message: `must be ${what}`,
          ...rules,
        }),
      );
  });
};

const daysOf = ({ window }: StatutoryRule): number =>
  window !== null && 'days' in window.within ? window.within.days : 0;

/** Returns whether a rule can hold for a sale that the law covers. An unknown buyer counts as a consumer. */
const canConcern = (
  { cases }: LintedRule,
  law: StatutoryRule,
  countries: readonly string[] = law.countries,
): boolean => {
  const served = law.countries.filter((country) => countries.includes(country));
  const sale = casesWith(
    literal('order.country', 'in', served),
    literal('order.saleType', 'in', law.saleTypes),
    literal('order.buyerIsConsumer', 'in', [true]),
  );
  return canBothHold(cases, sale);
};

const anchorNames = { delivered: '', last_item_delivered: '', shipped: 'shipping', placed: 'the order' } as const;

/**
 * Finds windows that are shorter than the law grants for distance sales. The floor still applies, but customers read a
 * shorter period.
 */
const statutoryWindows = (rules: readonly LintedRule[], selectors: Selectors | undefined): readonly LintFinding[] =>
  rules.flatMap((placed): readonly LintFinding[] => {
    const { rule, path } = placed;
    if (rule.phase !== 'window') return [];
    const { anchor, days, graceDays = 0 } = rule.window;
    const laws = statutoryRules.filter(
      (law) => law.claim === 'any' && daysOf(law) > days + graceDays && canConcern(placed, law, selectors?.countries),
    );
    if (laws.length === 0) return [];
    const from = anchorNames[anchor] === '' ? '' : `, and starts at ${anchorNames[anchor]}, which is earlier`;
    return [
      {
        code: 'window_below_floor',
        severity: 'warning',
        path: `${path}/window/days`,
        values: { laws: laws.map((law) => `${law.law} (${daysOf(law)})`).join(', ') },
        message: `is shorter than ${laws.map((law) => `${law.law} (${daysOf(law)} days from delivery)`).join(', ')}${from}; the law applies anyway`,
        rules: [rule.id],
      },
    ];
  });

/** Facts that are amounts in minor units of the order's currency. */
const amounts: ReadonlySet<string> = new Set([
  ...customerCounts.filter((name) => name.startsWith('value')).map((name) => `customer.${name}`),
  'order.value',
  'order.valueKept',
  'return.value',
  'line.unitPrice',
  'line.value',
]);

/** Returns whether a literal compares an amount. Zero is the same in every currency. */
const isAmount = ({ fact, op, keys }: Literal): boolean =>
  amounts.has(fact) && op !== 'exists' && op !== 'missing' && [...keys].some((key) => key !== 0);

const namesCurrency = ({ fact, op }: Literal): boolean => fact === 'order.currency' && (op === 'in' || op === 'notIn');

const lacksCurrency = (literals: readonly Literal[]): boolean =>
  literals.some(isAmount) && !literals.some(namesCurrency);

/**
 * Returns whether one case of a rule compares an amount in any currency.
 * With too many cases only the leaves are read.
 */
const canLackCurrency = ({ rule, cases }: LintedRule, named: NamedConditions): boolean => {
  if (cases !== undefined) return cases.some(({ all }) => lacksCurrency(all));
  const isFeeInCurrency = rule.phase === 'fee' && (rule.fee.amount ?? rule.fee.cap) !== undefined;
  if (rule.when === undefined || isFeeInCurrency) return false;
  return lacksCurrency(leavesOf(rule.when, named).flatMap(literalsOf));
};

/** Finds rules that compare an amount whatever its currency: they would take 100 EUR for 100 JPY. */
const amountsWithoutCurrency = (rules: readonly LintedRule[], named: NamedConditions = {}): readonly LintFinding[] =>
  rules
    .filter((placed) => canLackCurrency(placed, named))
    .map(
      ({ rule, path }): LintFinding => ({
        code: 'amount_without_currency',
        severity: 'warning',
        path: `${path}/when`,
        message: 'compares amounts of any currency, 100 EUR like 100 JPY: add a condition on order.currency',
        rules: [rule.id],
      }),
    );

/** The facts that bound the worth of a return with a flat fee, which has no facts of a line. */
const worthFacts = ['return.value', 'order.value'];

/** Finds flat fees that can exceed the worth of the returned goods. */
const flatFees = (rules: readonly LintedRule[]): readonly LintFinding[] =>
  rules.flatMap(({ rule, path, cases }): readonly LintFinding[] => {
    const minimum = rule.phase === 'fee' ? rule.fee.amount?.amount : undefined;
    if (minimum === undefined || minimum === 0 || cases?.length === 0) return [];
    if (worthFacts.some((fact) => implies(cases, casesWith(literal(fact, 'from', [minimum]))))) return [];
    return [
      {
        code: 'fee_above_price',
        severity: 'warning',
        path: `${path}/fee/amount`,
        values: { minimum },
        message: `can exceed the worth of the goods: add the condition that return.value is at least ${minimum}`,
        rules: [rule.id],
      },
    ];
  });

const noApproval: LintFinding = {
  code: 'no_approval',
  severity: 'error',
  path: '/rules',
  message: 'must have a rule of phase approval that decides whether returns are approved',
};

/**
 * Lists probable mistakes in a valid policy. It finds rules that never apply or are redundant, and rules that
 * contradict each other, the law or their own text. It also finds amounts without a currency, and unknown words. The
 * same policy has the same findings in the same order.
 *
 * Complex conditions are not analysed. In a condition with very many cases only the words are checked.
 * @param policy a policy without errors (`policyFieldErrors`)
 * @param known the reasons that a line may have
 */
export const lint = (policy: Policy, known: { readonly reasons: ReadonlySet<string> }): readonly LintFinding[] => {
  const rules = lintedRules(policy);
  const compared = compareRules(rules);
  return [
    ...compared,
    ...redundantRules(rules, compared),
    ...amountsWithoutCurrency(rules, policy.conditions),
    ...statutoryWindows(rules, policy.selectors),
    ...flatFees(rules),
    ...contradictedTexts(rules),
    ...unknownWords(policy, known.reasons),
    ...(policy.rules.some(({ phase }) => phase === 'approval') ? [] : [noApproval]),
  ];
};
