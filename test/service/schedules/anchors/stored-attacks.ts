import { entryHash, initialHash } from '../../../../lib/domain/returns/history/history.ts';
import { addMacs, type HistoryKey } from '../../../../lib/domain/returns/history/mac.ts';
import { isWithdrawalId } from '../../../../lib/domain/returns/history/merkle.ts';
import type { ChainedEntry } from '../../../../lib/domain/returns/history/verify-history.ts';
import { rowKeyOf } from '../../../../lib/store/anchors/anchored-rows.ts';
import { domainEventKey } from '../../../../lib/store/engine/keys.ts';
import { pack } from '../../../../lib/store/engine/pack.ts';
import type { Random } from '../../../domain/withdrawals/attacks/random.ts';
import type { Row } from '../../../domain/withdrawals/attacks/world.ts';
import { rowAfter, type Target } from './stored-world.ts';

/* Attacks on the stored rows of a return or of a withdrawal. A row of only a key is deleted. */

/** An attack: its rows, and what must name it. */
export type Attack = {
  readonly rows: readonly Row[];
  /** The index of the first changed entry. The last root covers it if it is below `anchored`. */
  readonly from: number;
  /** Whether the version or the head of the row changes, so that the next root names an anchored history. */
  readonly isInRow?: boolean;
  /** Whether the chain alone is broken, so that the verification needs no root. */
  readonly isBroken?: boolean;
  /** Whether only the lists lack it: the history and its row are as they were. */
  readonly isHidden?: boolean;
};

type Attacker = {
  readonly random: Random;
  readonly target: Target;
  /** Another history, whose entries the attacker may copy. */
  readonly other: Target;
  /** The stolen key. */
  readonly key: HistoryKey;
};

const entryKeyOf = ({ id }: Target, index: number) => domainEventKey(rowKeyOf(id).pk, index + 1);
const rowOf = (target: Target, index: number, entry: object): Row => ({
  ...entryKeyOf(target, index),
  value: pack(entry),
});

/** Writes a history over the honest one. */
const written = (target: Target, entries: readonly object[]): readonly Row[] => [
  ...entries.map((entry, index) => rowOf(target, index, entry)),
  ...target.entries.slice(entries.length).map((_, index) => entryKeyOf(target, entries.length + index)),
];

/** Computes sequences, links and hashes of all entries again. Without a key the MACs stay. */
const chained = (entries: readonly ChainedEntry[], key?: HistoryKey): readonly ChainedEntry[] => {
  const chain: ChainedEntry[] = [];
  for (const [index, entry] of entries.entries()) {
    const linked = { ...entry, sequence: index + 1, previousHash: chain.at(-1)?.hash ?? initialHash };
    const hashed = { ...linked, hash: entryHash(linked) };
    chain.push(key === undefined ? hashed : (addMacs([hashed], key)[0] ?? hashed));
  }
  return chain;
};

/** A history with the row that fits it; undefined if no row fits. */
const withRow = (target: Target, entries: readonly ChainedEntry[], from: number): Attack | undefined => {
  const row = rowAfter(target.id, entries);
  return row && { rows: [...written(target, entries), row], from, isInRow: true };
};

const forged = (entry: ChainedEntry | undefined, random: Random): ChainedEntry =>
  ({ ...entry, causationId: random.text() }) as unknown as ChainedEntry;

/** Returns an entry that fits after most others, if the history has one. */
const copyOf = ({ entries }: Target, random: Random): ChainedEntry | undefined => {
  const fitting = entries.filter((entry) =>
    /note\.added|receipt_due|receipt_sent/.test((entry as { type?: string }).type ?? ''),
  );
  return fitting.length === 0 ? undefined : forged(random.pick(fitting), random);
};

const anyIndex = ({ entries }: Target, random: Random): number => random.below(entries.length);

const snapshotOf = ({ rows, id }: Target): Row =>
  rows.find(({ sk }) => sk === 'SNAPSHOT') ?? { ...rowKeyOf(id), value: '' };

/** The attacks by kind. An attack returns undefined for a history that it does not fit. */
export const attacks: Readonly<Record<string, (attacker: Attacker) => Attack | undefined>> = {
  'drop the end, with the older row': ({ random, target }) => {
    const left = 1 + random.below(target.entries.length - 1);
    return withRow(target, target.entries.slice(0, left), left);
  },
  'drop the end': ({ random, target }) => {
    const left = anyIndex(target, random);
    return { rows: written(target, target.entries.slice(0, left)), from: left, isBroken: true };
  },
  'rewrite the chain with the key': ({ random, target, key }) => {
    const index = anyIndex(target, random);
    return withRow(target, chained(target.entries.with(index, forged(target.entries[index], random)), key), index);
  },
  'rewrite the chain without the key': ({ random, target }) => {
    const index = anyIndex(target, random);
    const attack = withRow(target, chained(target.entries.with(index, forged(target.entries[index], random))), index);
    return attack && { ...attack, isBroken: true };
  },
  'roll back, and grow in another way with the key': ({ random, target, key }) => {
    const copy = copyOf(target, random);
    const left = 2 + random.below(target.entries.length - 2);
    const length = target.entries.length + random.below(3) - left;
    if (copy === undefined || left >= target.entries.length || length < 1) return undefined;
    const grown = Array.from({ length }, () => forged(copy, random));
    return withRow(target, chained([...target.entries.slice(0, left), ...grown], key), left);
  },
  'insert an entry with the key': ({ random, target, key }) => {
    const copy = copyOf(target, random);
    const at = 2 + random.below(target.entries.length - 2);
    if (copy === undefined || at >= target.entries.length) return undefined;
    return withRow(target, chained(target.entries.toSpliced(at, 0, copy), key), at);
  },
  'replace the history by another one with the key': ({ target, other, key }) => {
    if (isWithdrawalId(target.id) !== isWithdrawalId(other.id)) return undefined;
    const text = JSON.stringify(other.entries).replaceAll(other.id, target.id);
    return withRow(target, chained(JSON.parse(text) as readonly ChainedEntry[], key), 0);
  },
  'edit an entry': ({ random, target }) => {
    const index = anyIndex(target, random);
    return { rows: [rowOf(target, index, forged(target.entries[index], random))], from: index, isBroken: true };
  },
  'edit an entry and its hash, with the key': ({ random, target, key }) => {
    const index = anyIndex(target, random);
    const entry = forged(target.entries[index], random);
    const [hashed] = addMacs([{ ...entry, hash: entryHash(entry) }], key);
    return { rows: [rowOf(target, index, hashed ?? entry)], from: index, isBroken: true };
  },
  'swap two entries': ({ random, target }) => {
    const [one, two] = [anyIndex(target, random), anyIndex(target, random)];
    const rows = [rowOf(target, one, target.entries[two] ?? {}), rowOf(target, two, target.entries[one] ?? {})];
    return one === two ? undefined : { rows, from: Math.min(one, two), isBroken: true };
  },
  'delete an entry': ({ random, target }) => {
    const index = anyIndex(target, random);
    return { rows: [entryKeyOf(target, index)], from: index, isBroken: true };
  },
  'delete the row': ({ target }) => ({ rows: [rowKeyOf(target.id)], from: 0, isInRow: true, isBroken: true }),
  'delete all rows': ({ target }) => ({
    rows: [...written(target, []), rowKeyOf(target.id)],
    from: 0,
    isInRow: true,
  }),
  'make the row unreadable': ({ target }) => ({
    rows: [{ ...snapshotOf(target), value: '{' }],
    from: 0,
    isInRow: true,
    isBroken: true,
  }),
  'hide the row': ({ random, target }) => {
    const { listKey: _, ...hidden } = snapshotOf(target);
    const moved = { ...snapshotOf(target), listKey: 'ELSEWHERE' };
    return { rows: [random.below(2) === 0 ? hidden : moved], from: 0, isInRow: true, isHidden: true };
  },
};
