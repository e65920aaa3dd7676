import { describe, expect, it } from 'vitest';
import { toUtc } from '../../../lib/runtime/instant.ts';

describe('instant', () => {
  it.each([
    ['2026-11-20T08:00:00Z', '2026-11-20T08:00:00Z'],
    ['2026-11-20T08:00:00.5Z', '2026-11-20T08:00:00.5Z'],
    ['2026-11-20T09:00:00+01:00', '2026-11-20T08:00:00Z'],
    ['2026-11-20T09:00:00.123456789+01:00', '2026-11-20T08:00:00.123456789Z'],
    ['2026-11-19T20:30:00-11:30', '2026-11-20T08:00:00Z'],
    ['2026-11-20T08:00:00-00:00', '2026-11-20T08:00:00Z'],
    ['2024-03-01T00:30:00+01:00', '2024-02-29T23:30:00Z'],
    ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59Z'],
  ])('converts %s to %s', (text, utc) => {
    expect(toUtc(text)).toBe(utc);
  });

  it.each([
    ['February 30', '2026-02-30T00:00:00Z'],
    ['February 29 of a common year', '2025-02-29T00:00:00Z'],
    ['month 13', '2026-13-01T00:00:00Z'],
    ['hour 24', '2026-11-20T24:00:00Z'],
    ['a leap second', '2026-12-31T23:59:60Z'],
    ['minute 60', '2026-11-20T08:60:00Z'],
    ['an offset of a whole day', '2026-11-20T08:00:00+24:00'],
    ['an offset of 60 minutes', '2026-11-20T08:00:00+00:60'],
    ['an offset without a colon', '2026-11-20T08:00:00+0100'],
    ['a time before the year 0', '0000-01-01T00:00:00+01:00'],
    ['a time after the year 9999', '9999-12-31T23:59:59-01:00'],
    ['a date alone', '2026-11-20'],
    ['no offset', '2026-11-20T08:00:00'],
    ['ten digits of a second', '2026-11-20T08:00:00.1234567890Z'],
    ['an empty string', ''],
  ])('rejects %s', (_, text) => {
    expect(toUtc(text)).toBeUndefined();
  });
});
