import { factsIn, readerOf, testOf, type Reader, type Test } from './test-of.ts';
import { phases, type Phase, type Policy, type Rule, type WindowTerms } from './policy.ts';
import { anchorFacts } from './window-end.ts';

/** A rule made ready to be evaluated. */
export type Ready = {
  readonly rule: Rule;
  /** Undefined where it always holds. */
  readonly test: Test | undefined;
  /** The facts that it looks at, sorted by their names. */
  readonly inputs: readonly { readonly name: string; readonly read: Reader }[];
  /** Those of them that its condition names: of rules of which one is chosen, the one that names more goes first. */
  readonly tested: Ready['inputs'];
  /** What one rule is chosen of, among those of its phase: a type of fee, a setting; the same for all windows. */
  readonly kind: string;
};

/** A policy made ready to be evaluated, its rules by their phases, each sorted by id. */
export type Compiled = {
  readonly rules: Readonly<Record<Phase, readonly Ready[]>>;
  readonly holidays: ReadonlySet<string>;
  /** The facts that it looks at, by their names. */
  readonly facts: ReadonlySet<string>;
};

/** The fields of a rule's effect that say what it is about, where a phase has rules of several kinds. */
const kindOf = (rule: Rule): string => {
  if (rule.phase === 'fee') return rule.fee.type;
  if (rule.phase === 'logistics' || rule.phase === 'settlement')
    return ['returnless', 'shipping', 'shipByDays', 'inspection', 'refundTiming'].find((kind) => kind in rule) ?? '';
  return rule.phase;
};

const windowFacts = ({ anchor, fallback, seasonal }: WindowTerms): readonly string[] => [
  'requestedAt',
  anchorFacts[anchor],
  ...(fallback === undefined ? [] : [anchorFacts[fallback.anchor]]),
  ...(seasonal === undefined ? [] : ['order.placedAt']),
];

/** The facts that a rule looks at beside its condition. */
const beside = (rule: Rule): readonly string[] => {
  if (rule.phase === 'window') return windowFacts(rule.window);
  if (rule.phase === 'requirement')
    return 'require' in rule ? rule.require.map((one) => (one === 'note' ? 'line.hasNote' : 'line.hasEvidence')) : [];
  if (rule.phase === 'resolution') return ['line.resolution'];
  const isOfCurrency = rule.phase === 'fee' && (rule.fee.amount ?? rule.fee.cap) !== undefined;
  return isOfCurrency ? ['order.currency'] : [];
};

const inputsOf = (names: readonly string[]): Ready['inputs'] => names.map((name) => ({ name, read: readerOf(name) }));

const ready = (rule: Rule, named: NonNullable<Policy['conditions']>): Ready => {
  const tested = rule.when === undefined ? [] : factsIn(rule.when, named);
  return {
    rule,
    test: rule.when === undefined ? undefined : testOf(rule.when, named),
    inputs: inputsOf([...new Set([...tested, ...beside(rule)])].toSorted()),
    tested: inputsOf(tested),
    kind: kindOf(rule),
  };
};

/** Makes a policy ready to be evaluated many times. It must have been checked. */
export const compile = ({ rules, conditions = {}, holidays = [] }: Policy): Compiled => {
  const sorted = rules.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((rule) => ready(rule, conditions));
  const ofPhase = (phase: Phase) => sorted.filter(({ rule }) => rule.phase === phase);
  return {
    rules: Object.fromEntries(phases.map((phase) => [phase, ofPhase(phase)])) as unknown as Compiled['rules'],
    holidays: new Set(holidays),
    facts: new Set(sorted.flatMap(({ inputs }) => inputs.map(({ name }) => name))),
  };
};
