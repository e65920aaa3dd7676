import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  backtestOutcome,
  shadowOutcome,
  toComparedDecision,
} from '../../../../lib/domain/policies/backtest/outcome.ts';
import { addOutcome, emptyReport } from '../../../../lib/domain/policies/backtest/report.ts';
import { policyFieldErrors } from '../../../../lib/domain/policies/check/policy-field-errors.ts';
import { factKinds, isOfConduct } from '../../../../lib/domain/policies/fact-catalogue.ts';
import { customerCounts, type Facts } from '../../../../lib/domain/policies/facts.ts';
import { evaluationDigest, type StoredDecision } from '../../../../lib/domain/policies/decision/stored-decision.ts';
import { compilePolicy } from '../../../../lib/domain/policies/evaluate/compile.ts';
import { statutoryRules } from '../../../../lib/domain/policies/law/statutory-rules.ts';
import { lintedRules } from '../../../../lib/domain/policies/lint/linted-rule.ts';
import { redundantRules } from '../../../../lib/domain/policies/lint/redundant-rules.ts';
import type { Policy, Rule } from '../../../../lib/domain/policies/policy.ts';
import { statementsOf } from '../../../../lib/domain/policies/published/statements.ts';
import { defaultTerms } from '../../../../lib/domain/policies/terms/policy-terms.ts';
import { languages } from '../../../../lib/domain/returns/input-checks.ts';
import { explain } from '../../../../lib/domain/texts/explain.ts';
import { policySentences } from '../../../../lib/domain/texts/policy-text/sentences.ts';
import { runs } from '../../../support/samples.ts';
import { goldenCase } from '../documents.ts';
import { cases } from '../model/generate.ts';
import { denyingRule } from '../model/generate-policy.ts';
import { decide } from '../model/promises.ts';

const when = { fact: 'customer.emptyBoxReturnsLast365Days', op: 'gte', value: 2 } as const;
const asking: Rule = { id: 'boxes', phase: 'approval', text: 'Two empty boxes.', approval: 'manual', when };
const auto: Rule = { id: 'auto', phase: 'approval', text: 'All are approved.', approval: 'auto' };

const deciding: readonly [string, object][] = [
  ['blocks', { phase: 'list', block: 'blocked' }],
  ['exempts', { phase: 'list', exempts: ['window'] }],
  ['excludes', { phase: 'exclusion', deny: 'excluded' }],
  ['shortens the window', { phase: 'window', window: { anchor: 'delivered', days: 3 } }],
  ['requires a note', { phase: 'requirement', require: ['note'] }],
  ['limits', { phase: 'limit', deny: 'too_many' }],
  ['takes resolutions away', { phase: 'resolution', resolutions: ['exchange'] }],
  ['charges for a line', { phase: 'fee', fee: { type: 'restocking', bps: 1_000 } }],
  [
    'charges for the parcel',
    { phase: 'fee', fee: { type: 'return_shipping', amount: { amount: 1, currency: 'EUR' } } },
  ],
  ['keeps the shipping', { phase: 'logistics', shipping: 'none' }],
  ['pays later', { phase: 'settlement', refundTiming: 'inspected' }],
  ['approves', { phase: 'approval', approval: 'auto' }],
  ['rejects', { phase: 'approval', approval: 'reject', deny: 'not_you' }],
];

const errorsOf = (rule: object, conditions: object = {}) =>
  policyFieldErrors({ conditions, rules: [{ id: 'one', text: 'One.', ...rule }] });

describe('a rule on conduct', () => {
  it.each(deciding)('that %s is refused, with the only outcome that is accepted', (_, effect) => {
    expect(errorsOf({ ...effect, when })).toEqual([
      {
        path: '/rules/0/when',
        code: 'person_required',
        message:
          'must not use customer.emptyBoxReturnsLast365Days: only a rule of phase approval with approval manual may use ' +
          'it, because a person decides on the conduct of a customer',
      },
    ]);
  });

  it('is refused also when a named condition has the fact, however deep', () => {
    const conditions = { inner: { not: when }, outer: { or: [{ use: 'inner' }] } };
    const rule = { phase: 'limit', deny: 'too_many', when: { and: [{ use: 'outer' }] } };
    expect(errorsOf(rule, conditions).map(({ path, code }) => `${path} ${code}`)).toEqual([
      '/rules/0/when person_required',
    ]);
  });

  it('that asks for a person is accepted, with every fact', () => {
    expect(errorsOf(asking)).toEqual([]);
    const facts = [...factKinds].filter(([fact]) => isOfConduct(fact));
    const values: Readonly<Record<string, unknown>> = { number: 1, boolean: true, text: 'risk-service' };
    expect(facts).toHaveLength(customerCounts.length - 3 + 3);
    for (const [fact, kind] of facts) {
      const known = { fact, op: 'exists', value: true };
      const leaf = { fact, op: 'eq', value: values[kind] };
      expect(errorsOf({ ...asking, when: { and: [known, leaf] } })).toEqual([]);
    }
  });

  it('makes no other rule redundant, because a statutory right skips it', () => {
    const wide: Rule = { ...asking, when: { or: [when, { fact: 'order.country', op: 'eq', value: 'DE' }] } };
    const narrow: Rule = {
      ...auto,
      id: 'de',
      approval: 'manual',
      when: { fact: 'order.country', op: 'eq', value: 'DE' },
    };
    expect(redundantRules(lintedRules({ rules: [wide, narrow, auto] }), [])).toEqual([]);
  });
});

/** Two sets of facts that differ in the conduct of the customer alone. */
const conducts = fc.record({
  historyComplete: fc.boolean(),
  externalScore: fc.option(fc.nat(1_000), { nil: undefined }),
  ...Object.fromEntries(
    customerCounts
      .filter((name) => isOfConduct(`customer.${name}`))
      .map((name) => [name, fc.option(fc.nat(10_000), { nil: undefined })]),
  ),
}) as fc.Arbitrary<Partial<Facts['customer']>>;

const withConduct = (facts: Facts, conduct: Partial<Facts['customer']>): Facts => ({
  ...facts,
  customer: { ...facts.customer, ...conduct },
});

/** A rule that no check would accept: it denies because of conduct. */
const unchecked = denyingRule.map((rule): Rule => ({ ...rule, when: { not: { ...when, value: 10_001 } } }));

describe('the conduct of a customer', () => {
  it('changes no verdict on a line, no fee, no right and no setting, and never rejects', () => {
    let asked = 0;
    fc.assert(
      fc.property(cases, conducts, conducts, unchecked, ({ policy, facts }, one, other, denying) => {
        const rules = [...policy.rules, denying, { ...asking, id: 'asking', when: { not: { ...when, value: 5_000 } } }];
        const [a, b] = [one, other].map((conduct) => decide({ ...policy, rules }, withConduct(facts, conduct)));
        if (a === undefined || b === undefined) throw new Error('two decisions');
        expect({ ...a, trace: [], approval: '', verdict: '' }).toEqual({ ...b, trace: [], approval: '', verdict: '' });
        expect(a.verdict === 'rejected').toBe(b.verdict === 'rejected');
        if (a.verdict !== b.verdict) asked += 1;
        expect(
          [a, b].flatMap(({ trace }) => trace).filter(({ rule, result }) => rule === 'added' && result !== 'skipped'),
        ).toEqual([]);
      }),
      { numRuns: runs(2_000), seed: 20261130 },
    );
    expect(asked).toBeGreaterThan(0);
  });

  it('changes nothing at all where a line has a statutory right, certain or not', () => {
    let withRights = 0;
    fc.assert(
      fc.property(cases, conducts, conducts, ({ policy, facts }, one, other) => {
        if (facts.lines.every(({ rights }) => rights.length === 0)) return;
        withRights += 1;
        const [a, b] = [one, other].map((conduct) =>
          decide({ ...policy, rules: [...policy.rules, asking] }, withConduct(facts, conduct)),
        );
        expect(a).toEqual(b);
        expect(a?.trace).toContainEqual({ rule: 'boxes', phase: 'approval', result: 'skipped', inputs: {} });
      }),
      { numRuns: runs(2_000), seed: 20261130 },
    );
    expect(withRights).toBeGreaterThan(runs(500));
  });
});

const free: Facts = { ...goldenCase.facts, lines: goldenCase.facts.lines.map((line) => ({ ...line, rights: [] })) };
const seen: Facts = withConduct(free, { historyComplete: true, emptyBoxReturnsLast365Days: 3 });
const policy: Policy = { rules: [auto, asking] };

describe('a missing fact about conduct', () => {
  it('asks for no person, and the trace shows that it is missing', () => {
    const { verdict, trace } = decide(policy, free);
    expect(verdict).toBe('approved');
    const inputs = { 'customer.emptyBoxReturnsLast365Days': null, 'customer.historyComplete': null };
    expect(trace).toContainEqual({ rule: 'boxes', phase: 'approval', result: 'not_matched', inputs });
  });
});

describe('texts for customers', () => {
  it('say that a person examines the return, and neither the rule nor the conduct', () => {
    const evaluation = decide(policy, seen);
    const last = languages.map((language) =>
      explain({ policy, facts: seen, evaluation, items: new Map() }, language).at(-1),
    );
    expect(last).toEqual([
      'A person examines this return.',
      'Uma pessoa analisa esta devolução.',
      'Una persona examina esta devolución.',
      'Ein Mensch prüft diese Rückgabe.',
      'Une personne examine ce retour.',
    ]);
  });

  it('of the published policy say that single returns may be examined, and no threshold', () => {
    const scope = { country: 'DE', from: '2026-11-30T00:00:00Z', to: '2026-11-30T23:59:59Z' };
    const { statements, omitted } = statementsOf(policy, scope, { statutoryRules: [], terms: defaultTerms });
    expect(statements).toContainEqual({ kind: 'examination', of: 'single' });
    expect(omitted).toContainEqual({ kind: 'examination', why: 'individual' });
    const always: Policy = {
      rules: [auto, { ...asking, when: { or: [when, { fact: 'order.country', op: 'eq', value: 'DE' }] } }],
    };
    const { statements: same } = statementsOf(always, scope, { statutoryRules, terms: defaultTerms });
    expect(same).toContainEqual({ kind: 'examination', of: 'single' });
    for (const language of languages) expect(policySentences(statements, language).join(' ')).not.toMatch(/box|\b2\b/i);
  });
});

describe('a backtest of a new rule on conduct', () => {
  const stored = (facts: Facts, by: Policy): StoredDecision => ({
    id: 'dec_1',
    at: '2026-11-21T08:00:00.000Z',
    order: { platform: 'own', orderId: '1' },
    returnId: 'ret_1',
    policyId: 'pol_1',
    version: 1,
    facts,
    digest: evaluationDigest(decide(by, facts)),
  });
  const flips = [{ name: 'approved needs_review', from: 'approved', to: 'needs_review', count: 1 }];

  it('shows the flips of a lower count, because the version read it', () => {
    const before: Policy = { rules: [auto, { ...asking, when: { ...when, value: 9 } }] };
    const outcome = backtestOutcome(stored(seen, before), compilePolicy(before), compilePolicy(policy));
    expect(addOutcome(emptyReport, outcome).verdicts).toEqual(flips);
  });

  it('shows the flips of the first such rule by its shadow evaluations, which read the facts', () => {
    const before: Policy = { rules: [auto] };
    const compared = toComparedDecision(decide(policy, seen), seen);
    const shadow = { policyId: 'pol_1', version: 2, revision: 1, ...compared };
    const outcome = shadowOutcome(stored(free, before), compilePolicy(before), shadow);
    expect(addOutcome(emptyReport, outcome).verdicts).toEqual(flips);
  });
});
