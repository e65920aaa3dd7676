import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isCovered,
  isIncluded,
  leafHash,
  proofPath,
  rootOf,
  buildTree,
  type Inclusion,
} from '../../../lib/domain/returns/history/merkle.ts';
import { runs } from '../../support/samples.ts';

/** Returns the root as RFC 9162, 2.1.1 defines it: recursively by halves. */
const definedRoot = (texts: readonly string[]): Buffer => {
  const sha256 = (...parts: readonly Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
  const [first = ''] = texts;
  if (texts.length === 0) return sha256();
  if (texts.length === 1) return sha256(Buffer.from([0]), Buffer.from(first));
  let half = 1;
  while (half * 2 < texts.length) half *= 2;
  return sha256(Buffer.from([1]), definedRoot(texts.slice(0, half)), definedRoot(texts.slice(half)));
};

const leavesOf = (size: number) => Array.from({ length: size }, (_, index) => leafHash(`leaf ${index}`));
const proofOf = (leaves: readonly string[], index: number): Inclusion => ({
  index,
  size: leaves.length,
  path: proofPath(buildTree(leaves), index),
});

describe('Merkle tree', () => {
  it('has the root that the RFC defines, for every size', () => {
    for (let size = 0; size <= 70; size += 1) {
      const texts = Array.from({ length: size }, (_, index) => `leaf ${index}`);
      expect(rootOf(buildTree(texts.map(leafHash)))).toBe(definedRoot(texts).toString('hex'));
    }
  });

  it('has the roots of the test vectors of Certificate Transparency', () => {
    // The first leaves of google/certificate-transparency, cpp/merkletree/merkle_tree_test.cc.
    const inputs = ['', '00', '10', '2021', '3031'];
    const leaves = inputs.map((hex) =>
      createHash('sha256')
        .update(Buffer.concat([Buffer.from([0]), Buffer.from(hex, 'hex')]))
        .digest('hex'),
    );
    expect(leafHash('')).toBe(leaves[0]);
    const roots = [1, 2, 3, 4, 5].map((size) => rootOf(buildTree(leaves.slice(0, size))));
    expect(roots).toEqual([
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
      'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    ]);
  });

  it('proves every leaf of trees of every size', () => {
    for (let size = 1; size <= 40; size += 1) {
      const leaves = leavesOf(size);
      const root = rootOf(buildTree(leaves));
      const failed = leaves.filter((leaf, index) => !isIncluded(leaf, proofOf(leaves, index), root));
      expect(failed).toEqual([]);
    }
  });

  it('proves a leaf by its page and the tree over the pages', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.constantFrom(1, 2, 4, 16, 64), fc.nat(), (size, page, at) => {
        const leaves = leavesOf(size);
        const index = at % size;
        const pages = Array.from({ length: Math.ceil(size / page) }, (_, pageIndex) =>
          buildTree(leaves.slice(pageIndex * page, (pageIndex + 1) * page)),
        );
        const whole = buildTree(pages.map(rootOf));
        expect(rootOf(whole)).toBe(rootOf(buildTree(leaves)));
        const pageIndex = Math.floor(index / page);
        const path = [...proofPath(pages[pageIndex] ?? [], index % page), ...proofPath(whole, pageIndex)];
        expect({ index, size, path }).toEqual(proofOf(leaves, index));
      }),
      { numRuns: runs(300), seed: 20261124 },
    );
  });

  /** Changes one digit of a hash. */
  const bent = (hash: string, at: number): string => {
    const position = at % hash.length;
    const digit = hash[position] === 'f' ? '0' : 'f';
    return `${hash.slice(0, position)}${digit}${hash.slice(position + 1)}`;
  };

  it('fails the proof when any part of leaf, proof or root differs', () => {
    const cases = fc
      .integer({ min: 1, max: 200 })
      .chain((size) =>
        fc.record({ size: fc.constant(size), index: fc.nat(size - 1), at: fc.nat(), other: fc.nat(400) }),
      );
    fc.assert(
      fc.property(cases, ({ size, index, at, other }) => {
        const leaves = leavesOf(size);
        const root = rootOf(buildTree(leaves));
        const proof = proofOf(leaves, index);
        const leaf = leaves[index] ?? '';
        const changed: (readonly [string, Inclusion, string])[] = [
          [bent(leaf, at), proof, root],
          [leaf, proof, bent(root, at)],
          [leaf, { ...proof, path: [...proof.path, root] }, root],
          [leaf, { ...proof, path: [leaf, ...proof.path] }, root],
          ...proof.path.flatMap((hash, step): (readonly [string, Inclusion, string])[] => [
            [leaf, { ...proof, path: proof.path.with(step, bent(hash, at)) }, root],
            [leaf, { ...proof, path: proof.path.toSpliced(step, 1) }, root],
          ]),
          ...(other === index ? [] : [[leaf, { ...proof, index: other }, root] as const]),
          ...leaves.flatMap((one, leafIndex) => (leafIndex === index ? [] : [[one, proof, root] as const])),
        ];
        expect(changed.filter((one) => isIncluded(...one))).toEqual([]);
      }),
      { numRuns: runs(150), seed: 20261124 },
    );
  });

  it('fails the proof when a leaf is changed, removed, added or swapped', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 60 }), fc.nat(), fc.nat(), (size, a, b) => {
        const leaves = leavesOf(size);
        const root = rootOf(buildTree(leaves));
        const [one, two] = [a % size, b % size];
        const others = [
          leaves.with(one, leafHash('another')),
          leaves.toSpliced(one, 1),
          leaves.toSpliced(one, 0, leafHash('another')),
          ...(one === two ? [] : [leaves.with(one, leaves[two] ?? '').with(two, leaves[one] ?? '')]),
        ];
        expect(others.map((tree) => rootOf(buildTree(tree))).filter((found) => found === root)).toEqual([]);
        const shown = leaves.toSpliced(one, 1);
        const proven = shown.filter((leaf, index) => isIncluded(leaf, proofOf(shown, index), root));
        expect(proven).toEqual([]);
      }),
      { numRuns: runs(200), seed: 20261124 },
    );
  });

  it('fails for an inner node as a leaf, and for a malformed proof', () => {
    const leaves = leavesOf(4);
    const tree = buildTree(leaves);
    const node = tree[1]?.[0] ?? '';
    expect(isIncluded(node, { index: 0, size: 2, path: [tree[1]?.[1] ?? ''] }, rootOf(tree))).toBe(true);
    expect(leafHash(`${leaves[0]}${leaves[1]}`)).not.toBe(node);
    const proof = proofOf(leaves, 1);
    const invalid: readonly Inclusion[] = [
      { ...proof, index: -1 },
      { ...proof, index: 4 },
      { ...proof, index: 0.5 },
      { ...proof, index: Number.NaN },
      { ...proof, size: 0 },
      { ...proof, size: Number.POSITIVE_INFINITY },
      { ...proof, path: ['', ...proof.path] },
      { ...proof, path: proof.path.map((hash) => hash.toUpperCase()) },
    ];
    expect(invalid.filter((one) => isIncluded(leaves[1] ?? '', one, rootOf(tree)))).toEqual([]);
  });
});

describe('isCovered', () => {
  const before = 'ret_01KAJ3X5D20000';
  it.each([
    ['ret_01KAJ3X5D1ZZZZ', true],
    ['ret_01KAJ3X5D20000', false],
    ['wdr_01KAJ3X5D1ZZZZ', true],
    ['wdr_01KAJ3X5D20000', false],
  ])('of %s is %s', (id, expected) => {
    expect(isCovered(id, { before })).toBe(expected);
  });
});
