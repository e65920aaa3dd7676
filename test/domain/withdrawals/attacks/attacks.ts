import { entryHash, initialHash } from '../../../../lib/domain/returns/history/history.ts';
import { addMacs, type HistoryKey } from '../../../../lib/domain/returns/history/mac.ts';
import {
  domainEventKey,
  personPartition,
  publishedKey,
  textsKey,
  withdrawalKey,
} from '../../../../lib/store/engine/keys.ts';
import { pack, packWithSummary, unpack } from '../../../../lib/store/engine/pack.ts';
import { receiptRef, type SaltedText } from '../../../../lib/store/personal/personal.ts';
import { writeWithdrawal } from '../../../../lib/store/withdrawals/withdrawals.ts';
import type { KeyedWithdrawalEntry, WithdrawalEntry } from '../../../../lib/domain/withdrawals/history/entry.ts';
import { foldWithdrawal, isSigned } from '../../../../lib/domain/withdrawals/history/fold.ts';
import type { UnsignedWithdrawal, Withdrawal } from '../../../../lib/domain/withdrawals/model/withdrawal.ts';
import { deriveReceiptKey } from '../../../../lib/domain/withdrawals/receipt/receipt-keys.ts';
import {
  type ReceiptParts,
  type ReceiptPayload,
  signReceipt,
} from '../../../../lib/domain/withdrawals/receipt/receipt.ts';
import { subjectOfWithdrawal } from '../../../../lib/domain/withdrawals/model/withdrawal.ts';
import type { Random } from './random.ts';
import type { Row, Target } from './world.ts';

/* The attacks of a writer of the table. Each returns the rows that it writes; a row of only a key is deleted. */

/** The keys that an attacker may have stolen. */
export type Stolen = { readonly history: HistoryKey; readonly receipts: HistoryKey };

/** An attack: its rows, and whether it changes entries that the root covers. */
export type Attack = { readonly rows: readonly Row[]; readonly isAnchored: boolean };

export type Attacker = {
  readonly random: Random;
  readonly target: Target;
  /** Another withdrawal, whose rows the attacker may copy. */
  readonly other: Target;
  readonly stolen: Stolen;
};

const historyOf = ({ id }: Pick<Target, 'id'>, sequence: number) => domainEventKey(withdrawalKey(id).pk, sequence);
const entryRow = (target: Pick<Target, 'id'>, sequence: number, entry: object): Row => ({
  ...historyOf(target, sequence),
  value: pack(entry),
});

/** Writes a history, and deletes the honest rows above it. */
const historyRows = (target: Target, entries: readonly object[]): readonly Row[] => [
  ...entries.map((entry, index) => entryRow(target, index + 1, entry)),
  ...target.entries.slice(entries.length).map((_, index) => historyOf(target, entries.length + index + 1)),
];

/** Returns the row that the service would write for a state. */
const snapshotRows = (state: Withdrawal): readonly Row[] =>
  writeWithdrawal(state, [], undefined).flatMap(({ action }) => (action.Put?.Item as Row | undefined) ?? []);

const textRow = ({ id }: Pick<Target, 'id'>, sequence: number, texts: readonly SaltedText[]): Row => ({
  ...textsKey(subjectOfWithdrawal(id), id, sequence, 0),
  value: pack(texts),
});

/** Changes one value somewhere in an object. The result differs. */
const changed = <Value extends object>(value: Value, random: Random, keep: readonly string[] = []): Value => {
  const names = Object.keys(value).filter((name) => !keep.includes(name));
  const name = random.pick(names);
  const member = (value as Record<string, unknown>)[name];
  const other = changedMember(member, random);
  if (Array.isArray(value))
    return value.map((one, index) => (String(index) === name ? other : (one as unknown))) as Value;
  if (random.below(8) === 0) return { ...value, [`${name}2`]: member };
  return { ...value, [name]: other };
};

const changedMember = (member: unknown, random: Random): unknown => {
  if (typeof member === 'string') {
    const at = random.below(member.length + 1);
    const letter = member[at] === 'a' ? 'b' : 'a';
    return `${member.slice(0, at)}${letter}${member.slice(at + 1)}`;
  }
  if (typeof member === 'number') return member + 1 + random.below(5);
  if (typeof member === 'object' && member !== null && Object.keys(member).length > 0) return changed(member, random);
  return 'other';
};

const isCovered = ({ anchored }: Target, index: number): boolean => index < anchored;

/** Recomputes hashes and links from an entry on. Without a key the former MACs stay, or none. */
const rehashed = (
  entries: readonly WithdrawalEntry[],
  key: HistoryKey | undefined,
): readonly KeyedWithdrawalEntry[] => {
  const chain: KeyedWithdrawalEntry[] = [];
  for (const [index, entry] of entries.entries()) {
    const linked = { ...entry, sequence: index + 1, previousHash: chain.at(-1)?.hash ?? initialHash };
    const next = { ...linked, hash: entryHash(linked) } as KeyedWithdrawalEntry;
    chain.push(key === undefined ? next : (addMacs([next], key)[0] ?? next));
  }
  return chain;
};

const folded = (entries: readonly WithdrawalEntry[]): Withdrawal => {
  const state = entries.reduce<UnsignedWithdrawal | undefined>(foldWithdrawal, undefined);
  if (state === undefined || !isSigned(state)) throw new Error('the forged history has no receipt');
  return state;
};

/** Changes that leave a history that the service could have written. */
const forgeries: readonly ((entry: WithdrawalEntry, random: Random) => WithdrawalEntry)[] = [
  (entry, random) => ({ ...entry, causationId: random.text() }),
  (entry, random) => ({ ...entry, actor: { clientId: random.text() } }),
  (entry, random) => ({ ...entry, at: new Date(Date.parse(entry.at) - 1 - random.below(1_000_000)).toISOString() }),
  (entry, random) =>
    entry.type === 'withdrawal.declared'
      ? {
          ...entry,
          data: {
            ...entry.data,
            declaredAt: new Date(Date.parse(entry.data.declaredAt) - 1000 - random.below(1_000_000)).toISOString(),
          },
        }
      : { ...entry, correlationId: random.text() },
];

const forge = (target: Target, index: number, random: Random): readonly WithdrawalEntry[] =>
  target.entries.map((entry, at) => (at === index ? random.pick(forgeries)(entry, random) : entry));

const indexIn = (target: Target, random: Random): number => random.below(target.entries.length);

/** Signs another receipt for the first entry, and puts its hash into the second one. */
const withForgedReceipt = (
  target: Target,
  entries: readonly WithdrawalEntry[],
  { history, receipts }: Stolen,
): { readonly entries: readonly KeyedWithdrawalEntry[]; readonly parts: ReceiptParts } => {
  const first = rehashed(entries.slice(0, 1), history)[0];
  const stored = target.texts[0]?.texts.find(({ ref }) => ref === receiptRef)?.text ?? '';
  const payload = JSON.parse((JSON.parse(stored) as ReceiptParts).payload) as ReceiptPayload;
  const forged = { ...payload, chain: { sequence: 1 as const, hash: first?.hash ?? '' } };
  const { sha256, keyId, signature, payload: text } = signReceipt(forged, deriveReceiptKey(receipts));
  const receipt = { sha256, keyId };
  const all = entries.map((entry) =>
    entry.type === 'withdrawal.receipt_due' ? { ...entry, data: { ...entry.data, receipt } } : entry,
  );
  return { entries: rehashed(all, history), parts: { payload: text, keyId, signature } };
};

/** The attacks by kind. An attack returns undefined for a target that it does not fit. */
export const attacks: Readonly<Record<string, (attacker: Attacker) => Attack | undefined>> = {
  'change an entry': ({ random, target }) => {
    const index = indexIn(target, random);
    const entry = changed(target.entries[index] ?? {}, random, ['mac']);
    return { rows: [entryRow(target, index + 1, entry)], isAnchored: isCovered(target, index) };
  },
  'change an entry and its hash': ({ random, target }) => {
    const index = indexIn(target, random);
    const entry = changed(target.entries[index] ?? {}, random, ['mac', 'hash']);
    return {
      rows: [entryRow(target, index + 1, { ...entry, hash: entryHash(entry) })],
      isAnchored: isCovered(target, index),
    };
  },
  'change a MAC': ({ random, target }) => {
    const index = indexIn(target, random);
    const { mac, ...entry } = target.entries[index] ?? { mac: { key: '', value: '' } };
    const other = random.below(4) === 0 ? {} : { mac: { ...mac, ...changed(mac, random) } };
    return { rows: [entryRow(target, index + 1, { ...entry, ...other })], isAnchored: false };
  },
  'make an entry unreadable': ({ random, target }) => {
    const index = indexIn(target, random);
    const value = random.pick(['', '{', 'null', '7', Buffer.from([9, 9]), Buffer.from([5, 1, 2, 3])]);
    return { rows: [{ ...historyOf(target, index + 1), value }], isAnchored: isCovered(target, index) };
  },
  'delete an entry': ({ random, target }) => {
    const index = indexIn(target, random);
    return { rows: [historyOf(target, index + 1)], isAnchored: isCovered(target, index) };
  },
  'insert an entry': ({ random, target }) => {
    const at = random.below(target.entries.length + 2);
    const copy = random.pick(target.entries);
    if (at === target.entries.length + 1 || random.below(3) === 0)
      return { rows: [entryRow(target, random.pick([0, target.entries.length + 2]), copy)], isAnchored: false };
    const inserted = { ...copy, sequence: at + 1, causationId: random.text() };
    const entries = target.entries.toSpliced(at, 0, { ...inserted, hash: entryHash(inserted) });
    return { rows: historyRows(target, entries), isAnchored: at < target.anchored };
  },
  'reorder entries': ({ random, target }) => {
    const [a, b] = [indexIn(target, random), indexIn(target, random)];
    if (a === b) return undefined;
    const [one, two] = [target.entries[a] ?? {}, target.entries[b] ?? {}];
    return {
      rows: [entryRow(target, a + 1, two), entryRow(target, b + 1, one)],
      isAnchored: isCovered(target, Math.min(a, b)),
    };
  },
  'swap entries between withdrawals': ({ random, target, other }) => {
    const index = indexIn(target, random);
    const entry = other.entries[index];
    return entry && { rows: [entryRow(target, index + 1, entry)], isAnchored: isCovered(target, index) };
  },
  'swap whole withdrawals': ({ target, other, random }) => ({
    rows: [
      ...historyRows(target, other.entries),
      ...snapshotRows(random.below(2) === 0 ? other.state : { ...other.state, id: target.id }).map((row) => ({
        ...row,
        ...withdrawalKey(target.id),
      })),
    ],
    isAnchored: target.anchored > 0,
  }),
  'truncate the end': ({ random, target }) => {
    const left = random.below(target.entries.length);
    return {
      rows: target.entries.slice(left).map((_, index) => historyOf(target, left + index + 1)),
      isAnchored: left < target.anchored,
    };
  },
  'truncate the end with an older row': ({ random, target }) => {
    const left = 2 + random.below(target.entries.length - 2);
    const entries = target.entries.slice(0, left);
    if (left >= target.entries.length || entries.length < 2) return undefined;
    const isAnchored = left < target.anchored;
    // Younger entries leave one trace: their events are published.
    const marks = isAnchored ? [{ ...publishedKey(withdrawalKey(target.id).pk), version: left }] : [];
    const texts = target.texts.filter(({ sequence }) => sequence > left);
    return {
      rows: [
        ...historyRows(target, entries),
        ...snapshotRows(folded(entries)),
        ...texts.map(({ sequence }) => textsKey(subjectOfWithdrawal(target.id), target.id, sequence, 0)),
        ...marks,
      ],
      isAnchored,
    };
  },
  'change the snapshot': ({ random, target }) => {
    const [row] = snapshotRows(target.state);
    if (row === undefined) return undefined;
    if (random.below(2) === 0) {
      const state = changed(target.state, random);
      return {
        rows: [{ ...row, value: packWithSummary(state, unpack(row['summary'] as string)).value }],
        isAnchored: false,
      };
    }
    const name = random.pick(['id', 'version', 'returnStatus', 'listKey', 'updatedKey', 'dueKey', 'summary', 'value']);
    const attribute = row[name];
    if (attribute === undefined) return undefined;
    const { [name]: _, ...rest } = row;
    const isKept = typeof attribute === 'string' || typeof attribute === 'number' ? random.below(3) > 0 : true;
    const other = typeof attribute === 'object' ? pack({ other: random.text() }) : changedMember(attribute, random);
    return { rows: [isKept ? { ...row, [name]: other } : (rest as Row)], isAnchored: false };
  },
  'rewrite the chain without the key': ({ random, target }) => {
    const index = indexIn(target, random);
    const entries = rehashed(forge(target, index, random), undefined);
    const marked = random.pick<(entry: KeyedWithdrawalEntry) => object>([
      (entry) => entry,
      (entry) => ({ ...entry, mac: undefined }),
      (entry) => addMacs([entry], { id: 'first', secret: 'x'.repeat(40) })[0] ?? entry,
      (entry) => addMacs([entry], { id: 'mine', secret: 'x'.repeat(40) })[0] ?? entry,
    ]);
    return {
      rows: [...historyRows(target, entries.map(marked)), ...snapshotRows(folded(entries))],
      isAnchored: isCovered(target, index),
    };
  },
  'rewrite the chain with the stolen keys': ({ random, target, stolen }) => {
    if (target.anchored === 0) return undefined;
    const index = random.below(target.anchored);
    const forged = forge(target, index, random);
    const { entries, parts } = withForgedReceipt(target, forged, stolen);
    const texts = target.texts.map(({ sequence, texts: all }) =>
      textRow(
        target,
        sequence,
        all.map((text) => (text.ref === receiptRef ? { ...text, text: JSON.stringify(parts) } : text)),
      ),
    );
    return { rows: [...historyRows(target, entries), ...snapshotRows(folded(entries)), ...texts], isAnchored: true };
  },
  'change a text': ({ random, target }) => changeTexts(target, random, 'text'),
  'change a salt': ({ random, target }) => changeTexts(target, random, 'salt'),
  'change a reference': ({ random, target }) => changeTexts(target, random, 'ref'),
  'change a part of the receipt': ({ random, target }) => {
    const [row] = target.texts;
    const stored = row?.texts.find(({ ref }) => ref === receiptRef);
    if (row === undefined || stored === undefined) return undefined;
    const honest = JSON.parse(stored.text) as ReceiptParts;
    const parts =
      random.below(4) === 0 ? { ...honest, [random.pick(Object.keys(honest))]: 7 } : changed(honest, random);
    const texts = row.texts.map((one) => (one === stored ? { ...one, text: JSON.stringify(parts) } : one));
    return { rows: [textRow(target, row.sequence, texts)], isAnchored: false };
  },
  'swap texts between withdrawals': ({ random, target, other }) => {
    const [own, theirs] = [target.texts[0]?.texts ?? [], other.texts[0]?.texts ?? []];
    const all = random.below(2) === 0;
    const { ref } = random.pick(own);
    const texts = own.map((one) => (all || one.ref === ref ? (theirs.find((two) => two.ref === one.ref) ?? one) : one));
    return { rows: [textRow(target, 1, texts)], isAnchored: false };
  },
  'delete texts': ({ random, target }) => {
    const { sequence, texts } = random.pick(target.texts);
    const rest = random.below(2) === 0 ? [] : texts.toSpliced(random.below(texts.length), 1);
    const key = textsKey(subjectOfWithdrawal(target.id), target.id, sequence, 0);
    return { rows: [rest.length === 0 ? key : textRow(target, sequence, rest)], isAnchored: false };
  },
  'insert a text': ({ random, target }) => {
    const text = { ref: random.pick(['name', 'other', receiptRef]), salt: '', text: random.text() };
    return { rows: [textRow(target, random.pick([0, 2, 7, 99]), [text])], isAnchored: false };
  },
  'delete the withdrawal': ({ random, target }) => {
    const isHistory = random.below(3);
    const rows = target.rows.filter(({ pk, sk }) => {
      if (pk === personPartition(subjectOfWithdrawal(target.id))) return false;
      return isHistory === 0 ? sk === 'SNAPSHOT' : isHistory === 1 ? sk.startsWith('HISTORY#') : true;
    });
    return { rows: rows.map(({ pk, sk }) => ({ pk, sk })), isAnchored: isHistory > 0 && target.anchored > 0 };
  },
};

/** Changes one member of one text. */
const changeTexts = (target: Target, random: Random, member: keyof SaltedText): Attack => {
  const { sequence, texts } = random.pick(target.texts);
  const at = random.below(texts.length);
  const other = texts.map((text, index) =>
    index === at ? { ...text, [member]: changedMember(text[member], random) as string } : text,
  );
  return { rows: [textRow(target, sequence, other)], isAnchored: false };
};
