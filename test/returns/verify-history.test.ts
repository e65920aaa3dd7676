import fc from 'fast-check';
import { expect, it } from 'vitest';
import { defaultTerms } from '../../lib/policies/terms/default-terms.ts';
import { createReturn } from '../../lib/returns/commands/create-return.ts';
import type { Entry } from '../../lib/returns/history/entry.ts';
import { append } from '../../lib/returns/history/history.ts';
import { emptyLedger } from '../../lib/returns/money/ledger.ts';
import { nothingVerified, verifyEntries, verifySnapshot } from '../../lib/returns/history/verify-history.ts';
import { order } from '../support/orders.ts';
import { runs } from '../support/samples.ts';

const circumstances = {
  at: '2026-11-21T08:00:00.000Z',
  actor: { clientId: 'shop', onBehalfOf: 'agent-7' },
  causationId: 'request',
  correlationId: 'trace',
  policyVersion: null,
};
const length = 6;

/** A return whose history has `length` entries. */
const lived = () => {
  const line = { orderLineId: '1', quantity: 2, reason: { code: 'fit.too_small' } };
  const ids = { id: 'ret_1', rmaNumber: '0', lineIds: ['rln_1'], subject: 'x' };
  const decision = createReturn(
    { order: order(), ledger: emptyLedger, now: circumstances.at },
    { lines: [line] },
    defaultTerms,
    ids,
  );
  if (!decision.ok) throw new Error(decision.failure.code);
  const [first] = decision.value.events;
  const tagged = Array.from({ length: length - 1 }, (_, index) => ({
    type: 'return.updated' as const,
    data: { tags: [`tag-${index}`] },
  }));
  return append(undefined, [first, ...tagged], circumstances);
};

type Place = readonly string[];

/** Every place in a JSON value that holds no object. */
const leaves = (value: unknown, place: Place = []): Place[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => leaves(inner, [...place, name]))
    : [place];

/** A copy that has something else in one place. */
const bent = (value: unknown, [name, ...rest]: Place): unknown => {
  if (name === undefined) return typeof value === 'string' ? `${value}!` : 'else';
  const copy = structuredClone(value) as Record<string, unknown>;
  copy[name] = bent(copy[name], rest);
  return copy;
};

const kept = (entries: readonly Entry[]) => entries.map((entry, index) => ({ sequence: index + 1, entry }));

it('names the entry in which anything at all was changed', () => {
  const { entries } = lived();
  const place = fc
    .nat(length - 1)
    .chain((index) => fc.constantFrom(...leaves(entries[index])).map((leaf) => ({ index, leaf })));
  fc.assert(
    fc.property(place, ({ index, leaf }) => {
      const changed = entries.with(index, bent(entries[index], leaf) as Entry);
      expect(verifyEntries(nothingVerified, kept(changed)).fault?.sequence).toBe(index + 1);
    }),
    { numRuns: runs(300), seed: 20261121 },
  );
});

it('finds whatever of the stored return was changed', () => {
  const { state, entries } = lived();
  const verified = verifyEntries(nothingVerified, kept(entries));
  expect(verifySnapshot(verified, { state })).toEqual(verified);
  const missed = leaves(state).filter((leaf) => {
    const changed = bent(state, leaf) as typeof state;
    return verifySnapshot(verified, { state: changed }).fault?.code !== 'snapshot_differs';
  });
  expect(missed).toEqual([]);
});

it('comes to the same in whatever batches the entries come', () => {
  const { entries } = lived();
  const whole = verifyEntries(nothingVerified, kept(entries));
  expect(whole).toMatchObject({ entries: length, head: entries.at(-1)?.hash });
  fc.assert(
    fc.property(fc.nat(length), fc.nat(length), (a, b) => {
      const [one, two] = [Math.min(a, b), Math.max(a, b)];
      const all = kept(entries);
      const batches = [all.slice(0, one), all.slice(one, two), all.slice(two)];
      expect(batches.reduce(verifyEntries, nothingVerified)).toEqual(whole);
    }),
  );
});
