import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  archivePolicy,
  type CataloguedPolicy,
  everDecides,
  isInForce,
  publishDraft,
  type PublishedVersion,
  versionStatus,
} from '../../../lib/domain/policies/lifecycle/catalogue.ts';
import { overlaps, type SelectionFacts, selects } from '../../../lib/domain/policies/lifecycle/in-force.ts';
import type { Selectors } from '../../../lib/domain/policies/policy.ts';

const day = (number: number) => new Date(Date.UTC(2026, 0, number)).toISOString();
const by = { clientId: 'office' };

const empty: CataloguedPolicy = {
  id: 'pol_1',
  name: 'Standard',
  revision: 1,
  createdAt: day(1),
  updatedAt: day(1),
  latest: 1,
  draft: true,
  published: [],
};

/** Publishes the next version on a day, in force from a day until another day. */
const publish = (policy: CataloguedPolicy, on: number, from = on, until?: number): CataloguedPolicy => {
  const version = policy.published.length + 1;
  const period = { effectiveFrom: day(from), ...(until === undefined ? {} : { effectiveUntil: day(until) }) };
  return publishDraft({ ...policy, latest: version, draft: true }, { version, ...period }, day(on));
};
const archive = (policy: CataloguedPolicy, on: number, from = on) =>
  archivePolicy(policy, day(from), { at: day(on), by }) ?? policy;
const statuses = (policy: CataloguedPolicy, on: number) =>
  policy.published.map(({ version }) => versionStatus(policy, version, day(on)));
const deciding = (policy: CataloguedPolicy, on: number) =>
  policy.published.filter((version) => isInForce(version, day(on))).map(({ version }) => version);

describe('publish', () => {
  it('ends the previous version at the start of the new one', () => {
    const policy = publish(publish(empty, 2), 5, 8);
    expect(policy.published).toMatchObject([{ effectiveUntil: day(8) }, { effectiveFrom: day(8) }]);
    expect([deciding(policy, 7), deciding(policy, 8)]).toEqual([[1], [2]]);
    expect([statuses(policy, 7), statuses(policy, 8)]).toEqual([
      ['published', 'published'],
      ['superseded', 'published'],
    ]);
  });

  it('replaces versions that would start later', () => {
    const policy = publish(publish(publish(empty, 2), 3, 20), 5);
    expect([deciding(policy, 4), deciding(policy, 6), deciding(policy, 21)]).toEqual([[1], [3], [3]]);
    expect(statuses(policy, 6)).toEqual(['superseded', 'superseded', 'published']);
  });

  it('does not change a version that had already ended', () => {
    const policy = publish(publish(empty, 2, 2, 4), 6);
    expect(policy.published[0]).toMatchObject({ effectiveUntil: day(4) });
    expect(statuses(policy, 7)).toEqual(['archived', 'published']);
  });
});

describe('archive', () => {
  it('ends the version in force and removes future ones', () => {
    const policy = archive(publish(publish(empty, 2), 3, 20), 10);
    expect([deciding(policy, 9), deciding(policy, 10), deciding(policy, 30)]).toEqual([[1], [], []]);
    expect(statuses(policy, 10)).toEqual(['archived', 'archived']);
  });

  it('a response states its language, and Vary', () => {
    expect(archivePolicy(empty, day(9), { at: day(9), by })).toBeUndefined();
    const once = archive(publish(empty, 2), 5);
    expect(archivePolicy(once, day(9), { at: day(9), by })).toBeUndefined();
  });

  it('is undone by a new version that starts before it', () => {
    const policy = publish(archive(publish(empty, 2), 3, 20), 5);
    expect(deciding(policy, 30)).toEqual([2]);
    expect(statuses(policy, 30)).toEqual(['superseded', 'published']);
  });
});

const days = fc.integer({ min: 1, max: 40 });
const steps = fc.array(
  fc.record({
    archive: fc.boolean(),
    wait: fc.nat(5),
    from: fc.nat(9),
    length: fc.option(fc.integer({ min: 1, max: 9 })),
  }),
  { maxLength: 8 },
);

describe('any sequence of publish and archive', () => {
  const played = steps.map((all) => {
    let [policy, now] = [empty, 1];
    for (const { archive: archives, wait, from, length } of all) {
      now += wait;
      policy = archives
        ? archive(policy, now, now + from)
        : publish(policy, now, now + from, length === null ? undefined : now + from + length);
    }
    return policy;
  });

  it('leaves at most one version in force at a time', () => {
    fc.assert(
      fc.property(played, days, (policy, on) => {
        expect(deciding(policy, on).length).toBeLessThan(2);
      }),
    );
  });

  it('has only published versions in force', () => {
    fc.assert(
      fc.property(played, days, (policy, on) => {
        const found = deciding(policy, on).map((version) => versionStatus(policy, version, day(on)));
        expect(found.filter((status) => status !== 'published')).toEqual([]);
      }),
    );
  });

  it('never extends a period', () => {
    fc.assert(
      fc.property(played, days, (policy, on) => {
        const before = policy.published;
        const after = publish(policy, on).published;
        const grown = before.filter((version, index) =>
          days40.some((at) => decidesAt(after[index], at) && !decidesAt(version, at)),
        );
        expect(grown).toEqual([]);
      }),
    );
  });
});

const days40 = Array.from({ length: 40 }, (_, index) => day(index + 1));
const decidesAt = (version: PublishedVersion | undefined, at: string) =>
  version !== undefined && isInForce(version, at);

const words = ['a', 'b', 'c'];
const some = fc.option(fc.uniqueArray(fc.constantFrom(...words), { minLength: 1 }), { nil: undefined });
const selectors: fc.Arbitrary<Selectors> = fc
  .record({ countries: some, channels: some, sellers: some })
  .map((fields) => Object.fromEntries(Object.entries(fields).filter(([, list]) => list !== undefined)));
const claims = fc
  .record({ selectors, from: days, length: fc.option(fc.nat(20)) })
  .map(({ selectors: of, from, length }) => ({
    selectors: of,
    effectiveFrom: day(from),
    ...(length === null ? {} : { effectiveUntil: day(from + length) }),
  }));
const orders: readonly SelectionFacts[] = words.flatMap((country) =>
  words.flatMap((channel) => words.map((seller) => ({ country, channel, seller }))),
);

describe('two policies', () => {
  const width = (of: Selectors) => Object.keys(of).length;
  type Claim = typeof claims extends fc.Arbitrary<infer Of> ? Of : never;
  /** Compares every order of every day. */
  const meet = (a: Claim, b: Claim) =>
    width(a.selectors) === width(b.selectors) &&
    days40.some((at) => isInForce(a, at) && isInForce(b, at)) &&
    orders.some((order) => selects(a.selectors, order) && selects(b.selectors, order));

  it('overlap when both select an order of one day, and neither is narrower', () => {
    // All claims begin within these forty days, and so do all common times.
    fc.assert(
      fc.property(claims, claims, (a, b) => {
        expect(overlaps(a, b)).toBe(meet(a, b));
      }),
    );
  });

  it('overlap in either sequence of comparison', () => {
    fc.assert(
      fc.property(claims, claims, (a, b) => {
        expect(overlaps(a, b)).toBe(overlaps(b, a));
      }),
    );
  });

  it('do not overlap when one of them is never in force', () => {
    const never = { effectiveFrom: day(3), effectiveUntil: day(3) };
    expect(everDecides(never)).toBe(false);
    expect(overlaps(never, { effectiveFrom: day(1) })).toBe(false);
  });

  it('do not select an order without the facts that they need', () => {
    expect(selects({ countries: ['DE'] }, {})).toBe(false);
    expect(selects({}, {})).toBe(true);
  });
});
