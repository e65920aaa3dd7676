import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Catalogue, PublishedVersion } from '../../../../lib/domain/policies/lifecycle/catalogue.ts';
import { overlaps, versionName, versionsInForce } from '../../../../lib/domain/policies/lifecycle/in-force.ts';
import type { Selectors } from '../../../../lib/domain/policies/policy.ts';
import { commonStatements } from '../../../../lib/domain/policies/published/common-statements.ts';
import type { PublishedPolicy, Statement } from '../../../../lib/domain/policies/published/statement.ts';
import { versionsInScope } from '../../../../lib/domain/policies/published/versions-in-scope.ts';
import { runs } from '../../../support/samples.ts';

const day = (number: number) => new Date(Date.UTC(2026, 0, number)).toISOString();

const catalogueOf = (versions: readonly PublishedVersion[]): Catalogue => ({
  version: 1,
  policies: versions.map((version, index) => ({
    id: `p${index}`,
    name: `p${index}`,
    revision: 1,
    createdAt: day(1),
    updatedAt: day(1),
    latest: 1,
    draft: false,
    published: [version],
  })),
});

const version = (selectors: Selectors = {}, from = 1, until?: number): PublishedVersion => ({
  version: 1,
  selectors,
  effectiveFrom: day(from),
  ...(until === undefined ? {} : { effectiveUntil: day(until) }),
});

const scope = { country: 'PT', from: day(10), to: day(11) };
const names = (versions: readonly PublishedVersion[], more: object = {}) =>
  versionsInScope(catalogueOf(versions), { ...scope, ...more }, day(20)).map(versionName);

const some = <Item>(...items: readonly Item[]) =>
  fc.option(fc.subarray([...items], { minLength: 1 }), { nil: undefined });
const known = (item: object) => Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));

const versionArbitrary = fc
  .record({
    selectors: fc.record({ countries: some('PT', 'DE'), channels: some('web', 'app'), segments: some('vip') }),
    from: fc.integer({ min: 1, max: 12 }),
    until: fc.option(fc.integer({ min: 9, max: 14 }), { nil: undefined }),
    favorable: fc.boolean(),
  })
  .map(({ selectors, from, until, favorable }) => ({ ...version(known(selectors), from, until), favorable }));

const withoutOverlap = (versions: readonly PublishedVersion[]): readonly PublishedVersion[] =>
  versions.filter((one, index) => !versions.slice(0, index).some((before) => overlaps(before, one)));

describe('versionsInScope', () => {
  it('returns every version that may decide an order of the scope', () => {
    const order = fc.record({
      channel: fc.constantFrom('web', 'app', undefined),
      segment: fc.constantFrom('vip', undefined),
      placed: fc.constantFrom(day(10), '2026-01-10T12:00:00.000Z', day(11)),
    });
    let found = 0;
    fc.assert(
      fc.property(
        fc.array(versionArbitrary, { minLength: 1, maxLength: 6 }),
        order,
        fc.constantFrom('web', undefined),
        (drawn, { channel, segment, placed }, channelOfScope) => {
          const catalogue = catalogueOf(withoutOverlap(drawn));
          const of = channelOfScope === undefined ? scope : { ...scope, channel: channelOfScope };
          const candidates = versionsInScope(catalogue, of, day(20)).map(versionName);
          const facts = { country: 'PT', ...known({ channel: channelOfScope ?? channel, segment }), placedAt: placed };
          const deciding = versionsInForce(catalogue, facts, day(20)).map(versionName);
          const missing = candidates.length === 0 ? [] : deciding.filter((name) => !candidates.includes(name));
          found += deciding.length;
          expect(missing).toEqual([]);
        },
      ),
      { numRuns: runs(5_000), seed: 20261130 },
    );
    expect(found).toBeGreaterThan(runs(1_000));
  });

  it('returns no version that a certain one always precedes', () => {
    expect(names([version(), version({ countries: ['PT'] })])).toEqual(['p1/1']);
    expect(names([version(), version({ segments: ['vip'] })])).toEqual(['p0/1', 'p1/1']);
  });

  it('returns versions of every channel without a channel', () => {
    const versions = [version(), version({ channels: ['app'] })];
    expect(names(versions)).toEqual(['p0/1', 'p1/1']);
    expect(names(versions, { channel: 'web' })).toEqual(['p0/1']);
  });

  it('returns nothing when an order may have no policy', () => {
    expect(names([version({ segments: ['vip'] })])).toEqual([]);
    expect(names([version({}, 1, 10), version({}, 12)])).toEqual([]);
    expect(names([version({}, 1, 10), version({}, 10)])).toEqual(['p1/1']);
  });
});

const textOf = (...statements: readonly Statement[]): PublishedPolicy => ({ statements, omitted: [] });
const window = (days: number): Statement => ({ kind: 'window', window: { anchor: 'delivered', days } });

describe('commonStatements', () => {
  const differs = { kind: 'window', why: 'differs' };

  it('keeps the statement of the general policy that every other one exceeds', () => {
    expect(commonStatements([textOf(window(14)), textOf(window(30))])).toEqual(textOf(window(14)));
    expect(commonStatements([textOf(window(30)), textOf(window(14))])).toEqual({ statements: [], omitted: [differs] });
  });

  it('tells that single returns may be examined when another policy excludes more', () => {
    const { statements } = commonStatements([textOf(window(14)), textOf(window(14), { kind: 'exclusion' })]);
    expect(statements).toEqual([window(14), { kind: 'examination', of: 'single' }]);
  });

  it('says nothing without a policy', () => {
    const { statements, omitted } = commonStatements([]);
    expect(statements).toEqual([]);
    expect(new Set(omitted.map(({ why }) => why))).toEqual(new Set(['no_policy']));
  });
});
