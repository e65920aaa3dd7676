import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compilePolicy } from '../../../lib/domain/policies/evaluate/compile.ts';
import { evaluate } from '../../../lib/domain/policies/evaluate/evaluate.ts';
import { policyFieldErrors } from '../../../lib/domain/policies/check/policy-field-errors.ts';
import { lint } from '../../../lib/domain/policies/lint/lint.ts';
import { builtInReasons } from '../../../lib/domain/returns/rules/reasons.ts';
import type { Facts, LineFacts } from '../../../lib/domain/policies/facts.ts';
import { type PolicyDocument, runGoldenCases } from '../../../lib/domain/policies/lifecycle/golden.ts';
import type { Policy } from '../../../lib/domain/policies/policy.ts';
import { goldenCase } from './documents.ts';

/** The documents of a guide by the titles of their sections. */
const documentsIn = (guide: string): ReadonlyMap<string, PolicyDocument> =>
  new Map(
    Array.from(
      readFileSync(`lib/tools/guides/${guide}`, 'utf8').matchAll(
        /^## ([^\n]*)\n(?:(?!^## )[^])*?```json\n([^]*?)```/gm,
      ),
      ([, title = '', text = '']) => [title, JSON.parse(text) as PolicyDocument],
    ),
  );
const recipes = documentsIn('policy-recipes.md');

/** A request 20 days after the delivery, without a right of a law. */
const facts = (line: Partial<LineFacts> = {}, more: Partial<Facts> = {}): Facts => {
  const [first] = goldenCase.facts.lines;
  if (first === undefined) throw new Error('the case has no line');
  const lines = [{ ...first, deliveredAt: '2026-11-01T08:00:00.000Z', rights: [], ...line }];
  return { ...goldenCase.facts, lines, ...more };
};

const recipeOf = (title: string): Policy => {
  const recipe = recipes.get(title);
  if (recipe === undefined) throw new Error(`no recipe ${title}`);
  return recipe;
};

/** Returns what the policy decides about the line: verdict, last day, codes and restocking fee. */
const decide = (title: string, request: Facts = facts()): readonly unknown[] => {
  const { verdict, fees, lines } = evaluate(compilePolicy(recipeOf(title)), request);
  const [line] = lines;
  const end = line?.returnableUntil ?? undefined;
  const lastDay = end === undefined ? undefined : new Date(Date.parse(end) - 1).toISOString().slice(0, 10);
  return [verdict, lastDay, line?.codes, (line?.fees ?? fees)?.restocking?.bps];
};

it('the document of the reference passes its golden case', () => {
  const documents = [...documentsIn('policy-reference.md').values()];
  expect(documents.map(policyFieldErrors)).toEqual([[]]);
  const results = documents.map((document) =>
    runGoldenCases(document.goldenCases ?? [], (request) => evaluate(compilePolicy(document), request)),
  );
  expect(results).toMatchObject([[{ passed: true }]]);
});

describe('recipes of the guide', () => {
  it('are seven documents in which lint finds no error', () => {
    expect(recipes.size).toBe(7);
    const options = { reasons: new Set(builtInReasons.keys()) };
    for (const [title, recipe] of recipes) {
      expect([title, policyFieldErrors(recipe)]).toEqual([title, []]);
      const errors = lint(recipe, options).filter(({ severity }) => severity === 'error');
      expect([title, errors]).toEqual([title, []]);
    }
  });

  it('charge a tenth for opened goods alone', () => {
    const title = '30 days, and a tenth for opened goods';
    expect(decide(title, facts({ condition: 'opened' }))).toEqual(['approved', '2026-12-01', [], 1000]);
    expect(decide(title, facts({ condition: 'sealed' }))).toEqual(['approved', '2026-12-01', [], undefined]);
    expect(decide(title)).toEqual(['approved', '2026-12-01', [], undefined]);
  });

  it('charge for a refund, and not for an exchange', () => {
    const title = 'A free exchange, and a refund for a fee';
    expect(decide(title)).toEqual(['approved', '2026-12-01', [], 500]);
    expect(decide(title, facts({ resolution: 'exchange' }))).toEqual(['approved', '2026-12-01', [], undefined]);
  });

  it('charge nothing that a golden case does not expect', () => {
    const policy = compilePolicy(recipeOf('A free exchange, and a refund for a fee'));
    const resultOf = (resolution: 'refund' | 'exchange', fees: object) =>
      runGoldenCases([{ name: 'x', facts: facts({ resolution }), expect: { lines: [{ fees }] } }], (request) =>
        evaluate(policy, request),
      )[0]?.differences;
    expect(resultOf('exchange', {})).toEqual([]);
    expect(resultOf('refund', { restocking: { bps: 500 } })).toEqual([]);
    const found = { rule: 'refund', bps: 500 };
    expect(resultOf('refund', {})).toEqual([{ path: '/lines/0/fees/restocking', expected: null, found }]);
    expect(resultOf('exchange', { restocking: { bps: 500 } })).toEqual([
      { path: '/lines/0/fees/restocking', expected: { bps: 500 }, found: null },
    ]);
  });

  it('reject what is sold for good', () => {
    expect(decide('Final sale', facts({ finalSale: true }))).toEqual([
      'rejected',
      '2026-12-01',
      ['final_sale'],
      undefined,
    ]);
    expect(decide('Final sale', facts({ finalSale: false }))).toEqual(['approved', '2026-12-01', [], undefined]);
  });

  it('extend the window of a season', () => {
    const { order } = facts();
    const of = (placedAt: string) => decide('A season', facts({}, { order: { ...order, placedAt } }));
    expect(of('2026-11-02T08:00:00Z')).toEqual(['approved', '2027-01-31', [], undefined]);
    expect(of('2026-10-30T08:00:00Z')).toEqual(['approved', '2026-12-01', [], undefined]);
  });

  it('give better customers more days', () => {
    const of = (segment: string) => decide('Better customers', facts({}, { customer: { segment } }));
    expect(of('vip')).toEqual(['approved', '2026-12-31', [], undefined]);
    expect(of('regular')).toEqual(['approved', '2026-12-01', [], undefined]);
    expect(decide('Better customers')).toEqual(['approved', '2026-12-01', [], undefined]);
  });

  it('select the orders of a country, and of business customers', () => {
    expect(recipeOf('A country').selectors).toEqual({ countries: ['DE', 'AT'] });
    expect(decide('A country')).toEqual(['approved', '2026-12-16', [], undefined]);
    expect(recipeOf('Business customers').selectors).toEqual({ channels: ['b2b'] });
    const late = decide('Business customers');
    expect(late).toEqual(['rejected', '2026-11-15', ['window_expired'], 1500]);
    const soon = facts({ deliveredAt: '2026-11-20T08:00:00.000Z' });
    expect(decide('Business customers', soon)).toEqual(['needs_review', '2026-12-04', [], 1500]);
  });
});
