import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { factKinds } from '../../../lib/domain/policies/fact-catalogue.ts';
import { policyFieldErrors } from '../../../lib/domain/policies/check/policy-field-errors.ts';
import { full, goldenCase } from './documents.ts';
import { runs } from '../../support/samples.ts';

const eq = { fact: 'order.country', op: 'eq', value: 'DE' };
const rule = (fields: object) => ({ rules: [{ id: 'a', phase: 'exclusion', text: 'A', deny: 'no', ...fields }] });
const when = (condition: unknown) => rule({ when: condition });
const leaf = (fact: string, op: string, value: unknown) => when({ fact, op, value });
const window = (fields: object) => ({
  rules: [{ id: 'a', phase: 'window', text: 'A', window: { anchor: 'delivered', days: 30, ...fields } }],
});
const fee = (terms: object) => ({ rules: [{ id: 'a', phase: 'fee', text: 'A', fee: terms }] });
const approval = (fields: object) => ({ rules: [{ id: 'a', phase: 'approval', text: 'A', ...fields }] });
const golden = (fields: object) => ({ rules: [], goldenCases: [{ ...goldenCase, ...fields }] });
const nested = (depth: number): unknown => (depth === 1 ? eq : { not: nested(depth - 1) });
const times = <Item>(count: number, item: (index: number) => Item) =>
  Array.from({ length: count }, (_, at) => item(at));

/** Returns conditions that each use the next one twice. */
const doubling = (levels: number) =>
  Object.fromEntries(
    times(levels, (at) => [`c${at}`, at === levels - 1 ? eq : { or: [{ use: `c${at + 1}` }, { use: `c${at + 1}` }] }]),
  );

const codesAt = (document: unknown) => policyFieldErrors(document).map(({ path, code }) => `${path} ${code}`);

describe('checkPolicy: valid documents', () => {
  it.each([
    ['with every phase, effect and field', full],
    ['without rules', { rules: [] }],
    ['with a condition of the maximum depth', when(nested(8))],
    ['with a condition of the maximum depth through a use', { ...when({ use: 'c' }), conditions: { c: nested(7) } }],
    ['with the maximum number of conditions', when({ and: times(999, () => eq) })],
    ['with names of Object.prototype', { ...when({ use: 'toString' }), conditions: { toString: eq } }],
    ['with an empty list', leaf('order.country', 'in', [])],
    ['with equal ends', leaf('line.value', 'between', [5, 5])],
    [
      'with ends that write the same instant differently',
      leaf('order.placedAt', 'between', ['2026-01-01T00:00:00.10Z', '2026-01-01T00:00:00.1Z']),
    ],
    ['with a leap day', { rules: [], holidays: ['2028-02-29'] }],
  ])('returns no errors for a document %s', (_, document) => {
    expect(policyFieldErrors(document)).toEqual([]);
  });
});

describe('checkPolicy: invalid documents', () => {
  it.each<[string, unknown, readonly string[]]>([
    ['null', null, [' type']],
    ['a list', [], [' type']],
    ['an object without rules', {}, ['/rules required']],
    ['an unknown field', { rules: [], rule: [] }, ['/rule unknown_field']],
    ['a field named __proto__', JSON.parse('{"rules":[],"__proto__":{}}'), ['/__proto__ unknown_field']],
    ['a field name with JSON pointer characters', { rules: [], 'a/b~': 1 }, ['/a~1b~0 unknown_field']],
    ['rules that are not a list', { rules: {} }, ['/rules type']],
    ['too many rules', { rules: times(501, () => null) }, ['/rules max_items']],
    ['null as a rule', { rules: [null] }, ['/rules/0 type']],
    [
      'a rule of an unknown phase with a wrong condition',
      rule({ phase: 'fees', when: { fact: 'line.conditon', op: 'eq', value: 'new' } }),
      ['/rules/0/phase enum', '/rules/0/when/fact unknown_fact'],
    ],
    ['an unknown language', { rules: [], language: 'it' }, ['/language enum']],
    ['a text in another language', rule({ texts: { de: 'Nein', it: 'No' } }), ['/rules/0/texts/it unknown_field']],
    ['an empty text in a language', rule({ texts: { de: '' } }), ['/rules/0/texts/de min_length']],
    ['favorable that is not a boolean', { rules: [], favorable: 'yes' }, ['/favorable type']],
    ['a country in lower case', { rules: [], selectors: { countries: ['de'] } }, ['/selectors/countries/0 unknown']],
    ['an unknown country', { rules: [], selectors: { countries: ['ZZ'] } }, ['/selectors/countries/0 unknown']],
    ['the code EL for Greece', { rules: [], selectors: { countries: ['EL'] } }, ['/selectors/countries/0 unknown']],
    ['empty selectors', { rules: [], selectors: { channels: [] } }, ['/selectors/channels min_items']],
    ['an unknown selector', { rules: [], selectors: { shops: ['a'] } }, ['/selectors/shops unknown_field']],
    ['an invalid date', { rules: [], holidays: ['2026-02-29'] }, ['/holidays/0 date']],
    ['an instant instead of a date', { rules: [], holidays: ['2026-02-28T00:00:00Z'] }, ['/holidays/0 date']],
    ['too many holidays', { rules: [], holidays: times(1001, () => '2026-01-01') }, ['/holidays max_items']],
    [
      'too many lists',
      { rules: [], lists: Object.fromEntries(times(21, (at) => [`l${at}`, []])) },
      ['/lists max_properties'],
    ],
    ['too many ids in a list', { rules: [], lists: { l: times(10_001, () => 'c') } }, ['/lists/l max_items']],
    ['an id that is not a string', { rules: [], lists: { l: [7] } }, ['/lists/l/0 type']],
    ['an invalid condition name', { rules: [], conditions: { 'a b': eq } }, ['/conditions/a b pattern']],
    [
      'too many conditions',
      { rules: [], conditions: Object.fromEntries(times(51, (at) => [`c${at}`, eq])) },
      ['/conditions max_properties'],
    ],
    ['an empty category', { rules: [], categories: [''] }, ['/categories/0 min_length']],
  ])('returns an error for %s', (_, document, errors) => {
    expect(codesAt(document)).toEqual(errors);
  });

  it.each<[string, unknown, readonly string[]]>([
    ['without an id', rule({ id: undefined }), ['/rules/0/id type']],
    ['with an invalid id', rule({ id: 'A' }), ['/rules/0/id pattern']],
    ['with a duplicate id', { rules: [...rule({}).rules, ...rule({}).rules] }, ['/rules/1/id duplicate']],
    ['without a phase', { rules: [{ id: 'a', text: 'A' }] }, ['/rules/0/phase required']],
    ['with an unknown phase', rule({ phase: 'integrity' }), ['/rules/0/phase enum']],
    ['with the phase constructor', rule({ phase: 'constructor' }), ['/rules/0/phase enum']],
    ['without a text', { rules: [{ id: 'a', phase: 'limit', deny: 'no' }] }, ['/rules/0/text required']],
    ['with a lone surrogate in its text', rule({ text: '\ud800' }), ['/rules/0/text unicode']],
    ['with too long a text', rule({ text: 'x'.repeat(1001) }), ['/rules/0/text max_length']],
    ['with a fractional priority', rule({ priority: 0.5 }), ['/rules/0/priority type']],
    ['with a priority out of range', rule({ priority: 1e300 }), ['/rules/0/priority maximum']],
    ['with an invalid code', rule({ deny: 'Final sale' }), ['/rules/0/deny pattern']],
    ['without an effect', { rules: [{ id: 'a', phase: 'limit', text: 'A' }] }, ['/rules/0/deny required']],
    ['without one of its effects', { rules: [{ id: 'a', phase: 'list', text: 'A' }] }, ['/rules/0 required']],
    ['with an effect of another phase', rule({ resolutions: ['refund'] }), ['/rules/0/resolutions unknown_field']],
    [
      'with two effects',
      { rules: [{ id: 'a', phase: 'list', text: 'A', block: 'no', exempts: ['window'] }] },
      ['/rules/0/exempts conflict'],
    ],
    [
      'that exempts from an unknown exemption',
      { rules: [{ id: 'a', phase: 'list', text: 'A', exempts: ['fee'] }] },
      ['/rules/0/exempts/0 enum'],
    ],
    ['that rejects without a code', approval({ approval: 'reject' }), ['/rules/0/deny required']],
    ['that approves with a code', approval({ approval: 'auto', deny: 'no' }), ['/rules/0/deny unknown_field']],
    ['that denies only', approval({ deny: 'no' }), ['/rules/0/deny unknown_field', '/rules/0/approval required']],
    [
      'that requires nothing',
      { rules: [{ id: 'a', phase: 'requirement', text: 'A', require: [] }] },
      ['/rules/0/require min_items'],
    ],
    [
      'that is not returnless',
      { rules: [{ id: 'a', phase: 'logistics', text: 'A', returnless: false }] },
      ['/rules/0/returnless enum'],
    ],
    ['with negative days', window({ days: -1 }), ['/rules/0/window/days minimum']],
    ['with days beyond ten years', window({ days: 3651 }), ['/rules/0/window/days maximum']],
    ['with infinite days', window({ days: JSON.parse('1e400') }), ['/rules/0/window/days type']],
    ['with an unknown anchor', window({ anchor: 'paid' }), ['/rules/0/window/anchor enum']],
    [
      'with an incomplete fallback',
      window({ fallback: { anchor: 'placed' } }),
      ['/rules/0/window/fallback/days required'],
    ],
    [
      'with a season that ends before it begins',
      window({ seasonal: [{ from: '2026-12-24', to: '2026-11-01', until: '2027-01-31' }] }),
      ['/rules/0/window/seasonal/0/to range'],
    ],
    [
      'with a season until before it begins',
      window({ seasonal: [{ from: '2026-11-01', to: '2026-12-24', until: '2026-01-31' }] }),
      ['/rules/0/window/seasonal/0/until range'],
    ],
    [
      'with an invalid day in its season',
      window({ seasonal: [{ from: '2026-11-31', to: '2026-12-24', until: '2027-01-31' }] }),
      ['/rules/0/window/seasonal/0/from date'],
    ],
    ['with a fee without a type', fee({ bps: 100 }), ['/rules/0/fee/type required']],
    [
      'with a flat restocking fee',
      fee({ type: 'restocking', amount: { amount: 1, currency: 'EUR' } }),
      ['/rules/0/fee/bps required', '/rules/0/fee/amount unknown_field'],
    ],
    ['with a restocking fee above 100%', fee({ type: 'restocking', bps: 10_001 }), ['/rules/0/fee/bps maximum']],
    [
      'with a return shipping fee by share',
      fee({ type: 'return_shipping', bps: 1 }),
      ['/rules/0/fee/amount required', '/rules/0/fee/bps unknown_field'],
    ],
    [
      'with a cap on the inspection fee',
      fee({ type: 'inspection', bps: 1, cap: { amount: 1, currency: 'EUR' } }),
      ['/rules/0/fee/cap unknown_field'],
    ],
    [
      'with an amount out of range',
      fee({ type: 'return_shipping', amount: { amount: 1e13, currency: 'EUR' } }),
      ['/rules/0/fee/amount/amount maximum'],
    ],
    [
      'with an invalid currency',
      fee({ type: 'return_shipping', amount: { amount: 1, currency: 'euro' } }),
      ['/rules/0/fee/amount/currency pattern'],
    ],
  ])('returns an error for a rule %s', (_, document, errors) => {
    expect(codesAt(document)).toEqual(errors);
  });

  it.each<[string, unknown, readonly string[]]>([
    ['an empty object', when({}), ['/rules/0/when/fact required']],
    ['null', when(null), ['/rules/0/when type']],
    ['two operators at once', when({ and: [eq], or: [eq] }), ['/rules/0/when/or unknown_field']],
    [
      'a comparison that is also a not',
      when({ ...eq, not: eq }),
      ['/rules/0/when/fact unknown_field', '/rules/0/when/op unknown_field', '/rules/0/when/value unknown_field'],
    ],
    ['an extra field', when({ ...eq, or_else: 1 }), ['/rules/0/when/or_else unknown_field']],
    ['and without a list', when({ and: eq }), ['/rules/0/when/and type']],
    ['an error inside', when({ or: [eq, { not: { and: [eq, 7] } }] }), ['/rules/0/when/or/1/not/and/1 type']],
    ['an unknown fact', leaf('order.total', 'eq', 1), ['/rules/0/when/fact unknown_fact']],
    ['a fact that conditions may not use', leaf('order.timeZone', 'eq', 'UTC'), ['/rules/0/when/fact unknown_fact']],
    ['an unknown operator', leaf('order.country', 'matches', '.*'), ['/rules/0/when/op operator']],
    ['the operator toString', leaf('order.country', 'toString', ''), ['/rules/0/when/op operator']],
    ['no operator', when({ fact: 'order.country', value: 'DE' }), ['/rules/0/when/op required']],
    ['no value', when({ fact: 'order.country', op: 'eq' }), ['/rules/0/when/value required']],
    ['lt on a string', leaf('order.country', 'lt', 'DE'), ['/rules/0/when/op operator']],
    ['gte on a boolean', leaf('order.isGift', 'gte', true), ['/rules/0/when/op operator']],
    ['eq on a list', leaf('line.tags', 'eq', 'sale'), ['/rules/0/when/op operator']],
    ['hasAny on a single value', leaf('order.country', 'hasAny', ['DE']), ['/rules/0/when/op operator']],
    ['withinDays on a number', leaf('order.value', 'withinDays', 3), ['/rules/0/when/op operator']],
    ['a string instead of a number', leaf('line.value', 'eq', '5'), ['/rules/0/when/value type']],
    ['a fraction of a minor unit', leaf('line.value', 'gt', 49.9), ['/rules/0/when/value type']],
    ['an infinite number', leaf('line.value', 'lt', JSON.parse('-1e400')), ['/rules/0/when/value type']],
    ['a number out of range', leaf('line.value', 'lt', 1e15), ['/rules/0/when/value maximum']],
    ['a string instead of a boolean', leaf('order.isGift', 'eq', 'true'), ['/rules/0/when/value type']],
    ['a date instead of an instant', leaf('order.placedAt', 'lt', '2026-01-01'), ['/rules/0/when/value instant']],
    ['an invalid instant', leaf('order.placedAt', 'lt', '2026-02-30T00:00:00Z'), ['/rules/0/when/value instant']],
    [
      'an instant with an offset',
      leaf('order.placedAt', 'lt', '2026-02-03T00:00:00+01:00'),
      ['/rules/0/when/value instant'],
    ],
    ['negative days', leaf('order.placedAt', 'withinDays', -1), ['/rules/0/when/value minimum']],
    ['exists with a string', leaf('order.country', 'exists', 'yes'), ['/rules/0/when/value type']],
    ['a single value instead of a list', leaf('order.country', 'in', 'DE'), ['/rules/0/when/value type']],
    ['a value of another type', leaf('order.country', 'in', ['DE', 1]), ['/rules/0/when/value/1 type']],
    [
      'too many values',
      leaf(
        'order.country',
        'in',
        times(1001, () => 'DE'),
      ),
      ['/rules/0/when/value max_items'],
    ],
    ['between with one end', leaf('line.value', 'between', [1]), ['/rules/0/when/value min_items']],
    ['between with three ends', leaf('line.value', 'between', [1, 2, 3]), ['/rules/0/when/value max_items']],
    ['swapped ends', leaf('line.value', 'between', [2, 1]), ['/rules/0/when/value range']],
    [
      'swapped instants',
      leaf('order.placedAt', 'between', ['2026-01-01T00:00:00.5Z', '2026-01-01T00:00:00Z']),
      ['/rules/0/when/value range'],
    ],
    ['too much depth', when(nested(9)), ['/rules/0/when depth']],
    [
      'more depth than any stack allows',
      when(JSON.parse(`${'{"not":'.repeat(100_000)}1${'}'.repeat(100_000)}`)),
      ['/rules/0/when depth'],
    ],
    ['too much depth through a use', { ...when({ use: 'c' }), conditions: { c: nested(8) } }, ['/rules/0/when depth']],
    ['too many nodes', when({ and: times(1000, () => eq) }), ['/rules/0/when nodes']],
    [
      'too many nodes through its uses',
      {
        ...when({ use: 'c' }),
        conditions: { c: { and: times(8, () => ({ use: 'd' })) }, d: { or: times(125, () => eq) } },
      },
      ['/conditions/c nodes', '/rules/0/when nodes'],
    ],
    ['a use of an unknown condition', when({ use: 'c' }), ['/rules/0/when/use unknown_use']],
    ['a use of the name constructor', when({ not: { use: 'constructor' } }), ['/rules/0/when/not/use unknown_use']],
    ['a use without a name', when({ use: 7 }), ['/rules/0/when/use type']],
    ['a use of itself', { rules: [], conditions: { c: { not: { use: 'c' } } } }, ['/conditions/c/not/use cycle']],
    [
      'uses in a circle',
      { ...when({ use: 'a' }), conditions: { a: { use: 'b' }, b: { and: [eq, { use: 'c' }] }, c: { use: 'a' } } },
      ['/conditions/a/use cycle', '/conditions/b/and/1/use cycle', '/conditions/c/use cycle'],
    ],
    [
      'a line fact in a phase of the whole return',
      rule({ phase: 'limit', when: { fact: 'line.value', op: 'gt', value: 1 } }),
      ['/rules/0/when/fact line_fact'],
    ],
    [
      'a line fact, through uses, in a phase of the whole return',
      {
        ...rule({ phase: 'limit', when: { and: [{ use: 'a' }] } }),
        conditions: { a: { use: 'b' }, b: { or: [eq, { fact: 'line.value', op: 'gt', value: 1 }] } },
      },
      ['/rules/0/when/and/0/use line_fact'],
    ],
  ])('returns an error for a condition with %s', (_, document, errors) => {
    expect(codesAt(document)).toEqual(errors);
  });

  it.each<[string, object, readonly string[]]>([
    ['an empty name', { name: '' }, ['/name min_length']],
    ['no facts', { facts: null }, ['/facts type']],
    ['an extra fact', { facts: { ...goldenCase.facts, now: 1 } }, ['/facts/now unknown_field']],
    ['no lines', { facts: { ...goldenCase.facts, lines: [] } }, ['/facts/lines min_items']],
    [
      'an unknown time zone',
      { facts: { ...goldenCase.facts, order: { ...goldenCase.facts.order, timeZone: 'Europe/Atlantis' } } },
      ['/facts/order/timeZone time_zone'],
    ],
    [
      'an order without a currency',
      { facts: { ...goldenCase.facts, order: { platform: 'own', completeness: 'full', timeZone: 'UTC', value: 1 } } },
      ['/facts/order/currency required'],
    ],
    ['an unknown verdict', { expect: { verdict: 'maybe' } }, ['/expect/verdict enum']],
    [
      'a verdict of a return for a line',
      { expect: { lines: [{ verdict: 'approved' }] } },
      ['/expect/lines/0/verdict enum'],
    ],
    ['an expected trace', { expect: { trace: [] } }, ['/expect/trace unknown_field']],
  ])('returns an error for a golden case with %s', (_, fields, errors) => {
    expect(codesAt(golden(fields))).toEqual(errors.map((error) => `/goldenCases/0${error}`));
  });

  it('lists the allowed values in its messages', () => {
    const messages = (document: unknown) => policyFieldErrors(document).map(({ message }) => message);
    expect(messages({})).toEqual(['is required: must be a list']);
    expect(messages(leaf('order.country', 'lt', 'DE'))).toEqual([
      "must be one of eq, neq, in, notIn, exists: the fact's kind is text",
    ]);
    expect(messages(leaf('customer.id', 'eq', 'c'))).toEqual([
      `must be a fact: ${[...factKinds.keys()].filter((fact) => fact.startsWith('customer.')).join(', ')}`,
    ]);
    expect(messages(leaf('total', 'eq', 1))).toEqual([
      'must be a fact: requestedAt or a fact of order, customer, return or line, such as order.country',
    ]);
    expect(messages(rule({ block: 'no' }))).toEqual([
      'is not a field of a rule of phase exclusion; the fields are id, phase, text, texts, when, priority, deny',
    ]);
  });

  it('never repeats a value of the document, which may be personal data', () => {
    const secret = 'ada@example.com';
    const documents = [
      { rules: [], lists: { l: [secret.repeat(99)] } },
      rule({ id: secret, deny: secret, text: 1, phase: 'exclusion' }),
      leaf(secret, secret, secret),
      leaf('order.country', secret, secret),
      leaf('order.placedAt', 'eq', secret),
      window({ anchor: secret }),
    ];
    for (const document of documents) {
      const errors = policyFieldErrors(document);
      expect(errors.length).toBeGreaterThan(0);
      expect(JSON.stringify(errors)).not.toContain(secret);
    }
  });
});

describe('checkPolicy: arbitrary JSON', () => {
  it('returns errors for any value, without throwing', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        expect(policyFieldErrors(value)).not.toEqual([]);
      }),
      { numRuns: runs(500) },
    );
  });

  it('accepts any value as any part of a policy, without throwing', () => {
    const pathsIn = (value: unknown, path: readonly string[]): readonly (readonly string[])[] =>
      typeof value === 'object' && value !== null
        ? [path, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...path, key]))]
        : [path];
    const put = (value: unknown, [key, ...rest]: readonly string[], replacement: unknown): unknown => {
      if (key === undefined) return replacement;
      const entries = Object.entries(value as object).map(([name, inner]: [string, unknown]) => [
        name,
        name === key ? put(inner, rest, replacement) : inner,
      ]);
      return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
    };
    fc.assert(
      fc.property(fc.constantFrom(...pathsIn(full, [])), fc.jsonValue({ maxDepth: 3 }), (path, replacement) => {
        const errors = policyFieldErrors(put(full, path, replacement));
        expect(errors.filter((error) => !/^(\/|$)/.test(error.path) || error.message === '')).toEqual([]);
      }),
      { numRuns: runs(300) },
    );
  });

  it('returns at most 100 errors', () => {
    expect(policyFieldErrors({ rules: times(500, () => ({})) })).toHaveLength(100);
  });

  it('does not expand uses that double at each level', () => {
    const codes = codesAt({ ...when({ use: 'c0' }), conditions: doubling(50) });
    expect(codes).toContain('/rules/0/when nodes');
    expect(codes).toContain('/conditions/c0 depth');
  });
});
