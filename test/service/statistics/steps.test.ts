import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plus, stepsFor, type ReturnRecount, type CountStep } from '../../../lib/service/statistics/steps.ts';
import type {
  CountedReturn,
  StoredCountedReturn,
  CounterContribution,
} from '../../../lib/store/statistics/counted-returns.ts';
import type { Counter, Figures } from '../../../lib/store/statistics/counters.ts';
import { runs } from '../../support/samples.ts';

/** The periods that each dimension counts, as in the schema of the table. */
const periods: Readonly<Record<CounterContribution['dimension'], readonly Counter['period']['grain'][]>> = {
  status: ['DAY', 'MONTH', 'ALL'],
  refundStatus: ['ALL'],
  reason: ['DAY', 'MONTH'],
  sku: ['DAY', 'MONTH'],
  channel: ['DAY', 'MONTH'],
};
const timeOf = (grain: Counter['period']['grain'], day: string) =>
  ({ DAY: day, MONTH: day.slice(0, 7), ALL: '' })[grain];

type Counters = Map<string, Figures>;

const add = (counters: Counters, name: string, figures: Figures) => {
  const sum = plus(counters.get(name) ?? {}, figures);
  if (Object.keys(sum).length === 0) counters.delete(name);
  else counters.set(name, sum);
};

/** Returns the counters that exactly these contributions result in. */
const sumOf = (contributions: readonly (readonly CounterContribution[])[]): Counters => {
  const counters: Counters = new Map();
  for (const { dimension, day, value, figures } of contributions.flat())
    for (const grain of periods[dimension])
      add(counters, [dimension, grain, timeOf(grain, day), value].join('/'), figures);
  return counters;
};

/** Opens a table of counters, of counted returns and of current returns. */
const openTable = () => {
  const counters: Counters = new Map();
  const counted = new Map<string, StoredCountedReturn>();
  const returns = new Map<string, { version: number; parts: readonly CounterContribution[] }>();
  return {
    returns,
    counted,
    counters,
    /** Writes all of a step or nothing, like a transaction. */
    write: (step: CountStep): boolean => {
      if (step.counted.some(({ returnId, revision }) => (counted.get(returnId)?.revision ?? 0) !== revision))
        return false;
      for (const { returnId, revision, now } of step.counted) counted.set(returnId, { ...now, revision: revision + 1 });
      for (const { counter, figures } of step.moves)
        add(counters, [counter.dimension, counter.period.grain, counter.period.of, counter.value].join('/'), figures);
      return true;
    },
    /** Returns the changes that a worker has to count now. */
    changes: (returnIds: readonly string[]): readonly ReturnRecount[] =>
      returnIds.flatMap((returnId) => {
        const state = returns.get(returnId);
        const before = counted.get(returnId);
        return state === undefined || (before !== undefined && before.version >= state.version)
          ? []
          : [{ returnId, counted: before, ...state }];
      }),
  };
};
type Table = ReturnType<typeof openTable>;

const actionsOf = ({ counted, moves }: CountStep): number => counted.length + moves.length;

const expectSums = ({ counters, counted }: Table) =>
  expect(counters).toEqual(sumOf([...counted.values()].map(({ parts }) => parts)));

const ids = ['ret_1', 'ret_2', 'ret_3'] as const;
const someIds = fc.uniqueArray(fc.constantFrom(...ids), { minLength: 1 });

const figures = fc
  .record({ received: fc.nat(3), due_EUR: fc.nat(2) })
  .map((more): Figures => plus({ returns: 1 }, more));
const parts = fc.uniqueArray(
  fc.record({
    day: fc.constantFrom('2026-10-31', '2026-11-01', '2026-11-02'),
    dimension: fc.constantFrom('status', 'refundStatus', 'sku', 'reason'),
    value: fc.constantFrom('', 'a', 'b#c'),
    figures,
  } satisfies Record<keyof CounterContribution, fc.Arbitrary<unknown>>),
  { maxLength: 8, selector: ({ day, dimension, value }) => `${day} ${dimension} ${value}` },
) as fc.Arbitrary<readonly CounterContribution[]>;

type Event =
  | { readonly kind: 'change'; readonly id: string; readonly parts: readonly CounterContribution[] }
  | { readonly kind: 'deliver'; readonly worker: number; readonly ids: readonly string[] }
  | { readonly kind: 'write'; readonly worker: number }
  | { readonly kind: 'die'; readonly worker: number };

const worker = fc.nat(2);
const events: fc.Arbitrary<readonly Event[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('change' as const), id: fc.constantFrom(...ids), parts }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('deliver' as const), worker, ids: someIds }) },
    { weight: 8, arbitrary: fc.record({ kind: fc.constant('write' as const), worker }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('die' as const), worker }) },
  ),
  { maxLength: 40 },
);

describe('stepsFor', () => {
  it('makes counters equal to the sum over all returns, however often, late and concurrently changes are reported', () => {
    fc.assert(
      fc.property(events, fc.integer({ min: 5, max: 12 }), (happened, maximum) => {
        const table = openTable();
        const working = new Map<number, CountStep[]>();
        for (const event of happened) {
          if (event.kind === 'change') {
            const version = (table.returns.get(event.id)?.version ?? 0) + 1;
            table.returns.set(event.id, { version, parts: event.parts });
          }
          if (event.kind === 'deliver') working.set(event.worker, [...stepsFor(table.changes(event.ids), maximum)]);
          if (event.kind === 'die') working.delete(event.worker);
          if (event.kind !== 'write') continue;
          const step = working.get(event.worker)?.shift();
          if (step === undefined) continue;
          expect(actionsOf(step)).toBeLessThanOrEqual(maximum);
          // A worker whose condition fails starts over with the next delivery.
          if (!table.write(step)) working.delete(event.worker);
          expectSums(table);
        }
        for (const step of stepsFor(table.changes(ids), maximum)) expect(table.write(step)).toBe(true);
        expectSums(table);
        expect(table.changes(ids)).toEqual([]);
        expect(table.counters).toEqual(sumOf([...table.returns.values()].map((one) => one.parts)));
      }),
      { numRuns: runs(300), seed: 20261122 },
    );
  });

  const part = (value: string, more: Partial<CounterContribution> = {}): CounterContribution => ({
    day: '2026-11-22',
    dimension: 'status',
    value,
    figures: { returns: 1, requested: 2 },
    ...more,
  });
  const fresh = (returnId: string, of: readonly CounterContribution[]): ReturnRecount => ({
    returnId,
    counted: undefined,
    version: 1,
    parts: of,
  });

  it('adds the changes of many returns to one counter, and omits changes with a sum of zero', () => {
    const many = Array.from({ length: 50 }, (_, index) => fresh(`ret_${index}`, [part('approved')]));
    const [step, ...others] = stepsFor(many);
    expect(others).toEqual([]);
    expect(step?.counted).toHaveLength(50);
    expect(step?.moves.map(({ figures: by }) => by)).toEqual(
      ['day', 'month', 'all'].map(() => ({ returns: 50, requested: 100 })),
    );
    const before: CountedReturn = { version: 1, parts: [part('approved')] };
    const swapped = [
      fresh('ret_1', [part('approved')]),
      { ...fresh('ret_2', []), counted: { ...before, revision: 1 }, version: 2 },
    ];
    expect(stepsFor(swapped)).toMatchObject([{ counted: [{ returnId: 'ret_1' }, { returnId: 'ret_2' }], moves: [] }]);
  });

  it('counts a return of 200 goods in several transactions, with its version in the last', () => {
    const goods = Array.from({ length: 200 }, (_, index) => part(`SKU-${index}`, { dimension: 'sku' }));
    const steps = stepsFor([fresh('ret_1', goods)]);
    expect(steps.length).toBeGreaterThan(4);
    expect(steps.every((step) => actionsOf(step) <= 100)).toBe(true);
    expect(steps.map(({ counted }) => counted[0]?.revision)).toEqual(steps.map((_, index) => index));
    expect(steps.map(({ counted }) => counted[0]?.now.version)).toEqual(
      steps.map((_, index) => (index === steps.length - 1 ? 1 : 0)),
    );
  });
});
