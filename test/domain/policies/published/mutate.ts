import type { Condition, Policy, Rule } from '../../../../lib/domain/policies/policy.ts';

/** A change of one rule, or undefined where the rule has nothing to change. */
type Mutation = (rule: Rule) => Rule | undefined;

const ofWindow =
  (change: (window: Extract<Rule, { phase: 'window' }>['window']) => Partial<typeof window> | undefined): Mutation =>
  (rule) => {
    if (rule.phase !== 'window') return undefined;
    const changed = change(rule.window);
    return changed === undefined ? undefined : { ...rule, window: { ...rule.window, ...changed } };
  };

const ofFee =
  (change: (fee: Extract<Rule, { phase: 'fee' }>['fee']) => Partial<typeof fee> | undefined): Mutation =>
  (rule) => {
    if (rule.phase !== 'fee') return undefined;
    const changed = change(rule.fee);
    return changed === undefined ? undefined : { ...rule, fee: { ...rule.fee, ...changed } };
  };

const negated: Mutation = (rule) => (rule.when === undefined ? undefined : { ...rule, when: { not: rule.when } });

const withOtherValue = (condition: Condition): Condition | undefined => {
  if ('and' in condition || 'or' in condition) {
    const parts = 'and' in condition ? condition.and : condition.or;
    const at = parts.findIndex((part) => withOtherValue(part) !== undefined);
    const changed = parts[at] && withOtherValue(parts[at]);
    if (changed === undefined) return undefined;
    const replaced = parts.with(at, changed);
    return 'and' in condition ? { and: replaced } : { or: replaced };
  }
  if ('not' in condition) {
    const inner = withOtherValue(condition.not);
    return inner && { not: inner };
  }
  if ('use' in condition || condition.op === 'exists') return undefined;
  if (typeof condition.value === 'boolean') return { ...condition, value: !condition.value };
  if (!Array.isArray(condition.value) || condition.value.length < 2 || condition.op === 'between') return undefined;
  return { ...condition, value: condition.value.slice(1) } as Condition;
};

/** Ways to change what a rule decides. Its text stays the same. */
const mutations: Readonly<Record<string, Mutation>> = {
  'a day less': ofWindow(({ days }) => (days === 0 ? undefined : { days: days - 1 })),
  'a day more': ofWindow(({ days }) => ({ days: days + 1 })),
  'another anchor': ofWindow(({ anchor }) => ({ anchor: anchor === 'delivered' ? 'placed' : 'delivered' })),
  'no roll': ofWindow(({ roll }) => ({ roll: roll === 'next_working_day' ? 'none' : 'next_working_day' })),
  'a later season': ofWindow(({ seasonal = [] }) =>
    seasonal.length === 0 ? undefined : { seasonal: seasonal.map((season) => ({ ...season, until: '2027-02-01' })) },
  ),
  'a longer fallback': ofWindow(({ fallback }) => fallback && { fallback: { ...fallback, days: fallback.days + 1 } }),
  'a higher share': ofFee(({ bps }) => (bps === undefined || bps === 10_000 ? undefined : { bps: bps + 1 })),
  'a lower share': ofFee(({ bps }) => (bps === undefined || bps === 0 ? undefined : { bps: bps - 1 })),
  'a higher amount': ofFee(({ amount }) => amount && { amount: { ...amount, amount: amount.amount + 1 } }),
  'a higher maximum': ofFee(({ cap }) => cap && { cap: { ...cap, amount: cap.amount + 1 } }),
  'another currency': ofFee(
    ({ amount }) => amount && { amount: { ...amount, currency: amount.currency === 'EUR' ? 'BRL' : 'EUR' } },
  ),
  'fewer resolutions': (rule) =>
    'resolutions' in rule && rule.resolutions.length > 1
      ? { ...rule, resolutions: rule.resolutions.slice(1) }
      : undefined,
  'another requirement': (rule) =>
    'require' in rule ? { ...rule, require: rule.require.includes('note') ? ['evidence'] : ['note'] } : undefined,
  'fewer exemptions': (rule) =>
    'exempts' in rule && rule.exempts.length > 1 ? { ...rule, exempts: rule.exempts.slice(1) } : undefined,
  'the opposite condition': negated,
  'other values': (rule) => {
    const when = rule.when && withOtherValue(rule.when);
    return when && { ...rule, when };
  },
  'no condition': ({ when, ...rule }) => (when === undefined ? undefined : rule),
  'a higher priority': (rule) => ({ ...rule, priority: (rule.priority ?? 0) + 10 }),
};

/** A policy with one changed rule, or without it. */
export type Mutant = { readonly mutation: string; readonly rule: Rule; readonly policy: Policy };

/** Returns all mutants of a policy. */
export const mutantsOf = (policy: Policy): readonly Mutant[] =>
  policy.rules.flatMap((rule, at) => [
    { mutation: 'no rule', rule, policy: { ...policy, rules: policy.rules.toSpliced(at, 1) } },
    ...Object.entries(mutations).flatMap(([mutation, mutate]): readonly Mutant[] => {
      const changed = mutate(rule);
      return changed === undefined
        ? []
        : [{ mutation, rule, policy: { ...policy, rules: policy.rules.with(at, changed) } }];
    }),
  ]);
