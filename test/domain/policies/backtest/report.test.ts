import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BacktestOutcome, ComparedDecision } from '../../../../lib/domain/policies/backtest/outcome.ts';
import {
  emptyReport,
  mergeReports,
  addOutcome,
  type BacktestReport,
} from '../../../../lib/domain/policies/backtest/report.ts';
import type { LineVerdict } from '../../../../lib/domain/policies/evaluation.ts';
import { goldenCase } from '../documents.ts';
import { runs } from '../../../support/samples.ts';

const seed = 20261122;
const lineVerdicts: readonly LineVerdict[] = ['eligible', 'needs_review', 'ineligible'];
const [defaultLine] = goldenCase.facts.lines;
if (defaultLine === undefined) throw new Error('the case has no line');

const lineArbitrary = fc.record({
  value: fc.nat(100_000),
  reason: fc.constantFrom('fit.too_small', 'fit.too_large', '__proto__'),
  categories: fc.option(fc.uniqueArray(fc.nat(300).map(String), { maxLength: 3 }), { nil: undefined }),
});

const saidArbitrary = (lines: number): fc.Arbitrary<ComparedDecision> =>
  fc.record({
    verdict: fc.constantFrom('approved', 'rejected', 'needs_review'),
    lines: fc.array(
      fc.record({ verdict: fc.constantFrom(...lineVerdicts), code: fc.constantFrom('final_sale', 'blocked') }),
      { minLength: lines, maxLength: lines },
    ),
    refund: fc.nat(3),
  });

const comparedArbitrary = fc
  .array(lineArbitrary, { minLength: 1, maxLength: 3 })
  .chain((lines) =>
    fc.record({
      id: fc.uuid(),
      currency: fc.constantFrom('EUR', 'USD'),
      before: saidArbitrary(lines.length),
      after: saidArbitrary(lines.length),
      lines: fc.constant(lines),
    }),
  )
  .map(({ id, currency, before, after, lines }) => ({
    kind: 'compared' as const,
    id,
    returnId: `ret of ${id}`,
    order: { platform: 'own', orderId: id },
    facts: {
      ...goldenCase.facts,
      order: { ...goldenCase.facts.order, currency },
      lines: lines.map(({ categories, ...line }) => ({
        ...defaultLine,
        ...line,
        ...(categories === undefined ? {} : { categories }),
      })),
    },
    before,
    after,
  }));

const outcomes: fc.Arbitrary<BacktestOutcome[]> = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: comparedArbitrary },
    { weight: 1, arbitrary: fc.constant({ kind: 'other' as const }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('failed' as const),
        id: fc.uuid(),
        code: fc.constantFrom('version_missing', 'not_reproduced', 'not_evaluated'),
      }),
    },
  ),
  { maxLength: 60 },
);

const reportOf = (outcomeList: readonly BacktestOutcome[]): BacktestReport =>
  outcomeList.reduce(addOutcome, emptyReport);
const total = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

describe('backtest report', () => {
  it('is the same for any partitions, merged in any sequence', () => {
    fc.assert(
      fc.property(outcomes, outcomes, outcomes, (a, b, c) => {
        const whole = JSON.stringify(reportOf([...a, ...b, ...c]));
        const [first, second, third] = [reportOf(a), reportOf(b), reportOf(c)];
        expect(JSON.stringify(mergeReports(mergeReports(first, second), third))).toBe(whole);
        expect(JSON.stringify(mergeReports(first, mergeReports(second, third)))).toBe(whole);
        expect(JSON.stringify(mergeReports(third, mergeReports(second, first)))).toBe(whole);
        expect(JSON.stringify(mergeReports(emptyReport, mergeReports(first, emptyReport)))).toBe(JSON.stringify(first));
      }),
      { numRuns: runs(150), seed },
    );
  });

  it('counts every decision and every line once', () => {
    fc.assert(
      fc.property(outcomes, (outcomeList) => {
        const report = reportOf(outcomeList);
        const compared = outcomeList.filter((one) => one.kind === 'compared');
        expect(report.compared + report.others + total(report.failures.map(({ count }) => count))).toBe(
          outcomeList.length,
        );
        expect(total(report.verdicts.map(({ count }) => count))).toBe(compared.length);
        expect(total(report.lines.map(({ count }) => count))).toBe(
          total(compared.map(({ facts }) => facts.lines.length)),
        );
        const flips = total(report.lines.filter(({ from, to }) => from !== to).map(({ count }) => count));
        const named = report.byReason.named.flatMap(({ better, worse }) => [better, worse]);
        expect(total(named)).toBe(flips);
      }),
      { numRuns: runs(300), seed },
    );
  });

  it('adds up the change of every refund, by currency', () => {
    fc.assert(
      fc.property(outcomes, (outcomeList) => {
        const { money } = reportOf(outcomeList);
        for (const currency of ['EUR', 'USD']) {
          const changes = outcomeList.flatMap((one) =>
            one.kind === 'compared' && one.facts.order.currency === currency
              ? one.after.refund - one.before.refund
              : [],
          );
          const { up, down } = money.find(({ name }) => name === currency) ?? { up: 0, down: 0 };
          expect(up).toBe(total(changes.map((change) => Math.max(0, change))));
          expect(down).toBe(total(changes.map((change) => Math.max(0, -change))));
        }
      }),
      { numRuns: runs(300), seed },
    );
  });

  it('names at most 200 categories, and counts all others together', () => {
    const lines = Array.from({ length: 300 }, (_, index) => ({
      ...defaultLine,
      value: 100,
      categories: [`category ${String(index).padStart(3, '0')}`],
    }));
    const all = (verdict: LineVerdict): ComparedDecision => ({
      verdict: 'approved',
      lines: lines.map(() => ({ verdict })),
      refund: 0,
    });
    const [before, after] = [all('eligible'), all('ineligible')];
    const facts = { ...goldenCase.facts, lines };
    const outcome: BacktestOutcome = {
      kind: 'compared',
      id: 'dec_1',
      returnId: 'ret_1',
      order: { platform: 'own', orderId: '1' },
      facts,
      before,
      after,
    };
    const { byCategory } = reportOf([outcome, { ...outcome, id: 'dec_2' }]);
    expect(byCategory.named).toHaveLength(200);
    expect(byCategory.named.at(-1)).toEqual({
      name: 'category 199',
      better: 0,
      worse: 2,
      worth: [{ name: 'EUR', up: 0, down: 200 }],
    });
    expect(byCategory.rest).toEqual({ better: 0, worse: 200, worth: [{ name: 'EUR', up: 0, down: 20_000 }] });
  });

  it('lists the ten changes with the smallest ids by direction, without unchanged decisions', () => {
    const one = (id: string, after: ComparedDecision['verdict']): BacktestOutcome => ({
      kind: 'compared',
      id,
      returnId: `ret of ${id}`,
      order: { platform: 'own', orderId: id },
      facts: goldenCase.facts,
      before: { verdict: 'approved', lines: [{ verdict: 'eligible' }], refund: 5000 },
      after: {
        verdict: after,
        lines: [after === 'approved' ? { verdict: 'eligible' } : { verdict: 'ineligible', code: 'final_sale' }],
        refund: after === 'approved' ? 5000 : 0,
      },
    });
    const ids = Array.from({ length: 25 }, (_, index) => `dec_${String(index).padStart(2, '0')}`);
    const outcomeList = [...ids.map((id) => one(id, 'rejected')), one('dec_same', 'approved')].toReversed();
    const { examples, compared, unchanged } = reportOf(outcomeList);
    expect({ compared, unchanged }).toEqual({ compared: 26, unchanged: 1 });
    expect(examples.map(({ name }) => name)).toEqual(['approved rejected']);
    expect(examples[0]?.examples.map(({ decisionId }) => decisionId)).toEqual(ids.slice(0, 10));
    expect(examples[0]?.examples[0]).toEqual({
      decisionId: 'dec_00',
      returnId: 'ret of dec_00',
      order: { platform: 'own', orderId: 'dec_00' },
      currency: 'EUR',
      before: { verdict: 'approved', codes: [], refund: 5000 },
      after: { verdict: 'rejected', codes: ['final_sale'], refund: 0 },
    });
  });
});
