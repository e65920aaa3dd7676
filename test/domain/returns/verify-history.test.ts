import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseKeyRing } from '../../../lib/service/execution/key-ring.ts';
import { defaultTerms } from '../../../lib/domain/policies/terms/policy-terms.ts';
import { createReturn } from '../../../lib/domain/returns/commands/request/create-return.ts';
import type { Entry, KeyedEntry } from '../../../lib/domain/returns/history/entry.ts';
import { appendEntries, entryHash } from '../../../lib/domain/returns/history/history.ts';
import { addMacs } from '../../../lib/domain/returns/history/mac.ts';
import {
  initialVerification,
  type Verification,
  verifyEntries,
  verifySnapshot,
} from '../../../lib/domain/returns/history/verify-history.ts';
import { emptyLedger } from '../../../lib/domain/returns/money/order-ledger.ts';
import { ringOf, ringText, unitRing } from '../../support/history-keys.ts';
import { order } from '../../support/orders.ts';
import { runs } from '../../support/samples.ts';

const circumstances = {
  at: '2026-11-21T08:00:00.000Z',
  actor: { clientId: 'shop', onBehalfOf: 'agent-7' },
  causationId: 'request',
  correlationId: 'trace',
  policyVersion: null,
};
const length = 6;
/** The id of a return that was created on 21 November 2026. */
const returnId = 'ret_01KAJ3X5D2E7Y3K5M8PRA0FJCV';
const against = { returnId, keys: unitRing };

/** Returns a return with a history whose entries have MACs. */
const lived = (key = unitRing.current) => {
  const line = { orderLineId: '1', quantity: 2, reason: { code: 'fit.too_small' } };
  const ids = { id: returnId, rmaNumber: '0', lineIds: ['rln_1'], subject: 'x' };
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
  const { state, entries } = appendEntries(undefined, [first, ...tagged], circumstances);
  return { state, entries: addMacs(entries, key) };
};

type ValuePath = readonly string[];

/** Returns the path of every value in a JSON value that is not an object. */
const leaves = (value: unknown, path: ValuePath = []): ValuePath[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => leaves(inner, [...path, name]))
    : [path];

/** Returns a copy with another value at one path. */
const bent = (value: unknown, [name, ...rest]: ValuePath): unknown => {
  if (name === undefined) return typeof value === 'string' ? `${value}!` : 'else';
  const copy = structuredClone(value) as Record<string, unknown>;
  copy[name] = bent(copy[name], rest);
  return copy;
};

const toStored = (entries: readonly Entry[]) => entries.map((entry, index) => ({ sequence: index + 1, entry }));

describe('verifyHistory', () => {
  it('names the entry that was changed, for any change', () => {
    const { entries } = lived();
    const change = fc
      .nat(length - 1)
      .chain((index) => fc.constantFrom(...leaves(entries[index])).map((leaf) => ({ index, leaf })));
    fc.assert(
      fc.property(change, ({ index, leaf }) => {
        const changed = entries.with(index, bent(entries[index], leaf) as KeyedEntry);
        expect(verifyEntries(initialVerification, toStored(changed), against).failure?.sequence).toBe(index + 1);
      }),
      { numRuns: runs(300), seed: 20261121 },
    );
  });

  it('detects any change of the stored return', () => {
    const { state, entries } = lived();
    const verified = verifyEntries(initialVerification, toStored(entries), against);
    expect(verifySnapshot(verified, { state })).toEqual(verified);
    const missed = leaves(state).filter((leaf) => {
      const changed = bent(state, leaf) as typeof state;
      return verifySnapshot(verified, { state: changed }).failure?.code !== 'snapshot_differs';
    });
    expect(missed).toEqual([]);
  });

  it('returns the same result for any batches of entries', () => {
    const { entries } = lived();
    const whole = verifyEntries(initialVerification, toStored(entries), against);
    expect(whole).toMatchObject({ entries: length, head: entries.at(-1)?.hash });
    fc.assert(
      fc.property(fc.nat(length), fc.nat(length), (a, b) => {
        const [one, two] = [Math.min(a, b), Math.max(a, b)];
        const all = toStored(entries);
        const batches = [all.slice(0, one), all.slice(one, two), all.slice(two)];
        expect(
          batches.reduce<Verification>(
            (verified, batch) => verifyEntries(verified, batch, against),
            initialVerification,
          ),
        ).toEqual(whole);
      }),
    );
  });

  /** Removes the MACs of some entries. */
  const stripped = (entries: readonly Entry[], which: (sequence: number) => boolean): readonly Entry[] =>
    entries.map(({ mac, ...entry }) => (which(entry.sequence) || mac === undefined ? entry : { ...entry, mac }));

  /** Returns a chain that an attacker without a key rebuilt from one entry on. */
  const rewritten = (entries: readonly Entry[], from: number): readonly Entry[] => {
    const chain: Entry[] = [];
    for (const entry of entries) {
      const previousHash = chain.at(-1)?.hash ?? entry.previousHash;
      const changed = entry.sequence < from ? entry : { ...entry, actor: { clientId: 'another' }, previousHash };
      chain.push({ ...changed, hash: entryHash(changed) });
    }
    return chain;
  };

  const failureOf = (entries: readonly Entry[], keys = unitRing, id = returnId) =>
    verifyEntries(initialVerification, toStored(entries), { returnId: id, keys }).failure;

  it('names the first entry of a chain that was rebuilt without the key', () => {
    const { entries } = lived();
    for (const { sequence } of entries) {
      const forged = rewritten(entries, sequence);
      expect(failureOf(forged)).toMatchObject({ sequence, code: 'chain_rewritten' });
      const bare = stripped(forged, (at) => at >= sequence);
      expect(failureOf(bare)).toMatchObject({ sequence, code: 'chain_rewritten' });
      expect(verifyEntries(initialVerification, toStored(bare), { returnId, keys: undefined }).failure).toBeUndefined();
    }
  });

  it('reports an entry without a MAC', () => {
    const { entries } = lived();
    for (const { sequence } of entries)
      expect(failureOf(stripped(entries, (at) => at === sequence))).toMatchObject({
        sequence,
        code: 'chain_rewritten',
      });
  });

  it('verifies with earlier keys of the ring, and with no other key', () => {
    const ring = ringOf(ringText(['first', 'second']));
    expect(ring.current.id).toBe('second');
    const { entries } = lived(unitRing.current);
    const further = addMacs(entries, ring.current);
    const mixed = [...entries.slice(0, 3), ...further.slice(3)];
    expect(failureOf(mixed, ring)).toBeUndefined();
    expect(failureOf(mixed, unitRing)).toMatchObject({ sequence: 4, code: 'chain_rewritten' });
    const other = ringOf(ringText(['first']).replace('the-secret', 'a-secret'));
    expect(failureOf(entries, other)).toMatchObject({ sequence: 1, code: 'chain_rewritten' });
  });

  it('does not accept the history of another return', () => {
    const { entries } = lived();
    const other = 'ret_01KAJ3X5D2E7Y3K5M8PRA0FJCW';
    expect(failureOf(entries, unitRing, other)).toMatchObject({ sequence: 1, code: 'chain_rewritten' });
  });

  it('throws for a malformed key ring', () => {
    const key = 'x'.repeat(32);
    const rings = [
      '',
      'null',
      '[]',
      '"text"',
      '{}',
      JSON.stringify({ current: 'a' }),
      JSON.stringify({ current: 'a', a: 'too short' }),
      JSON.stringify({ current: 'b', a: key }),
      JSON.stringify({ current: 'a', a: key, b: 7 }),
      JSON.stringify({ current: 'a', a: key, 'B!': key }),
      JSON.stringify({ current: 'a', a: key, since: 'yesterday' }),
      JSON.stringify({ current: 'a', a: key, since: '2026-11-22' }),
    ];
    expect(rings.filter((text) => parseKeyRing(text) !== undefined)).toEqual([]);
    expect(parseKeyRing(JSON.stringify({ current: 'a', a: key }))).toMatchObject({ current: { id: 'a', secret: key } });
  });
});
