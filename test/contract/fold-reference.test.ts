import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldReference } from '../../lib/contract/fold-reference.ts';
import { orderNumberKey, trackingKey } from '../../lib/store/engine/keys.ts';
import { runs } from '../support/samples.ts';

/** Numbers as people and scanners send them, and any other text. */
const number = fc.oneof(
  fc.string({ unit: fc.constantFrom(...Array.from('aZ09-#/ßſıİςΣΐﬃ \t\u00a0\u200b\u2066')), maxLength: 100 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 100 }),
);
const space = fc.constantFrom(' ', '\t', '\n', '\u00a0', '\u2009', '\u200b', '\ufeff', '\u2066', '\u00ad');

describe('foldReference', () => {
  it.each([
    ['case', 'rr80019379pt', 'RR80019379PT'],
    ['spaces', ' RR 8001 9379 PT\n', 'RR80019379PT'],
    ['characters that no screen shows', '\u2066RR8001\u200b9379PT\u2069', 'RR80019379PT'],
    ['the forms of sigma', 'ΑΣ', 'ας'],
  ])('ignores %s', (_, one, other) => {
    expect(foldReference(one)).toBe(foldReference(other));
  });

  it.each([
    ['1001', '101'],
    ['PT-1001', 'PT1001'],
    ['PT-1001', 'PT/1001'],
    ['1001', '#1001'],
  ])('distinguishes %s and %s', (one, other) => {
    expect(foldReference(one)).not.toBe(foldReference(other));
  });

  it('changes nothing that it has folded, and depends on neither case nor white space', () => {
    fc.assert(
      fc.property(number, space, fc.nat(), (text, gap, place) => {
        const folded = foldReference(text);
        expect(foldReference(folded)).toBe(folded);
        expect(foldReference(text.toLowerCase())).toBe(folded);
        expect(foldReference(text.toUpperCase())).toBe(folded);
        const characters = Array.from(text);
        const at = place % (characters.length + 1);
        expect(foldReference([...characters.slice(0, at), gap, ...characters.slice(at)].join(''))).toBe(folded);
      }),
      { numRuns: runs(4000) },
    );
  });

  it('leaves keys of at most 2,048 bytes', () => {
    fc.assert(
      fc.property(number, (text) => {
        const own = text.toWellFormed();
        const keys = [trackingKey(own, 'ret_1'), orderNumberKey(own, { platform: 'web', orderId: '1' })];
        for (const { pk } of keys) expect(Buffer.byteLength(pk)).toBeLessThanOrEqual(2048);
      }),
      { numRuns: runs(4000) },
    );
  });
});
