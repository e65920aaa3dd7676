import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reasonCode, reasonOf } from '../../../lib/shops/platforms/saleor/returns.ts';
import { builtInReasonRows } from '../../../lib/domain/returns/rules/reasons.ts';

describe('Saleor reasonCode', () => {
  test('knows each reason code by the slug of its page', () => {
    for (const [code] of builtInReasonRows) expect(reasonCode(code.replaceAll(/[._]/g, '-'))).toBe(code);
  });

  test.each([
    ['too-small', 'fit.too_small'],
    ['Changed-Mind', 'preference.changed_mind'],
    ['defective', 'condition.defective'],
    ['other', 'other'],
    ['smells-odd', 'other'],
  ])('maps %s to %s', (slug, code) => expect(reasonCode(slug)).toBe(code));

  test('returns a code for any word', () => {
    fc.assert(
      fc.property(fc.string(), (word) => {
        expect(builtInReasonRows.map(([code]) => code)).toContain(reasonCode(word));
      }),
    );
  });
});

describe('Saleor reasonOf', () => {
  const page = { slug: 'smells-odd', title: 'Smells odd' };

  test('returns the note of the line, or else that of the whole return', () => {
    const whole = { reason: 'all of it', reasonReference: page };
    expect(reasonOf({ reason: 'this one', reasonReference: null }, whole)).toEqual({
      code: 'other',
      note: 'this one',
      source: { system: 'saleor', code: 'smells-odd', label: 'Smells odd' },
    });
    expect(reasonOf(undefined, whole)).toMatchObject({ note: 'all of it' });
  });

  test('returns unknown without any reason', () => {
    expect(reasonOf(undefined, undefined)).toEqual({ code: 'unknown' });
    expect(reasonOf({ reason: ' ', reasonReference: null }, undefined)).toEqual({ code: 'unknown' });
    expect(reasonOf({ reason: 'too loud', reasonReference: null }, undefined)).toEqual({
      code: 'other',
      note: 'too loud',
    });
  });
});
