import type { Effect } from '../evaluation.ts';
import { factIndex } from './fact-values.ts';
import { phases, type FeeTerms, type Phase, type Policy, type Rule, type WindowTerms } from '../policy.ts';
import { factsIn } from '../leaves.ts';
import { allOf, anyOf, equals, compileCondition } from './compile-condition.ts';
import type { CompiledCondition } from './evaluate-condition.ts';
import { anchorFacts } from './window-end.ts';

/** Facts that rules look at, by their names and places: rules that look at the same share one. */
export type RuleInputs = {
  readonly id: number;
  readonly names: readonly string[];
  readonly places: readonly number[];
};

/** A rule made ready to be evaluated. */
export type CompiledRule<Of extends Rule = Rule> = {
  // Beside the rule, too: rules have many shapes, and this is one, whose fields are read many times faster.
  readonly id: string;
  readonly phase: Phase;
  readonly rule: Of;
  /** Undefined where it always holds. */
  readonly test: CompiledCondition | undefined;
  /** The facts that it looks at, sorted by their names. */
  readonly inputs: RuleInputs;
  /** Those of them that its condition names: of rules of which one is chosen, the one that names more goes first. */
  readonly tested: RuleInputs;
  /** What one rule is chosen of, among those of its phase: a type of fee, a setting; the same for all windows. */
  readonly kind: string;
  /** What it does, as far as no fact has a part in that. */
  readonly effect: Effect | undefined;
};

/** A rule of a phase, made ready. */
export type CompiledRuleOf<Of extends Phase> = CompiledRule<Extract<Rule, { readonly phase: Of }>>;

/** A policy made ready to be evaluated, its rules by their phases, each sorted by id. */
export type CompiledPolicy = {
  readonly rules: { readonly [Of in Phase]: readonly CompiledRuleOf<Of>[] };
  /** The kinds that each phase has rules of. */
  readonly kinds: Readonly<Record<Phase, readonly string[]>>;
  readonly holidays: ReadonlySet<string>;
  /** The facts that it looks at, by their names. */
  readonly facts: readonly string[];
  /** How many inputs its rules share. */
  readonly inputs: number;
};

/** The fields of a rule's effect that say what it is about, where a phase has rules of several kinds. */
const ruleKind = (rule: Rule): string => {
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
const factsOutsideCondition = (rule: Rule): readonly string[] => {
  if (rule.phase === 'window') return windowFacts(rule.window);
  if (rule.phase === 'requirement')
    return 'require' in rule ? rule.require.map((one) => (one === 'note' ? 'line.hasNote' : 'line.hasEvidence')) : [];
  if (rule.phase === 'resolution') return ['line.resolution'];
  const isOfCurrency = rule.phase === 'fee' && (rule.fee.amount ?? rule.fee.cap) !== undefined;
  return isOfCurrency ? ['order.currency'] : [];
};

const feeEffect = ({ type, bps, amount, cap }: FeeTerms): Effect => ({
  fee: type,
  ...(bps === undefined ? {} : { bps }),
  ...(amount === undefined ? {} : { amount: amount.amount }),
  ...(cap === undefined ? {} : { cap: cap.amount }),
});

/** What a rule does whatever the facts are; undefined where they have a part in it. */
const effectOf = (rule: Rule): Effect | undefined => {
  if (rule.phase === 'fee') return feeEffect(rule.fee);
  if (rule.phase === 'resolution') return { resolutions: rule.resolutions };
  if (rule.phase === 'approval')
    return { approval: rule.approval, ...(rule.approval === 'reject' ? { deny: rule.deny } : {}) };
  if (rule.phase === 'logistics' || rule.phase === 'settlement') {
    const { id: _, text: __, phase: ___, when: ____, priority: _____, texts: ______, ...set } = rule;
    return { set };
  }
  if ('exempts' in rule) return { exempts: rule.exempts };
  if ('block' in rule) return { deny: rule.block };
  return 'deny' in rule ? { deny: rule.deny } : undefined;
};

/** A fee's condition: none that names money is for orders in another currency, whatever else nobody knows. */
const withCurrencyTest = (
  { amount, cap }: FeeTerms,
  when: CompiledCondition | undefined,
): CompiledCondition | undefined => {
  const currency = (amount ?? cap)?.currency;
  if (currency === undefined) return when;
  if (amount !== undefined && cap !== undefined && cap.currency !== currency) return anyOf([]);
  const isIn = equals(factIndex('order.currency'), currency);
  return when === undefined ? isIn : allOf([isIn, when]);
};

/** Makes one of the inputs of every set of names. */
const sharedInputs = () => {
  const known = new Map<string, RuleInputs>();
  return (names: readonly string[]): RuleInputs => {
    const key = names.join(' ');
    const inputs = known.get(key) ?? {
      id: known.size,
      names,
      places: names.map(factIndex),
    };
    known.set(key, inputs);
    return inputs;
  };
};

/** Makes a policy ready to be evaluated many times. It must have been checked. */
export const compilePolicy = ({ rules, conditions = {}, holidays = [] }: Policy): CompiledPolicy => {
  const inputsOf = sharedInputs();
  const ready = (rule: Rule): CompiledRule => {
    const tested = rule.when === undefined ? [] : factsIn(rule.when, conditions);
    const when = rule.when === undefined ? undefined : compileCondition(rule.when, conditions);
    return {
      id: rule.id,
      phase: rule.phase,
      rule,
      test: rule.phase === 'fee' ? withCurrencyTest(rule.fee, when) : when,
      inputs: inputsOf([...new Set([...tested, ...factsOutsideCondition(rule)])].toSorted()),
      tested: inputsOf(tested),
      kind: ruleKind(rule),
      effect: effectOf(rule),
    };
  };
  const sorted = rules.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(ready);
  const ofPhase = (phase: Phase) => sorted.filter(({ rule }) => rule.phase === phase);
  const kindsOf = (phase: Phase) => [...new Set(ofPhase(phase).map(({ kind }) => kind))];
  return {
    rules: Object.fromEntries(phases.map((phase) => [phase, ofPhase(phase)])) as unknown as CompiledPolicy['rules'],
    kinds: Object.fromEntries(phases.map((phase) => [phase, kindsOf(phase)])) as unknown as CompiledPolicy['kinds'],
    holidays: new Set(holidays),
    inputs: new Set(sorted.flatMap(({ inputs, tested }) => [inputs, tested])).size,
    facts: [...new Set(sorted.flatMap(({ inputs, tested }) => [...inputs.names, ...tested.names]))],
  };
};
