import fc, { type Arbitrary } from 'fast-check';
import type { Facts } from '../../../../lib/domain/policies/facts.ts';
import { statutoryRules } from '../../../../lib/domain/policies/law/statutory-rules.ts';
import type { Condition, Policy, Rule } from '../../../../lib/domain/policies/policy.ts';
import type { TextScope } from '../../../../lib/domain/policies/published/scope.ts';
import { factsArbitrary } from '../model/generate-facts.ts';
import { policyArbitrary } from '../model/generate-policy.ts';
import { instants, lineTextLists, lineTexts, numbers, texts } from '../model/vocabulary.ts';

/** A policy, a scope, and the facts of requests for orders of the scope. */
export type Case = { readonly policy: Policy; readonly scope: TextScope; readonly requests: readonly Facts[] };

const wholeTexts = ['return.basis', 'order.currency', 'order.saleType', 'order.country', 'order.channel'];
const lineFacts = ['line.sku', 'line.brand', 'line.condition', 'line.reason', 'line.reasonGroup', 'line.fault'];

const oneOf = (vocabulary: Readonly<Record<string, readonly string[]>>, facts: readonly string[]) =>
  fc.constantFrom(...facts).chain((fact) => {
    const values = [...(vocabulary[fact] ?? [])];
    return fc.oneof<Arbitrary<Condition>[]>(
      fc.record({ fact: fc.constant(fact), op: fc.constantFrom('eq', 'neq'), value: fc.constantFrom(...values) }),
      fc.record({
        fact: fc.constant(fact),
        op: fc.constantFrom('in', 'notIn'),
        value: fc.subarray(values, { minLength: 1 }),
      }),
    );
  });

const categories = fc.record({
  fact: fc.constant('line.categories'),
  op: fc.constantFrom('hasAny', 'hasAny', 'hasAll'),
  value: fc.subarray([...(lineTextLists['line.categories'] ?? [])], { minLength: 1, maxLength: 2 }),
}) as Arbitrary<Condition>;

const finalSale = fc.record({
  fact: fc.constant('line.finalSale'),
  op: fc.constantFrom('eq', 'neq'),
  value: fc.boolean(),
}) as Arbitrary<Condition>;

/** Conditions that no text may tell. */
const secret: Arbitrary<Condition> = fc.oneof(
  fc.constantFrom('vip', 'new').map((value): Condition => ({ fact: 'customer.segment', op: 'eq', value })),
  fc.constant<Condition>({ fact: 'customer.lists', op: 'hasAny', value: ['blocked'] }),
  fc
    .constantFrom(...(numbers['return.value'] ?? []))
    .map((value): Condition => ({ fact: 'return.value', op: 'lte', value })),
  fc.constant<Condition>({ fact: 'order.market', op: 'eq', value: 'eu' }),
  fc.constantFrom(...instants).map((value): Condition => ({ fact: 'order.placedAt', op: 'gte', value })),
);

const whole = fc.oneof({ weight: 5, arbitrary: oneOf(texts, wholeTexts) }, { weight: 1, arbitrary: secret });
const line = fc.oneof(
  { weight: 2, arbitrary: whole },
  { weight: 4, arbitrary: oneOf(lineTexts, lineFacts) },
  { weight: 3, arbitrary: categories },
  { weight: 1, arbitrary: finalSale },
);

const whereKnown = (condition: Condition): Condition =>
  'fact' in condition ? { and: [{ fact: condition.fact, op: 'exists', value: true }, condition] } : condition;

const combined = (leaf: Arbitrary<Condition>): Arbitrary<Condition> =>
  fc.oneof(
    { weight: 5, arbitrary: leaf },
    { weight: 2, arbitrary: leaf.map(whereKnown) },
    { weight: 1, arbitrary: leaf.map((condition): Condition => ({ not: condition })) },
    { weight: 2, arbitrary: leaf.map((condition): Condition => ({ not: whereKnown(condition) })) },
    { weight: 2, arbitrary: fc.tuple(leaf, leaf).map((and): Condition => ({ and })) },
    { weight: 1, arbitrary: fc.tuple(leaf, leaf).map((or): Condition => ({ or })) },
    {
      weight: 2,
      arbitrary: fc.tuple(leaf, leaf).map(([a, b]): Condition => ({ and: [{ not: whereKnown(a) }, whereKnown(b)] })),
    },
  );

const conditions = { whole: combined(whole), line: combined(line) };
type Conditions = { readonly whole: Condition; readonly line: Condition };

const isOfLine = (rule: Rule): boolean =>
  ['exclusion', 'window', 'requirement', 'resolution'].includes(rule.phase) ||
  (rule.phase === 'fee' && (rule.fee.type === 'restocking' || rule.fee.type === 'inspection'));

/** Returns a policy of which most conditions are about facts that customers know. */
const withConditions = (policy: Policy, drawn: readonly Conditions[]): Policy => ({
  ...policy,
  rules: policy.rules.map((rule, index) => {
    const condition = drawn[index % drawn.length];
    if (rule.when === undefined || condition === undefined || index % 6 === 5) return rule;
    return { ...rule, when: isOfLine(rule) ? condition.line : condition.whole };
  }),
});

const scopes: Arbitrary<TextScope> = fc
  .record({
    country: fc.constantFrom('DE', 'BR', 'GB', 'US'),
    channel: fc.constantFrom('web', 'app', undefined),
    period: fc.constantFrom(
      ['2026-03-28T00:00:00Z', '2026-03-28T23:59:59.999Z'] as const,
      ['2025-12-25T00:00:00Z', '2025-12-25T23:59:59.999Z'] as const,
      ['2026-10-25T00:00:00Z', '2026-10-25T12:00:00Z'] as const,
    ),
  })
  .map(({ country, channel, period: [from, to] }) => ({
    country,
    ...(channel === undefined ? {} : { channel }),
    from,
    to,
  }));

/** Returns facts of an order in a scope. Only laws of the country give rights. */
const inScope = (facts: Facts, { country, channel, from, to }: TextScope, late: boolean): Facts => {
  const rules = statutoryRules.filter(({ countries }) => countries.includes(country));
  const laws = new Set(rules.map(({ law }) => law));
  return {
    ...facts,
    order: {
      ...facts.order,
      country,
      ...(channel === undefined ? {} : { channel }),
      completeness: 'full',
      buyerIsConsumer: true,
      placedAt: late ? to : from,
    },
    lines: facts.lines.map((one) => ({ ...one, rights: one.rights.filter(({ law }) => laws.has(law)) })),
  };
};

const policies: Arbitrary<Policy> = fc
  .tuple(policyArbitrary, fc.array(fc.record(conditions), { minLength: 7, maxLength: 7 }))
  .map(([policy, drawn]) => withConditions(policy, drawn));

const requests = fc.array(fc.record({ facts: factsArbitrary, late: fc.boolean() }), { minLength: 8, maxLength: 8 });

/** Policies with eight requests each. */
export const cases: Arbitrary<Case> = fc
  .record({ policy: policies, scope: scopes, drawn: requests })
  .map(({ policy, scope, drawn }) => ({
    policy,
    scope,
    requests: drawn.map(({ facts, late }) => inScope(facts, scope, late)),
  }));
