import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reasonCode, reasonOf } from '../../lib/platforms/saleor/returns.ts';
import { builtInReasonRows } from '../../lib/returns/rules/reasons.ts';

describe('reasonCode', () => {
  test('knows every reason of ours by the slug that a page of it has', () => {
    for (const [code] of builtInReasonRows) expect(reasonCode(code.replaceAll(/[._]/g, '-'))).toBe(code);
  });

  test.each([
    ['too-small', 'fit.too_small'],
    ['Changed-Mind', 'preference.changed_mind'],
    ['defective', 'condition.defective'],
    ['other', 'other'],
    ['smells-odd', 'other'],
  ])('takes %s for %s', (slug, code) => expect(reasonCode(slug)).toBe(code));

  test('has a code for any word', () => {
    fc.assert(
      fc.property(fc.string(), (word) => {
        expect(builtInReasonRows.map(([code]) => code)).toContain(reasonCode(word));
      }),
    );
  });
});

describe('reasonOf', () => {
  const page = { slug: 'smells-odd', title: 'Smells odd' };

  test('keeps the words of the line, and what was said of the whole for what was not said of it', () => {
    const whole = { reason: 'all of it', reasonReference: page };
    expect(reasonOf({ reason: 'this one', reasonReference: null }, whole)).toEqual({
      code: 'other',
      note: 'this one',
      source: { system: 'saleor', code: 'smells-odd', label: 'Smells odd' },
    });
    expect(reasonOf(undefined, whole)).toMatchObject({ note: 'all of it' });
  });

  test('is unknown where nobody said anything', () => {
    expect(reasonOf(undefined, undefined)).toEqual({ code: 'unknown' });
    expect(reasonOf({ reason: ' ', reasonReference: null }, undefined)).toEqual({ code: 'unknown' });
    expect(reasonOf({ reason: 'too loud', reasonReference: null }, undefined)).toEqual({
      code: 'other',
      note: 'too loud',
    });
  });
});
