import { describe, expect, it } from 'vitest';
import { sha256, sha256Bytes, partitionIndexOf } from '../../lib/runtime/hash.ts';

/** The example of FIPS 180-2. */
const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

describe('hash', () => {
  it('returns the digest that the standard names, of a text and of its bytes', () => {
    expect(sha256('abc', 'hex')).toBe(digest);
    expect(sha256Bytes(Buffer.from('abc')).toString('hex')).toBe(digest);
  });

  it('returns the partitions that stored keys contain', () => {
    expect(['a', 'b', 'c'].map((key) => partitionIndexOf(key, 8))).toEqual([2, 6, 6]);
    expect(partitionIndexOf('a', 64)).toBe(10);
  });
});
