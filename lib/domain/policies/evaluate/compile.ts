import type { Effect } from '../evaluation.ts';
import { isOfConduct, isOfLine, shownWith } from '../fact-catalogue.ts';
import { factIndex } from './fact-values.ts';
import {
  asksForPerson,
  factsIn,
  type FeeTerms,
  type Phase,
  phases,
  type Policy,
  type Rule,
  type WindowTerms,
} from '../policy.ts';
import { allOf, anyOf, equals, compileCondition, type CompiledCondition } from './compile-condition.ts';
import { startFacts } from './window-end.ts';

/** The facts that rules read, by name and index. Rules that read the same facts share one object. */
export type RuleInputs = {
  readonly id: number;
  readonly names: readonly string[];
  readonly indexes: readonly number[];
};

/** A compiled rule. */
export type CompiledRule<Of extends Rule = Rule> = {
  // Duplicates a field of `source`. Rules have many shapes, and reads from this single shape are many times faster.
  readonly id: string;
  readonly phase: Phase;
  readonly source: Of;
  /** Undefined for a rule that always holds. */
  readonly test: CompiledCondition | undefined;
  /** The facts that the rule reads, sorted by name. */
  readonly inputs: RuleInputs;
  /** The facts of its condition. When one rule is chosen of several, the one with more such facts precedes. */
  readonly tested: RuleInputs;
  /** The group in its phase from which one rule is chosen: a fee type or a setting. All windows have the same. */
  readonly kind: string;
  /** The effect, if it does not depend on facts. */
  readonly effect: Effect | undefined;
  /** When it is evaluated. A rule on the conduct of the customer decides on no right, and never without a person. */
  readonly applies: 'always' | 'without_rights' | 'never';
};

/** A compiled rule of one phase. */
export type CompiledRuleOf<Of extends Phase> = CompiledRule<Extract<Rule, { readonly phase: Of }>>;

/** A compiled policy: its rules by phase, each sorted by id. */
export type CompiledPolicy = {
  readonly rules: { readonly [Of in Phase]: readonly CompiledRuleOf<Of>[] };
  /** The kinds of the rules of each phase. */
  readonly kinds: Readonly<Record<Phase, readonly string[]>>;
  /** The types of fees with a rule that reads facts of one line. Each line has a fee of its own. */
  readonly lineFees: ReadonlySet<string>;
  readonly holidays: ReadonlySet<string>;
  /** The names of the facts that it reads. */
  readonly facts: readonly string[];
  /** The number of shared inputs of its rules. */
  readonly inputs: number;
};

/** Returns the kind of a rule: the field of its effect that distinguishes kinds within the phase. */
const ruleKind = (rule: Rule): string => {
  if (rule.phase === 'fee') return rule.fee.type;
  if (rule.phase === 'logistics' || rule.phase === 'settlement')
    return ['returnless', 'shipping', 'shipByDays', 'inspection', 'refundTiming'].find((kind) => kind in rule) ?? '';
  return rule.phase;
};

const windowFacts = (window: WindowTerms): readonly string[] => [
  'requestedAt',
  ...startFacts(window),
  ...(window.seasonal === undefined ? [] : ['order.placedAt']),
];

/** Returns the facts that a rule reads outside its condition. */
const factsOutsideCondition = (rule: Rule): readonly string[] => {
  if (rule.phase === 'window') return windowFacts(rule.window);
  if (rule.phase === 'requirement')
    return 'require' in rule
      ? rule.require.map((requirement) => (requirement === 'note' ? 'line.hasNote' : 'line.hasEvidence'))
      : [];
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

/** Returns the effect of a rule that does not depend on facts; otherwise undefined. */
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

const appliesOf = (rule: Rule, tested: readonly string[]): CompiledRule['applies'] => {
  if (!tested.some(isOfConduct)) return 'always';
  return asksForPerson(rule) ? 'without_rights' : 'never';
};

/**
 * Adds a currency test to a fee's condition. A fee with an amount never applies to another currency, whatever facts are
 * unknown.
 */
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

/** Makes one inputs object for each set of names. */
const sharedInputs = () => {
  const known = new Map<string, RuleInputs>();
  return (names: readonly string[]): RuleInputs => {
    const key = names.join(' ');
    const inputs = known.get(key) ?? {
      id: known.size,
      names,
      indexes: names.map(factIndex),
    };
    known.set(key, inputs);
    return inputs;
  };
};

/** Compiles a policy for many evaluations. It must have been checked. */
export const compilePolicy = ({ rules, conditions = {}, holidays = [] }: Policy): CompiledPolicy => {
  const inputsOf = sharedInputs();
  const compileRule = (rule: Rule): CompiledRule => {
    const tested = rule.when === undefined ? [] : factsIn(rule.when, conditions);
    const when = rule.when === undefined ? undefined : compileCondition(rule.when, conditions);
    return {
      id: rule.id,
      phase: rule.phase,
      source: rule,
      test: rule.phase === 'fee' ? withCurrencyTest(rule.fee, when) : when,
      inputs: inputsOf(
        [...new Set([...tested, ...tested.flatMap(shownWith), ...factsOutsideCondition(rule)])].toSorted(),
      ),
      tested: inputsOf(tested),
      kind: ruleKind(rule),
      effect: effectOf(rule),
      applies: appliesOf(rule, tested),
    };
  };
  const sorted = rules.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(compileRule);
  const ofPhase = (phase: Phase) => sorted.filter((rule) => rule.phase === phase);
  const kindsOf = (phase: Phase) => [...new Set(ofPhase(phase).map(({ kind }) => kind))];
  return {
    rules: Object.fromEntries(phases.map((phase) => [phase, ofPhase(phase)])) as unknown as CompiledPolicy['rules'],
    kinds: Object.fromEntries(phases.map((phase) => [phase, kindsOf(phase)])) as unknown as CompiledPolicy['kinds'],
    lineFees: new Set(
      ofPhase('fee').flatMap(({ kind, tested, applies }) =>
        applies !== 'never' && tested.names.some(isOfLine) ? [kind] : [],
      ),
    ),
    holidays: new Set(holidays),
    inputs: new Set(sorted.flatMap(({ inputs, tested }) => [inputs, tested])).size,
    facts: [...new Set(sorted.flatMap(({ inputs, tested }) => [...inputs.names, ...tested.names]))],
  };
};
