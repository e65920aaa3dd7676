import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { liveThroughRepaid, repaidStories } from '../domain/returns/one-order/repay.ts';
import { settle } from '../domain/returns/one-order/settle.ts';
import { expectSharedAccount, liveThrough, stories } from '../domain/returns/one-order/share.ts';

const runs = Number(process.env['STORIES'] ?? 100_000);
/** A new seed in each run. */
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);

describe('account of an order', () => {
  it(`is correct over ${runs} stories of its returns, seed ${seed}`, () => {
    const done = new Map<string, number>();
    fc.assert(
      fc.property(stories(60), (story) => expectSharedAccount(story, done)),
      { numRuns: runs, seed },
    );
    process.stdout.write(`\n${[...done].map(([name, times]) => `${name} ${times}`).join(', ')}\n`);
    expect(done.size).toBe(19);
  });

  it(`is balanced and settled with recoveries over ${runs} stories of its returns, seed ${seed}`, () => {
    const done = new Map<string, number>();
    fc.assert(
      fc.property(repaidStories(40), (repaid) => {
        expect(settle(liveThroughRepaid(repaid, done))).toEqual([]);
      }),
      { numRuns: runs, seed },
    );
    expect(done.size).toBe(5);
  });

  it(`is settled by allowed commands after ${runs} stories of its returns, seed ${seed}`, () => {
    fc.assert(
      fc.property(stories(60), (story) => {
        expect(settle(liveThrough(story))).toEqual([]);
      }),
      { numRuns: runs, seed },
    );
  });
});
