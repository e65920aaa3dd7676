import { describe, expect, it } from 'vitest';
import { seeded } from '../support/seeded.ts';
import { planFaults, serviceFaults, services } from './plan.ts';

const plan = planFaults(600, seeded(7));

describe('plan of faults', () => {
  it('is the same for the same seed, and another for another seed', () => {
    expect(planFaults(60, seeded(1))).toEqual(planFaults(60, seeded(1)));
    expect(planFaults(60, seeded(2))).not.toEqual(planFaults(60, seeded(1)));
  });

  it('has every fault of every target within ten minutes, in the order of their begin', () => {
    const found = new Set(plan.map(({ target, kind }) => `${target} ${kind}`));
    const wanted = [
      ...services.flatMap((target) => serviceFaults.map((kind) => `${target} ${kind}`)),
      ...['connected', 'standalone'].flatMap((mode) => [`${mode} kill`, `${mode} freeze`]),
    ];
    expect(wanted.filter((one) => !found.has(one))).toEqual([]);
    const begins = plan.map(({ atMs }) => atMs);
    expect(begins).toEqual(begins.toSorted((a, b) => a - b));
  });

  it('gives a target one fault at a time, and ends all within the run', () => {
    const ends = new Map<string, number>();
    const overlapping = plan.filter(({ target, atMs, forMs }) => {
      const isBusy = (ends.get(target) ?? 0) > atMs;
      ends.set(target, atMs + forMs);
      return isBusy;
    });
    expect(overlapping).toEqual([]);
    expect(Math.max(...ends.values())).toBeLessThanOrEqual(600_000);
  });

  it('has most faults also in a minute', () => {
    expect(planFaults(60, seeded(3)).length).toBeGreaterThan(50);
  });
});
