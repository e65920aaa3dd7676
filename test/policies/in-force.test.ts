import { describe, expect, it } from 'vitest';
import type { Catalogue, PublishedVersion } from '../../lib/policies/life/catalogue.ts';
import { versionsInForce } from '../../lib/policies/life/in-force.ts';

const day = (number: number) => new Date(Date.UTC(2026, 0, number)).toISOString();

const catalogue = (policies: Readonly<Record<string, readonly PublishedVersion[]>>): Catalogue => ({
  version: 1,
  policies: Object.entries(policies).map(([id, published]) => ({
    id,
    name: id,
    revision: 1,
    createdAt: day(1),
    updatedAt: day(1),
    latest: published.length,
    draft: false,
    published,
  })),
});

const from = (
  version: number,
  start: number,
  end?: number,
  more: Partial<PublishedVersion> = {},
): PublishedVersion => ({
  version,
  effectiveFrom: day(start),
  ...(end === undefined ? {} : { effectiveUntil: day(end) }),
  ...more,
});

/** What decides, as `policy@version`. */
const decides = (known: Catalogue, order: Parameters<typeof versionsInForce>[1], now = day(30)) =>
  versionsInForce(known, order, now).map(({ policyId, version }) => `${policyId}@${version}`);

describe('the version that decides for an order', () => {
  const two = catalogue({ all: [from(1, 5, 10), from(2, 10)] });

  it.each([
    ['was in force when it was placed', 7, ['all@1']],
    ['began in that very moment', 10, ['all@2']],
    ['is the earliest for an order that is older than all', 1, ['all@1']],
  ])('%s', (_, placed, expected) => {
    expect(decides(two, { placedAt: day(placed) })).toEqual(expected);
  });

  it('is found by a time that is written more or less finely', () => {
    expect(decides(two, { placedAt: '2026-01-09T23:59:59.9999Z' })).toEqual(['all@1']);
    expect(decides(two, { placedAt: '2026-01-10T00:00:00Z' })).toEqual(['all@2']);
  });

  it('is the present one where nobody knows when the order was placed', () => {
    expect(decides(two, {})).toEqual(['all@2']);
    expect(decides(two, {}, day(7))).toEqual(['all@1']);
  });

  it('is none before one is in force', () => {
    expect(decides(two, { placedAt: day(1) }, day(3))).toEqual([]);
    expect(decides(catalogue({}), { placedAt: day(1) })).toEqual([]);
  });

  it('is the first that came since where none was in force then, and none where none came', () => {
    const gap = catalogue({ all: [from(1, 5, 10), from(2, 15, 20)] });
    expect(decides(gap, { placedAt: day(12) })).toEqual(['all@2']);
    expect(decides(gap, { placedAt: day(25) })).toEqual([]);
  });

  it('is of the narrowest policy', () => {
    const known = catalogue({
      all: [from(1, 5)],
      german: [from(1, 5, undefined, { selectors: { countries: ['DE', 'AT'] } })],
      web: [from(1, 5, undefined, { selectors: { countries: ['DE'], channels: ['web'] } })],
    });
    const placedAt = day(7);
    expect(decides(known, { placedAt, country: 'DE', channel: 'web' })).toEqual(['web@1']);
    expect(decides(known, { placedAt, country: 'DE', channel: 'shop' })).toEqual(['german@1']);
    expect(decides(known, { placedAt, country: 'DE' })).toEqual(['german@1']);
    expect(decides(known, { placedAt, country: 'FR' })).toEqual(['all@1']);
    expect(decides(known, { placedAt })).toEqual(['all@1']);
  });

  it('has the present one behind it, where that is to decide for older orders', () => {
    const known = catalogue({ all: [from(1, 5, 10), from(2, 10, 20), from(3, 20, undefined, { favorable: true })] });
    expect(decides(known, { placedAt: day(7) })).toEqual(['all@1', 'all@3']);
    expect(decides(known, { placedAt: day(25) })).toEqual(['all@3']);
    expect(decides(known, { placedAt: day(7) }, day(15))).toEqual(['all@1']);
  });

  it('is the favorable present one alone where no other was in force', () => {
    const known = catalogue({ all: [from(1, 5, 10), from(2, 20, undefined, { favorable: true })] });
    expect(decides(known, { placedAt: day(12) })).toEqual(['all@2']);
  });

  it('is never one that another took the place of before it began', () => {
    const known = catalogue({ all: [from(1, 5, 10), from(2, 20, 20), from(3, 10)] });
    expect(decides(known, { placedAt: day(1) }, day(30))).toEqual(['all@1']);
    expect(decides(known, { placedAt: day(21) })).toEqual(['all@3']);
  });

  it('does not hang on the order in which policies stand', () => {
    const known = catalogue({ b: [from(1, 5)], a: [from(1, 5)] });
    expect(decides(known, { placedAt: day(7) })).toEqual(['a@1']);
    expect(decides({ ...known, policies: known.policies.toReversed() }, { placedAt: day(7) })).toEqual(['a@1']);
  });
});
