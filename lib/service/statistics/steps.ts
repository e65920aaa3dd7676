import type {
  CountedReturn,
  StoredCountedReturn,
  CounterContribution,
} from '../../store/statistics/counted-returns.ts';
import type { Counter, Dimension, Figures, Period, PeriodRange } from '../../store/statistics/counters.ts';

/* Days are in UTC, such as `2026-11-22`, and months such as `2026-11`. As text they sort as times. */

const millisecondsOfDay = 86_400_000;

/** Returns the day a number of days after another day. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * millisecondsOfDay).toISOString().slice(0, 10);

export const monthOf = (day: string): string => day.slice(0, 7);

/** Whether the day exists: there is no 30th of February. */
export const isDay = (day: string): boolean => {
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
};

/** Returns the number of days from one to another, both included; below one if they are reversed. */
export const daysFrom = (first: string, last: string): number =>
  Math.round((Date.parse(last) - Date.parse(first)) / millisecondsOfDay) + 1;

const firstOfMonth = (day: string): string => `${monthOf(day)}-01`;
const nextMonth = (day: string): string => firstOfMonth(dayAfter(firstOfMonth(day), 31));

const days = (first: string, last: string): readonly PeriodRange[] =>
  first > last ? [] : [{ grain: 'DAY', first, last }];

/** Splits a period, both ends included, into whole months and the days before and after them. */
export const spansOf = (first: string, last: string): readonly PeriodRange[] => {
  const newStep = first === firstOfMonth(first) ? first : nextMonth(first);
  const end = firstOfMonth(dayAfter(last, 1));
  if (newStep >= end) return [{ grain: 'DAY', first, last }];
  return [
    ...days(first, dayAfter(newStep, -1)),
    { grain: 'MONTH', first: monthOf(newStep), last: monthOf(dayAfter(end, -1)) },
    ...days(end, last),
  ];
};

/*
 * Plans the steps from the present counters to the right ones. Each step is one transaction. After every step the
 * counters are the sum of the stored contributions. That holds even for a return that is too large for one step.
 */

/** The maximum number of actions in a transaction. */
const maxActions = 100;

/** A return whose contribution differs from its counted one. */
export type ReturnRecount = {
  readonly returnId: string;
  readonly counted: StoredCountedReturn | undefined;
  readonly version: number;
  readonly parts: readonly CounterContribution[];
};

/** The writes of one transaction. */
export type CountStep = {
  readonly counted: readonly { readonly returnId: string; readonly revision: number; readonly now: CountedReturn }[];
  readonly moves: readonly { readonly counter: Counter; readonly figures: Figures }[];
};

const grains: Readonly<Record<Dimension, readonly Period['grain'][]>> = {
  // Queries use it over all time, by day and by month.
  status: ['DAY', 'MONTH', 'ALL'],
  refundStatus: ['ALL'],
  reason: ['DAY', 'MONTH'],
  sku: ['DAY', 'MONTH'],
  channel: ['DAY', 'MONTH'],
};

const periodOf = (grain: Period['grain'], day: string): Period => {
  if (grain === 'ALL') return { grain, of: '' };
  return { grain, of: grain === 'DAY' ? day : day.slice(0, 7) };
};

const countersOf = ({ day, dimension, value }: CounterContribution): readonly Counter[] =>
  grains[dimension].map((grain) => ({ dimension, period: periodOf(grain, day), value }));

const nameOfPart = ({ day, dimension, value }: CounterContribution): string => `${day}#${dimension}#${value}`;
const nameOf = ({ dimension, period, value }: Counter): string => `${dimension}#${period.grain}#${period.of}#${value}`;

/** Returns `a` plus `times` times `b`, without zeros. */
export const plus = (a: Figures, b: Figures, times: 1 | -1 = 1): Figures => {
  const totals = { ...a };
  for (const [name, figure] of Object.entries(b)) totals[name] = (totals[name] ?? 0) + times * figure;
  return Object.fromEntries(Object.entries(totals).filter(([, figure]) => figure !== 0));
};

/** The difference to add for one counter, and its contribution afterwards. */
type CounterMove = { readonly now: CounterContribution; readonly by: Figures };

const movesOf = ({ counted, parts }: ReturnRecount): readonly CounterMove[] => {
  const before = new Map((counted?.parts ?? []).map((part) => [nameOfPart(part), part]));
  const after = new Map(parts.map((part) => [nameOfPart(part), part]));
  return [...new Map([...before, ...after]).entries()].flatMap(([name, part]) => {
    const now = { ...part, figures: after.get(name)?.figures ?? {} };
    const by = plus(now.figures, before.get(name)?.figures ?? {}, -1);
    return Object.keys(by).length === 0 ? [] : [{ now, by }];
  });
};

type StepBuilder = {
  readonly counted: Map<string, { readonly returnId: string; readonly revision: number; now: CountedReturn }>;
  readonly moves: Map<string, { readonly counter: Counter; figures: Figures }>;
};

const begin = (): StepBuilder => ({ counted: new Map(), moves: new Map() });

const toStep = ({ counted, moves }: StepBuilder): CountStep => ({
  counted: [...counted.values()],
  // A decrease by one return and an equal increase by another cancel out.
  moves: [...moves.values()].filter(({ figures }) => Object.keys(figures).length > 0),
});

const nonEmptyParts = (parts: ReadonlyMap<string, CounterContribution>): readonly CounterContribution[] =>
  [...parts.values()].filter(({ figures }) => Object.keys(figures).length > 0);

/**
 * Returns the steps that count some returns again, each return at most once per step.
 * A return that is only partly counted after a step stays at the earlier counted version.
 *
 * @param maximum the number of actions in a step: each counter and each return is one
 */
export const stepsFor = (changes: readonly ReturnRecount[], maximum = maxActions): readonly CountStep[] => {
  const steps: CountStep[] = [];
  let step = begin();
  const close = () => {
    if (step.counted.size > 0) steps.push(toStep(step));
    step = begin();
  };
  for (const change of changes) {
    const { returnId, version } = change;
    const parts = new Map((change.counted?.parts ?? []).map((part) => [nameOfPart(part), part]));
    let revision = change.counted?.revision ?? 0;
    const note = (done: boolean) => {
      const now = { version: done ? version : (change.counted?.version ?? 0), parts: nonEmptyParts(parts) };
      const row = step.counted.get(returnId);
      if (row === undefined) step.counted.set(returnId, { returnId, revision: revision++, now });
      else row.now = now;
    };
    for (const { now, by } of movesOf(change)) {
      const counters = countersOf(now);
      const more = counters.filter((counter) => !step.moves.has(nameOf(counter))).length;
      const own = step.counted.has(returnId) ? 0 : 1;
      if (step.counted.size + step.moves.size + more + own > maximum) close();
      for (const counter of counters) {
        const name = nameOf(counter);
        step.moves.set(name, { counter, figures: plus(step.moves.get(name)?.figures ?? {}, by) });
      }
      parts.set(nameOfPart(now), now);
      note(false);
    }
    // Also if its contribution is unchanged, because its version is new.
    if (!step.counted.has(returnId) && step.counted.size + step.moves.size + 1 > maximum) close();
    note(true);
  }
  close();
  return steps;
};
