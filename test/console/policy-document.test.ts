import { describe, expect, it } from 'vitest';
import { policyTerms } from '../../lib/tools/build/console-forms.ts';
import {
  comparisonOn,
  factsOfRule,
  withFact,
  withOperator,
} from '../../lib/console/screens/policies/document/condition.ts';
import english from '../../lib/console/texts/en/policies-editor.json' with { type: 'json' };
import portuguese from '../../lib/console/texts/pt/policies-editor.json' with { type: 'json' };
import { isSame, parseDocument, toText } from '../../lib/console/screens/policies/document/document.ts';
import { changedParts, defaultSide, differencesOf, merge } from '../../lib/console/screens/policies/document/merge.ts';
import { caseOf } from '../../lib/console/screens/policies/document/new-case.ts';
import { locate, ruleOfPointer } from '../../lib/console/screens/policies/document/pointer.ts';
import { policyFieldErrors } from '../../lib/domain/policies/check/policy-field-errors.ts';
import { standardPolicy } from '../../lib/domain/policies/templates/standard.ts';

const terms = policyTerms();

describe('operators of conditions', () => {
  it.each([english, portuguese])('have a meaning with an example each', ({ meaning }) => {
    const operators = [...new Set(Object.values(terms.operators).flat())];
    expect(Object.keys(meaning).toSorted()).toEqual(operators.toSorted());
    for (const text of Object.values(meaning)) expect(text).toMatch(/^.+\. (With|Com|Other|Outras) .+\.$/);
  });
});

describe('locate', () => {
  it('finds each value of a document in its text, also with hand-made spacing', () => {
    const document = { a: { 'b/c~"': [1, { d: 'x,]}"\\' }, []] }, rules: [{ id: 'one' }, true] };
    for (const text of [JSON.stringify(document), toText(document), ` ${JSON.stringify(document, null, '\t')}\r\n`])
      for (const [pointer, value] of [
        ['', document],
        ['/a/b~1c~0"/1/d', 'x,]}"\\'],
        ['/a/b~1c~0"/0', 1],
        ['/a/b~1c~0"/2', []],
        ['/rules/0/id', 'one'],
        ['/rules/1', true],
      ] as const) {
        const part: unknown = JSON.parse(text.slice(...locate(text, pointer)));
        expect(part).toEqual(value);
      }
  });

  it('stops at the nearest part for a path that does not exist', () => {
    const text = '{ "rules": [{ "id": "one" }] }';
    expect(text.slice(...locate(text, '/rules/0/when/and/3'))).toBe('{ "id": "one" }');
    expect(ruleOfPointer('/rules/12/when/and/3')).toEqual({ index: 12, path: '/when/and/3' });
    expect(ruleOfPointer('/selectors')).toBeUndefined();
  });
});

describe('merge of two drafts', () => {
  const rule = (id: string, days: number) => ({ id, phase: 'window', window: { days } });
  const base = { rules: [rule('a', 1), rule('b', 1), rule('c', 1)], language: 'en' };
  const mine = { rules: [rule('c', 1), rule('a', 2), rule('b', 1), rule('mine', 1)], language: 'pt' };
  const theirs = { rules: [rule('a', 3), rule('b', 2), rule('theirs', 1)], language: 'en', favorable: true };
  const differences = differencesOf(base, mine, theirs);

  it('names the side that changed each part', () => {
    expect(Object.fromEntries(differences.map(({ key, changedBy }) => [key, changedBy]))).toEqual({
      'rule a': 'both',
      'rule b': 'theirs',
      'rule c': 'theirs',
      'rule mine': 'mine',
      'rule theirs': 'theirs',
      'field language': 'mine',
      'field favorable': 'theirs',
    });
    expect(changedParts(base, mine).map(({ name }) => name)).toEqual(['language', 'a', 'mine']);
  });

  it('keeps the changes of both sides, and takes the chosen side where both changed a part', () => {
    const merged = merge(mine, differences, defaultSide);
    expect(merged).toEqual({
      rules: [rule('a', 2), rule('b', 2), rule('mine', 1), rule('theirs', 1)],
      language: 'pt',
      favorable: true,
    });
    expect(
      isSame(
        merge(mine, differences, () => 'mine'),
        mine,
      ),
    ).toBe(true);
    const all = merge(mine, differences, () => 'theirs');
    expect(differencesOf(base, all, theirs)).toEqual([]);
  });
});

describe('condition builder', () => {
  it('makes only comparisons that the service accepts, whatever fact and operator a person chooses', () => {
    for (const phase of terms.phases)
      for (const fact of factsOfRule({ phase: phase.name }, terms))
        for (const op of terms.operators[terms.facts[fact] ?? ''] ?? []) {
          const started = withFact(comparisonOn('order.value', terms), fact, terms);
          const when = withOperator(started, op, terms);
          const { value } = when;
          // Empty texts and lists are for the person to fill.
          const filled = value === '' ? 'DE' : Array.isArray(value) && value.length === 0 ? ['DE'] : value;
          const rule = { id: 'r', phase: phase.name, text: 'T', when: { ...when, value: filled } };
          // A fact about conduct is rejected for the effect of its rule, not for its comparison.
          const errors = policyFieldErrors({ rules: [rule] }).filter(
            ({ path, code }) => path.startsWith('/rules/0/when') && code !== 'person_required',
          );
          expect({ phase, fact, op, errors }).toEqual({ phase, fact, op, errors: [] });
        }
  });
});

describe('document text', () => {
  it('keeps a document, and names the line of an error', () => {
    const text = toText(standardPolicy);
    expect(parseDocument(text)).toEqual({ ok: true, document: JSON.parse(text) });
    expect(parseDocument('{\n  "rules": [\n}')).toEqual({ ok: false, line: 3 });
    expect(parseDocument('{ "a": "x')).toEqual({ ok: false, line: 1 });
    expect(parseDocument('{\n  "a": [1, { "b": null }],\n  "c" 1\n}')).toEqual({ ok: false, line: 3 });
    expect(parseDocument('{ "a": 1 }\n\n}')).toEqual({ ok: false, line: 3 });
    expect(parseDocument('[]')).toEqual({ ok: false, line: 1 });
  });

  it('makes a golden case that the service accepts', () => {
    const form = { name: 'n', platform: 'web', country: 'PT', currency: 'EUR', value: 100, sku: 'S' };
    const goldenCase = caseOf(
      { ...form, reason: 'fit.too_small', daysSince: 3, verdict: 'approved' },
      1_800_000_000_000,
    );
    const rules = [{ id: 'all', phase: 'approval', text: 'T', approval: 'auto' }];
    expect(policyFieldErrors({ rules, goldenCases: [goldenCase] })).toEqual([]);
  });
});
