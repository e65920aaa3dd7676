import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareLeaf, headToFind, pairLeaves } from '../../../lib/domain/returns/history/compare-leaves.ts';
import type { Leaf } from '../../../lib/domain/returns/history/merkle.ts';
import { runs } from '../../support/samples.ts';

const id = 'ret_01M8HPTAGGEKWT3EYZX3H1788X';
const earlier = { before: 'ret_01M9' };

/** A chain: the hash of each entry, which determines the entries before. */
type Chain = readonly string[];

const leafAt = (chain: Chain, version = chain.length): Leaf => ({
  returnId: id,
  version,
  head: version === 0 ? '' : (chain[version - 1] ?? ''),
});

/** Compares a chain with a leaf of the tree before, as the schedule does: it reads one entry at most. */
const compare = (before: Leaf | undefined, chain: Chain | undefined) => {
  const pair = { before, now: chain && leafAt(chain) };
  const head = headToFind(pair);
  return compareLeaf(pair, before && earlier, { hash: head && chain?.[head.version - 1] });
};

const chains = fc
  .array(fc.stringMatching(/^[0-9a-f]{8}$/), { minLength: 1, maxLength: 12 })
  .map((links): Chain => links.map((_, index) => links.slice(0, index + 1).join('')));

describe('compareLeaf', () => {
  it('accepts every history that continues the leaf, and names every other one, over many trees', () => {
    fc.assert(
      fc.property(fc.array(fc.option(chains, { nil: undefined }), { minLength: 1, maxLength: 8 }), (days) => {
        let kept: Leaf | undefined;
        for (const chain of days) {
          const compared = compare(kept, chain);
          const isKept = kept === undefined || (chain !== undefined && chain[kept.version - 1] === kept.head);
          expect(compared?.difference === undefined).toBe(isKept);
          expect(compared?.leaf).toEqual(isKept ? chain && leafAt(chain) : kept);
          kept = compared?.leaf;
        }
      }),
      { numRuns: runs(4_000) },
    );
  });

  it.each([
    ['a lower version', 'tail_removed', leafAt(['a', 'b']), leafAt(['a']), undefined],
    ['another head of the same version', 'chain_rewritten', leafAt(['a', 'b']), leafAt(['a', 'c']), undefined],
    ['another entry at the version before', 'chain_rewritten', leafAt(['a', 'b']), leafAt(['a', 'c', 'd']), 'c'],
    ['no entry at the version before', 'chain_rewritten', leafAt(['a', 'b']), leafAt(['a', 'b', 'd']), undefined],
    ['no history', 'history_removed', leafAt(['a', 'b']), undefined, undefined],
    ['an unreadable row', 'history_unreadable', leafAt(['a', 'b']), leafAt([], 0), undefined],
    [
      'a history that is older than the tree before, which lacks it',
      'history_added',
      undefined,
      leafAt(['a']),
      undefined,
    ],
    ['the same leaf', undefined, leafAt(['a', 'b']), leafAt(['a', 'b']), undefined],
    ['more entries after the same head', undefined, leafAt(['a', 'b']), leafAt(['a', 'b', 'c']), 'b'],
    ['a history that was unreadable', undefined, leafAt([], 0), leafAt(['a']), undefined],
  ] as const)('compares %s: %s', (_, code, before, now, hash) => {
    const compared = compareLeaf({ before, now }, earlier, { hash });
    expect(compared?.difference?.code).toBe(code);
    expect(compared?.leaf).toEqual(code === undefined ? now : (before ?? now));
    expect(compared?.isKnown).toBe(before !== undefined);
  });

  it('returns no difference for a history that is younger than the tree before, or beside a missing page', () => {
    const now = leafAt(['a']);
    expect(compareLeaf({ now }, { before: 'ret_01M7' })).toEqual({ leaf: now, isKnown: false });
    expect(compareLeaf({ now }, undefined)).toEqual({ leaf: now, isKnown: false });
  });

  it('names a history that the lists do not show', () => {
    const leaf = leafAt(['a']);
    const hidden = compareLeaf({ before: leaf, now: leaf }, earlier, { isHidden: true });
    expect(hidden?.difference).toEqual({ returnId: id, code: 'history_hidden', version: 1 });
  });
});

describe('pairLeaves', () => {
  it('pairs the leaves of both trees, the newest first', () => {
    const [one, two, three] = ['ret_3', 'ret_2', 'ret_1'].map((returnId) => ({ ...leafAt(['a']), returnId }));
    if (one === undefined || two === undefined || three === undefined) throw new Error('too few');
    expect(pairLeaves([two, three], [one, two])).toEqual([
      { before: undefined, now: one },
      { before: two, now: two },
      { before: three, now: undefined },
    ]);
  });
});
