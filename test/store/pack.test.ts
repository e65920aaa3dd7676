import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dictionary } from '../../lib/store/engine/dictionary.ts';
import { pack, packWithSummary, takeFitting, unpack } from '../../lib/store/engine/pack.ts';
import { runs, sample } from '../support/samples.ts';

const long = { text: 'a value that is not small any more. '.repeat(10) };

describe('pack', () => {
  it('round-trips a value, alone or with its summary', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), fc.json(), (text, other) => {
        const value: unknown = JSON.parse(text);
        expect(unpack(pack(value))).toEqual(value);
        const packed = packWithSummary({ ...long, value }, { ...long, other });
        expect(unpack(packed.value, packed.summary)).toEqual({ ...long, value });
        expect(unpack(packed.summary)).toEqual({ ...long, other });
      }),
      { numRuns: runs(100) },
    );
  });

  it('needs less space for content of the summary, and cannot be read without it', () => {
    const { value: packed } = packWithSummary({ ...long, more: 1 }, long);
    expect(packed.length).toBeLessThan(pack({ ...long, more: 1 }).length);
    expect(() => unpack(packed)).toThrow('unknown version');
  });

  it.each([
    ['deflated value', Buffer.concat([Buffer.of(3), deflateRawSync('{}')])],
    ['text', '~2{}'],
  ])('rejects a %s of a newer release', (_, packed) => {
    expect(() => unpack(packed)).toThrow('a newer release wrote this value');
  });

  it('never changes the dictionary, because stored values use it', () => {
    expect(createHash('sha256').update(dictionary).digest('hex')).toBe(
      'c001a84bdb772dc863bb4f22df96ec045f0c9b67d2953b8624f7cc2d0330b202',
    );
  });
});

describe('takeFitting', () => {
  const room = 4 * 1024 * 1024;

  /** Returns the bytes of an item in a response: JSON inside JSON. */
  const bytesOf = (item: unknown) => Buffer.byteLength(JSON.stringify(JSON.stringify(item)));

  const letters: readonly (readonly [string, string])[] = [
    ['letters', 'x'],
    ['quotes', '"'],
    ['control characters', '\u0001'],
    ['letters of two and three bytes', 'ä€'],
    ['emoji', '😀'],
    ['halves of emoji', '\ud83d'],
  ];
  it.each(sample(letters, 3, 2))('takes exactly the items that fit, for texts of %s', (_, text) => {
    const items = Array.from({ length: 12 }, (__, index) => ({ index, text: text.repeat(60_000 * (index + 1)) }));
    let end = 0;
    const ends = items.map((item) => (end += bytesOf(item)));
    const fitting = ends.filter((bytes) => bytes <= room).length;
    expect(takeFitting(items)).toEqual(items.slice(0, fitting));
    expect(takeFitting(items.slice(0, fitting))).toHaveLength(fitting);
  });

  it('takes at least one item, and all of an empty list', () => {
    expect(takeFitting(['x'.repeat(room), 'x'])).toHaveLength(1);
    expect(takeFitting([])).toEqual([]);
  });
});
