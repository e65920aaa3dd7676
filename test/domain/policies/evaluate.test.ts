import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Facts, LineFacts } from '../../../lib/domain/policies/facts.ts';
import type { Policy, Rule, Condition } from '../../../lib/domain/policies/policy.ts';
import { compilePolicy } from '../../../lib/domain/policies/evaluate/compile.ts';
import { factKinds, isOfConduct } from '../../../lib/domain/policies/fact-catalogue.ts';
import { counterfactuals } from '../../../lib/domain/policies/decision/counterfactuals.ts';
import { explain } from '../../../lib/domain/texts/explain.ts';
import { usual, type Coverage } from './model/coverage.ts';
import { cases } from './model/generate.ts';
import { denyingRule } from './model/generate-policy.ts';
import {
  decide,
  expectAgreement,
  expectComplete,
  expectExplained,
  expectFloor,
  expectLonger,
  expectSameBytes,
  expectStricter,
  expectWithdrawal,
  shuffled,
} from './model/promises.ts';
import { runs, runsEveryCase } from '../../support/samples.ts';

const seed = 20261121;

describe('evaluate, for any policy and any request', () => {
  it('agrees with a second evaluator of the same design', () => {
    const coverage: Coverage = new Map();
    fc.assert(
      fc.property(cases, (one) => expectAgreement(one, coverage)),
      { numRuns: runsEveryCase() ? 1_500 : 500, seed },
    );
    expect(usual.filter((one) => !coverage.has(one))).toEqual([]);
  });

  it('never returns less than the certain statutory right', () => {
    let owed = 0;
    fc.assert(
      fc.property(cases, (one) => {
        owed += expectFloor(one);
      }),
      { numRuns: runs(800), seed },
    );
    expect(owed).toBeGreaterThan(runs(50));
  });

  it('never rejects a declared withdrawal with a live right, delivered or not', () => {
    let undelivered = 0;
    fc.assert(
      fc.property(cases, (one) => {
        undelivered += expectWithdrawal(one);
      }),
      { numRuns: runs(800), seed },
    );
    expect(undelivered).toBeGreaterThanOrEqual(runs(20));
  });

  it('never improves a line when a denying rule is added', () => {
    let stricter = 0;
    fc.assert(
      fc.property(cases, denyingRule, (one, added) => {
        stricter += Number(expectStricter(one, added));
      }),
      { numRuns: runs(800), seed },
    );
    expect(stricter).toBeGreaterThan(runs(50));
  });

  it('never worsens a line when every window is a day longer', () => {
    let longer = 0;
    fc.assert(
      fc.property(cases, (one) => {
        longer += Number(expectLonger(one));
      }),
      { numRuns: runs(800, 4), seed },
    );
    expect(longer).toBeGreaterThan(runs(10, 4));
  });

  it('returns the same bytes for any sequence of the same input', () => {
    let bytes = 0;
    const reordered = cases.chain((one) => shuffled(one.policy).map((rules) => ({ one, rules })));
    fc.assert(
      fc.property(reordered, ({ one, rules }) => {
        bytes += expectSameBytes(one, rules);
      }),
      { numRuns: runs(500), seed },
    );
    expect(bytes).toBeGreaterThan(runs(500_000));
  });

  it('explains its verdicts in the trace alone', () => {
    let codes = 0;
    fc.assert(
      fc.property(cases, (one) => {
        codes += expectExplained(one);
      }),
      { numRuns: runs(1_000), seed },
    );
    expect(codes).toBeGreaterThan(runs(1_000));
  });

  it('traces each rule exactly once per subject', () => {
    let entries = 0;
    fc.assert(
      fc.property(cases, (one) => {
        entries += expectComplete(one);
      }),
      { numRuns: runs(500), seed },
    );
    expect(entries).toBeGreaterThan(runs(5_000));
  });
});

const facts = ({ order, line }: { order?: Partial<Facts['order']>; line?: Partial<LineFacts> } = {}): Facts => ({
  requestedAt: '2026-10-25T00:30:00Z',
  order: {
    platform: 'web',
    currency: 'EUR',
    completeness: 'full',
    timeZone: 'Europe/Berlin',
    value: 1_999,
    placedAt: '2026-10-25T00:30:00.000Z',
    ...order,
  },
  customer: {},
  return: { initiatedBy: 'customer', isGift: false, quantity: 1, value: 1_999, reasons: ['fit'], skus: [] },
  lines: [
    {
      orderLineId: '1',
      quantity: 1,
      value: 1_999,
      reason: 'fit',
      reasonGroup: 'fit',
      resolution: 'refund',
      hasNote: false,
      hasEvidence: false,
      rights: [],
      ...line,
    },
  ],
});

const line = (rule: object, input: Facts) =>
  decide({ rules: [{ id: 'one', text: 'One.', ...rule } as Rule] }, input).lines[0];

describe('instants in conditions', () => {
  const at = '2026-10-25T02:30:00+02:00';
  const fact = 'order.placedAt';
  const equal: readonly Condition[] = [
    { fact, op: 'eq', value: at },
    { fact, op: 'lte', value: at },
    { fact, op: 'gte', value: at },
    { fact, op: 'between', value: [at, at] },
    { not: { fact, op: 'neq', value: at } },
    { not: { fact, op: 'lt', value: at } },
    { not: { fact, op: 'gt', value: at } },
    { fact, op: 'withinDays', value: 0 },
  ];

  it.each(equal)('are equal in every notation: %j', (when) => {
    expect(line({ phase: 'exclusion', deny: 'no', when }, facts())?.codes).toEqual(['no']);
  });
});

describe('window', () => {
  const window = { anchor: 'delivered', days: 14 } as const;

  it('is open when it ends after the last year of the calendar', () => {
    const late = facts({ line: { deliveredAt: '9999-12-31T08:00:00Z' } });
    expect(line({ phase: 'window', window }, late)).toMatchObject({
      verdict: 'eligible',
      returnableUntil: '9999-12-31T23:59:59.999Z',
    });
  });

  it('reports the time at which the request would have been in time, with any other conditions', () => {
    const policy = {
      rules: [
        { id: 'shoes', phase: 'window', text: 'Shoes.', when: { fact: 'line.brand', op: 'in', value: ['a'] }, window },
        {
          id: 'fresh',
          phase: 'exclusion',
          text: 'Not at once.',
          when: { fact: 'order.placedAt', op: 'withinDays', value: 1 },
          deny: 'fresh',
        },
      ] as const satisfies readonly Rule[],
    };
    const placedAt = '2026-01-01T08:00:00Z';
    const early = facts({ order: { placedAt }, line: { brand: 'a', deliveredAt: '2026-01-05T08:00:00Z' } });
    const found = counterfactuals(policy, compilePolicy(policy), early, decide(policy, early));
    expect(found).toContainEqual({
      line: 0,
      changes: [{ fact: 'requestedAt', is: early.requestedAt, op: 'lt', value: '2026-01-19T23:00:00.000Z' }],
      verdict: 'eligible',
    });
  });
});

const explained = (policy: Policy) =>
  explain({ policy, facts: facts(), evaluation: decide(policy, facts()), items: new Map() }, 'en');

describe('explanation', () => {
  it('stays within its maximum length, however many rules deny a line', () => {
    const rules = Array.from({ length: 20 }, (_, index): Rule => {
      return { id: `no-${index}`, phase: 'exclusion', text: `${index}${'🎁'.repeat(499)}`, deny: 'no' };
    });
    const [, sentence = ''] = explained({ rules });
    expect(sentence).toHaveLength(4_000);
    expect(sentence.isWellFormed()).toBe(true);
  });

  it('describes a rule by its text, whatever its id is', () => {
    const policy = { rules: [{ id: 'constructor', phase: 'exclusion', text: 'Not these.', deny: 'no' }] } as const;
    const [, line] = explained(policy);
    expect(line).toContain('Not these');
    expect(line).not.toContain('native code');
  });
});

describe('fact names', () => {
  const names = [...factKinds.keys()].filter((name) => name !== 'requestedAt');
  /** Returns an object in which each field is its own name. */
  const section = (of: string) =>
    Object.fromEntries(names.filter((name) => name.startsWith(`${of}.`)).map((name) => [name.split('.')[1], name]));
  const named = {
    ...facts(),
    order: { ...section('order'), timeZone: 'UTC' },
    customer: section('customer'),
    return: section('return'),
    lines: [{ ...section('line'), rights: [] }],
  } as unknown as Facts;

  it.each(names)('read the field of that name: %s', (fact) => {
    const rule: Rule = {
      id: 'one',
      text: 'One.',
      ...(isOfConduct(fact) ? { phase: 'approval', approval: 'manual' } : { phase: 'exclusion', deny: 'excluded' }),
      when: { fact, op: 'exists', value: true },
    };
    const { trace } = decide({ rules: [rule] }, named);
    const isRead = expect.objectContaining({ [fact]: fact }) as unknown;
    expect(trace).toContainEqual(expect.objectContaining({ rule: 'one', result: 'matched', inputs: isRead }));
    const without = decide({ rules: [rule] }, {
      ...facts(),
      order: {},
      customer: {},
      return: {},
      lines: [{ rights: [] }],
    } as never);
    const isMissing = expect.objectContaining({ [fact]: null }) as unknown;
    expect(without.trace).toContainEqual(expect.objectContaining({ result: 'not_matched', inputs: isMissing }));
  });
});

describe('missing facts', () => {
  const unknown: Condition = { fact: 'order.country', op: 'eq', value: 'DE' };

  it('do not matter to a requirement that a line meets anyway', () => {
    const rule = { phase: 'requirement', require: ['note'], when: unknown };
    expect(line(rule, facts({ line: { hasNote: true } }))?.verdict).toBe('eligible');
    expect(line(rule, facts())).toMatchObject({ verdict: 'needs_review', missing: ['order.country'] });
  });

  it('of a window are those of its condition, or else its anchor and its fallback', () => {
    const window = {
      anchor: 'delivered',
      days: 14,
      fallback: { anchor: 'shipped', days: 20 },
      seasonal: [{ from: '2026-11-01', to: '2026-12-24', until: '2027-01-31' }],
    };
    const rule = { phase: 'window', window };
    expect(line({ ...rule, when: unknown }, facts())?.missing).toEqual(['order.country']);
    expect(line(rule, facts())?.missing).toEqual(['line.deliveredAt', 'line.shippedAt']);
  });

  it('of one line require a review of that line alone for a fee by facts of lines', () => {
    const opened = { fact: 'line.condition', op: 'eq', value: 'opened' } as const;
    const fee = { type: 'restocking', bps: 1_000 } as const;
    const rules: readonly Rule[] = [
      { id: 'opened', text: 'Opened.', phase: 'fee', fee, when: opened },
      { id: 'other', text: 'Other.', phase: 'fee', fee: { ...fee, bps: 500 } },
    ];
    const [first] = facts().lines as [LineFacts];
    const { condition: _, ...bare } = first;
    const lines = [{ ...bare, condition: 'opened' }, { ...bare, condition: 'new' }, bare];
    const decided = decide({ rules }, { ...facts(), lines });
    expect(decided.fees).toEqual({});
    expect(decided.lines.map(({ fees, missing }) => [fees?.restocking?.rule, missing])).toEqual([
      ['opened', []],
      ['other', []],
      ['other', ['line.condition']],
    ]);
    expect(decided.trace.filter(({ phase }) => phase === 'fee')).toMatchObject([
      { rule: 'opened', line: 0, result: 'matched' },
      { rule: 'opened', line: 1, result: 'not_matched' },
      { rule: 'opened', line: 2, result: 'unknown' },
      { rule: 'other', line: 0, result: 'matched', overruledBy: 'opened' },
      { rule: 'other', line: 1, result: 'matched' },
      { rule: 'other', line: 2, result: 'matched' },
    ]);
  });

  it('are reported, and remove a fee that depends on them', () => {
    const fee = { id: 'fee', text: 'Restocking.', phase: 'fee', fee: { type: 'restocking', bps: 1_500 } } as const;
    const sentences = (when: Condition) => {
      const policy = { rules: [{ ...fee, when }] };
      return explained(policy).join(' ');
    };
    expect(sentences({ fact: 'order.platform', op: 'eq', value: 'web' })).toContain('A processing fee of 15% applies.');
    expect(sentences(unknown)).not.toContain('processing fee');
    expect(sentences(unknown)).toContain('This information is missing: country and region of the order.');
  });
});
