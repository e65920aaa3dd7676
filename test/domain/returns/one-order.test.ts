import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../support/samples.ts';
import { liveThroughRepaid, repaidStories } from './one-order/repay.ts';
import { settle } from './one-order/settle.ts';
import { expectSharedAccount, stories } from './one-order/share.ts';

describe('returns of one order', () => {
  it('never receive more than the amount paid, also with refunds outside all returns', () => {
    const done = new Map<string, number>();
    fc.assert(
      fc.property(stories(30), (story) => expectSharedAccount(story, done)),
      { numRuns: runs(400, 4), seed: 20261121 },
    );
    // All nineteen kinds of action were done.
    expect(done.size).toBe(19);
  });

  it('owe their balance, and are settled, also after recoveries, write-offs and waivers', () => {
    const done = new Map<string, number>();
    fc.assert(
      fc.property(repaidStories(24), (repaid) => {
        expect(settle(liveThroughRepaid(repaid, done))).toEqual([]);
      }),
      { numRuns: runs(300, 4), seed: 20261129 },
    );
    expect([...done.keys()].toSorted()).toEqual(['all', 'complete', 'off', 'part', 'waive']);
  });
});
