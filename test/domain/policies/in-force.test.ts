import { describe, expect, it } from 'vitest';
import type { Catalogue, PublishedVersion } from '../../../lib/domain/policies/lifecycle/catalogue.ts';
import { versionsInForce } from '../../../lib/domain/policies/lifecycle/in-force.ts';

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

/** Returns the versions in force, as `policy@version`. */
const decides = (known: Catalogue, order: Parameters<typeof versionsInForce>[1], now = day(30)) =>
  versionsInForce(known, order, now).map(({ policyId, version }) => `${policyId}@${version}`);

describe('versionsInForce', () => {
  const two = catalogue({ all: [from(1, 5, 10), from(2, 10)] });

  it.each([
    ['the version of the time', 'an order', 7, ['all@1']],
    ['the new version', 'an order at the exact time of its start', 10, ['all@2']],
    ['the earliest version', 'an order before all versions', 1, ['all@1']],
  ])('returns %s for %s', (_version, _order, placed, expected) => {
    expect(decides(two, { placedAt: day(placed) })).toEqual(expected);
  });

  it('compares times written with different precision', () => {
    expect(decides(two, { placedAt: '2026-01-09T23:59:59.9999Z' })).toEqual(['all@1']);
    expect(decides(two, { placedAt: '2026-01-10T00:00:00Z' })).toEqual(['all@2']);
  });

  it('returns the current version when the time of the order is unknown', () => {
    expect(decides(two, {})).toEqual(['all@2']);
    expect(decides(two, {}, day(7))).toEqual(['all@1']);
  });

  it('returns none before any version is in force', () => {
    expect(decides(two, { placedAt: day(1) }, day(3))).toEqual([]);
    expect(decides(catalogue({}), { placedAt: day(1) })).toEqual([]);
  });

  it('returns the first later version when none was in force then, and none when none followed', () => {
    const gap = catalogue({ all: [from(1, 5, 10), from(2, 15, 20)] });
    expect(decides(gap, { placedAt: day(12) })).toEqual(['all@2']);
    expect(decides(gap, { placedAt: day(25) })).toEqual([]);
  });

  it('prefers the narrowest policy', () => {
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

  it('also returns the current version when it may decide for older orders', () => {
    const known = catalogue({ all: [from(1, 5, 10), from(2, 10, 20), from(3, 20, undefined, { favorable: true })] });
    expect(decides(known, { placedAt: day(7) })).toEqual(['all@1', 'all@3']);
    expect(decides(known, { placedAt: day(25) })).toEqual(['all@3']);
    expect(decides(known, { placedAt: day(7) }, day(15))).toEqual(['all@1']);
  });

  it('returns only the favorable current version when no other was in force', () => {
    const known = catalogue({ all: [from(1, 5, 10), from(2, 20, undefined, { favorable: true })] });
    expect(decides(known, { placedAt: day(12) })).toEqual(['all@2']);
  });

  it('never returns a version that was replaced before it started', () => {
    const known = catalogue({ all: [from(1, 5, 10), from(2, 20, 20), from(3, 10)] });
    expect(decides(known, { placedAt: day(1) }, day(30))).toEqual(['all@1']);
    expect(decides(known, { placedAt: day(21) })).toEqual(['all@3']);
  });

  it('does not depend on the sequence of the policies', () => {
    const known = catalogue({ b: [from(1, 5)], a: [from(1, 5)] });
    expect(decides(known, { placedAt: day(7) })).toEqual(['a@1']);
    expect(decides({ ...known, policies: known.policies.toReversed() }, { placedAt: day(7) })).toEqual(['a@1']);
  });
});
