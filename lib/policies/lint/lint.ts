import type { Condition } from '../condition.ts';
import { type StatutoryRule, statutoryRules } from '../law/statutory-rules.ts';
import { leavesOf } from '../leaves.ts';
import type { Policy, Selectors } from '../policy.ts';
import { canBothHold, casesWith, implies, type NamedConditions } from './cases.ts';
import { compareRules } from './compare-rules.ts';
import { type Comparison, literal, type Literal, literalsOf } from './literal.ts';
import { type LintFinding, type LintedRule, lintedRules } from './linted-rule.ts';
import { redundantRules } from './redundant-rules.ts';

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
  const reason: WordCheck = { code: 'unknown_reason', known: reasons, what: 'a reason that a line may have' };
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

type PlacedComparison = readonly [Comparison, string];

const comparisonsIn = (condition: Condition, path: string): readonly PlacedComparison[] => {
  if ('fact' in condition) return [[condition, path]];
  if ('use' in condition) return [];
  if ('not' in condition) return comparisonsIn(condition.not, `${path}/not`);
  const [parts, join] = 'and' in condition ? [condition.and, 'and'] : [condition.or, 'or'];
  return parts.flatMap((part, index) => comparisonsIn(part, `${path}/${join}/${index}`));
};

const wordsIn = ({ value }: Comparison): readonly (readonly [string, string])[] => {
  if (typeof value === 'string') return [[value, '']];
  if (typeof value !== 'object') return [];
  return value.flatMap((word, index) => (typeof word === 'string' ? [[word, `/${index}`] as const] : []));
};

/** Categories, reasons and lists that conditions name and that there are not: what asks for them waits in vain. */
const unknownWords = (policy: Policy, reasons: ReadonlySet<string>): readonly LintFinding[] => {
  const words = wordsByFact(policy, reasons);
  const places = [
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
  return places.flatMap(({ comparison, path, rules }) => {
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

/** Whether a rule can hold for a sale that the law is about. Who is not known to be no consumer is one. */
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
 * Windows that end before what the law gives anyone who bought at a distance: the floor makes up for them, but customers
 * are told less than they have.
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
    const from = anchorNames[anchor] === '' ? '' : `, and counts from ${anchorNames[anchor]}, which comes before that`;
    return [
      {
        code: 'window_below_floor',
        severity: 'warning',
        path: `${path}/window/days`,
        message: `gives less than ${laws.map((law) => `${law.law} (${daysOf(law)} days from delivery)`).join(', ')}${from}; the law counts anyway`,
        rules: [rule.id],
      },
    ];
  });

/** Facts that are amounts in minor units of the order's currency. */
const amounts: ReadonlySet<string> = new Set(['order.value', 'return.value', 'line.unitPrice', 'line.value']);

/** Whether a literal compares an amount. Zero is the same in every currency. */
const isAmount = ({ fact, op, keys }: Literal): boolean =>
  amounts.has(fact) && op !== 'exists' && op !== 'missing' && [...keys].some((key) => key !== 0);

const namesCurrency = ({ fact, op }: Literal): boolean => fact === 'order.currency' && (op === 'in' || op === 'notIn');

const lacksCurrency = (literals: readonly Literal[]): boolean =>
  literals.some(isAmount) && !literals.some(namesCurrency);

/** Whether one way for a rule to hold compares an amount in any currency. Of very many ways only the leaves are read. */
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
        message: 'compares an amount in any currency, 100 EUR as 100 JPY: add a condition on order.currency',
        rules: [rule.id],
      }),
    );

/** What a return that pays a fee can be worth. Rules for fees cannot ask for a line's worth. */
const worthFacts = ['return.value', 'order.value'];

/** Flat fees that nothing keeps from being more than what comes back is worth. */
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
        message: `can be more than the goods are worth: let it hold only where return.value is at least ${minimum}`,
        rules: [rule.id],
      },
    ];
  });

const noApproval: LintFinding = {
  code: 'no_approval',
  severity: 'error',
  path: '/rules',
  message: 'must say somewhere whether returns are approved, by a rule of phase approval',
};

/**
 * What is probably not meant in a policy that can be evaluated: rules that never do anything, that another makes needless,
 * that are against each other or against the law, amounts without a currency, and words that nobody uses. The same policy has the same findings, in the same order.
 *
 * What is not plain is not found: of a condition that can be true in very many ways nothing is said but its words.
 *
 * @param policy one without faults (`policyFieldErrors`)
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
    ...unknownWords(policy, known.reasons),
    ...(policy.rules.some(({ phase }) => phase === 'approval') ? [] : [noApproval]),
  ];
};
