import { describe, expect, it } from 'vitest';
import { entryHash, initialHash } from '../../../lib/domain/returns/history/history.ts';
import { addMacs, macFailure } from '../../../lib/domain/returns/history/mac.ts';
import { doubleDigests } from '../../../lib/domain/withdrawals/double.ts';
import { foldWithdrawal } from '../../../lib/domain/withdrawals/history/fold.ts';
import type { UnsignedWithdrawal } from '../../../lib/domain/withdrawals/model/withdrawal.ts';
import { ringOf, ringText, unitRing } from '../../support/history-keys.ts';
import { allEvents, appendAll } from './support.ts';

describe('the history of a withdrawal', () => {
  const { entries, state } = appendAll(undefined, allEvents);

  it('is a chain by the same rule as the history of a return', () => {
    expect(entries.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(entries.map(({ previousHash }) => previousHash)).toEqual([
      initialHash,
      ...entries.slice(0, -1).map(({ hash }) => hash),
    ]);
    expect(entries.map(entryHash)).toEqual(entries.map(({ hash }) => hash));
    expect([state.version, state.head]).toEqual([6, entries.at(-1)?.hash]);
  });

  it('has a hash of each entry that any change breaks, and MACs that need the key', () => {
    for (const entry of entries) {
      expect(entryHash({ ...entry, at: '2026-11-21T08:00:00.001Z' })).not.toBe(entry.hash);
      expect(entryHash({ ...entry, sequence: 9 })).not.toBe(entry.hash);
    }
    for (const { mac, hash } of addMacs(entries, unitRing.current)) {
      expect(macFailure(mac, hash, unitRing)).toBeUndefined();
      expect(macFailure(mac, entryHash({ hash }), unitRing)).toBeDefined();
    }
  });

  it('folds to the withdrawal', () => {
    let folded: UnsignedWithdrawal | undefined;
    for (const entry of entries) folded = foldWithdrawal(folded, entry);
    expect(folded).toEqual(state);
    const [, second] = entries;
    if (second === undefined) throw new Error('no entry');
    expect(() => foldWithdrawal(undefined, second)).toThrow('history begins with withdrawal.receipt_due');
  });
});

describe('digests of equal declarations', () => {
  const content = { name: 'Ada Lovelace', email: 'ada@example.com', contract: '#1001' };
  const digestOf = (changes: object = {}) => doubleDigests({ ...content, ...changes }, unitRing).stored;

  it('ignore differences of case, width and white space', () => {
    for (const name of [' ada  LOVELACE', 'Ada\u00a0Lovelace\n', 'Ａｄａ Lovelace'])
      expect(digestOf({ name })).toBe(digestOf());
  });

  it('differ by each text, and by its place', () => {
    const others = [
      digestOf(),
      digestOf({ name: 'Ada' }),
      digestOf({ contract: '#1002' }),
      digestOf({ lines: 'one' }),
      digestOf({ name: content.email, email: content.name }),
    ];
    expect(new Set(others).size).toBe(others.length);
  });

  it('stay the same after a rotation, and are found under every key', () => {
    const ringBefore = ringOf(ringText(['first']));
    const ringAfter = ringOf(ringText(['first', 'second']));
    const [before, after] = [doubleDigests(content, ringBefore), doubleDigests(content, ringAfter)];
    expect(after.stored).toBe(before.stored);
    expect(after.all).toHaveLength(2);
    expect(after.all).toContain(before.stored);
  });
});
