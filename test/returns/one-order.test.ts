import fc from 'fast-check';
import { expect, it } from 'vitest';
import { expectSharedAccount, stories } from './one-order/share.ts';

it('gives no more of an order than was paid, over all its returns and whatever is refunded beside them', () => {
  const done = new Map<string, number>();
  fc.assert(
    fc.property(stories(30), (story) => expectSharedAccount(story, done)),
    { numRuns: 400, seed: 20261121 },
  );
  // Each of the sixteen things that may happen to a return or beside it.
  expect(done.size).toBe(16);
});
