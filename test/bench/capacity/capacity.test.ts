import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { capacityOf } from './model.ts';
import { withBlock } from '../cost/block.ts';
import { capacityTable } from './table.ts';

describe('capacity of the event log', () => {
  it('is on its page as the settings of the code give it', () => {
    const page = readFileSync('test/bench/capacity.md', 'utf8');
    expect(withBlock(page, 'capacity', capacityTable())).toBe(page);
  });

  it('is enough for 10,000 events a second with a window of ten seconds, and for 1,000 as deployed', () => {
    expect(capacityOf({ events: 10_000, windowSeconds: 10, batchSize: 1_000 }).holds).toBe(true);
    expect(capacityOf({ events: 1_000, windowSeconds: 1, batchSize: 100 }).holds).toBe(true);
    expect(capacityOf({ events: 10_000, windowSeconds: 1, batchSize: 100 }).holds).toBe(false);
  });

  it('is smaller when a batch cannot hold the events of its window', () => {
    const [whole, cut] = [1_000, 100].map((batchSize) => capacityOf({ events: 10_000, windowSeconds: 10, batchSize }));
    expect(cut?.moves).toBeGreaterThan(whole?.moves ?? Number.POSITIVE_INFINITY);
  });
});
