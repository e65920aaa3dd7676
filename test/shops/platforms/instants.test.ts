import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { instant, latest, utcInstant } from '../../../lib/shops/platforms/shared/fields/fields.ts';

describe('instants of platforms', () => {
  test.each([
    ['2026-11-03T09:15:00+01:00', '2026-11-03T08:15:00.000Z'],
    ['2026-11-03T08:15:00Z', '2026-11-03T08:15:00.000Z'],
    ['Tue, 03 Nov 2026 08:15:00 +0000', '2026-11-03T08:15:00.000Z'],
    ['+012026-11-03T08:15:00Z', undefined],
    ['-000001-11-03T08:15:00Z', undefined],
    ['soon', undefined],
    ['', undefined],
    [1_700_000_000, undefined],
    [null, undefined],
    [undefined, undefined],
  ])('instant reads %j as %j', (written, expected) => expect(instant(written)).toBe(expected));

  test.each([
    ['2026-11-03 09:15:00', '2026-11-03T09:15:00.000Z'],
    ['2026-11-03T09:15:00', '2026-11-03T09:15:00.000Z'],
    ['2026-11-03T09:15:00+01:00', '2026-11-03T08:15:00.000Z'],
    ['2026-11-03T09:15:00+0100', '2026-11-03T08:15:00.000Z'],
    ['2019-01-25T13:17:49.1234567+00:00', '2019-01-25T13:17:49.123Z'],
    ['2019-01-25 13:17:49.12-03:00', '2019-01-25T16:17:49.120Z'],
    ['2022-12-15T20:32:06.6120711', '2022-12-15T20:32:06.612Z'],
    ['2022-12-15', '2022-12-15T00:00:00.000Z'],
    ['0001-01-01T00:00:00', undefined],
    ['0000-00-00 00:00:00', undefined],
    ['2022-13-45T00:00:00Z', undefined],
    ['2026-13-03 09:15:00', undefined],
    ['yesterday', undefined],
    [1_671_136_326, undefined],
    [null, undefined],
  ])('utcInstant reads %j as %j, in UTC without a zone', (written, expected) =>
    expect(utcInstant(written)).toBe(expected),
  );

  test('instant and utcInstant return the contract’s format or nothing for any text', () => {
    const texts = fc.oneof(fc.string(), fc.date({ noInvalidDate: true }).map(String), fc.integer().map(String));
    fc.assert(
      fc.property(texts, (text) => {
        for (const at of [instant(text), utcInstant(text)])
          expect(at ?? '2026-11-03T09:15:00.000Z').toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      }),
    );
  });

  test('latest returns the last in time, and nothing without instants', () => {
    expect(
      latest(['2026-11-03T09:15:00.000Z', undefined, '2026-11-04T00:00:00.000Z', '2025-12-31T00:00:00.000Z']),
    ).toBe('2026-11-04T00:00:00.000Z');
    expect(latest([undefined])).toBeUndefined();
  });
});
