import { isDeepStrictEqual } from 'node:util';
import { decryptActor } from '../../../lib/store/personal/encrypt-actor.ts';
import type { Entry } from '../../../lib/domain/returns/history/entry.ts';
import { fold } from '../../../lib/domain/returns/history/fold.ts';
import { digestText, entryHash } from '../../../lib/domain/returns/history/history.ts';
import type { TextReference } from '../../../lib/domain/returns/model/actor.ts';
import type { Return } from '../../../lib/domain/returns/model/return.ts';
import { summarizeReturn } from '../../../lib/domain/returns/summary.ts';
import { indexAttributes } from '../../../lib/store/engine/indexes.ts';
import { unpack } from '../../../lib/store/engine/pack.ts';
import { returnView } from '../../../lib/service/views/views.ts';
import type { Stored, StoredReturn } from './stored.ts';

const origin = '0'.repeat(64);

const chainFaults = ({ id, entries }: StoredReturn): string[] =>
  entries.flatMap((entry, index) => {
    const { hash, ...unhashed } = entry;
    const before = entries[index - 1];
    return [
      ...(entry.sequence === index + 1 ? [] : [`${id}: entry ${index + 1} is missing, ${entry.sequence} is there`]),
      ...(entry.previousHash === (before?.hash ?? origin) ? [] : [`${id}: entry ${entry.sequence} breaks the chain`]),
      ...(hash === entryHash(unhashed) ? [] : [`${id}: entry ${entry.sequence} has another hash than its content`]),
      ...(entry.from === (before?.to ?? null) ? [] : [`${id}: entry ${entry.sequence} begins where none ended`]),
    ];
  });

/** Returns the return that its entries give, or undefined where the first entries are missing. */
const folded = (entries: readonly Entry[]): Return | undefined =>
  entries[0]?.type === 'return.requested' || entries[0]?.type === 'return.imported'
    ? entries.reduce<Return | undefined>((state, entry) => fold(state, entry), undefined)
    : undefined;

/** Returns a value as it is stored: undefined fields are missing. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));
const same = (a: unknown, b: unknown): boolean => isDeepStrictEqual(plain(a), plain(b));

const snapshotFaults = ({ id, snapshot, entries }: StoredReturn): string[] => {
  if (snapshot === undefined) return [`${id}: entries or texts, but no snapshot`];
  const { item, state } = snapshot;
  const summary = summarizeReturn(state);
  const indexed = Object.entries(indexAttributes(summary)).filter(([name, value]) => item[name] !== value);
  return [
    ...(same(folded(entries), state) ? [] : [`${id}: the snapshot is not the fold of the history`]),
    ...(item['version'] === state.version ? [] : [`${id}: version ${String(item['version'])} of ${state.version}`]),
    ...(same(unpack(item['summary'] as string | Uint8Array), summary) ? [] : [`${id}: another summary`]),
    ...indexed.map(([name]) => `${id}: ${name} is not that of the return`),
  ];
};

const isSeal = (value: object): value is TextReference => 'ref' in value && 'digest' in value;

const sealsIn = (value: unknown): TextReference[] => {
  if (typeof value !== 'object' || value === null) return [];
  return isSeal(value) ? [value] : Object.values(value).flatMap(sealsIn);
};

const textFaults = ({ id, entries, texts }: StoredReturn): string[] =>
  sealsIn(entries)
    .filter(
      ({ ref, digest }) =>
        !texts.some((text) => text.ref === ref && digestText(text.text, Buffer.from(text.salt, 'base64')) === digest),
    )
    .map(({ ref }) => `${id}: the text of ${ref} is missing`);

const actorFaults = ({ id, entries, texts }: StoredReturn): string[] => {
  const known = new Map(texts.map(({ ref, text }) => [ref, text]));
  return entries.flatMap(({ sequence, actor }) =>
    actor.sealed !== undefined && decryptActor(actor, known).onBehalfOf === undefined
      ? [`${id}: whom the client of entry ${sequence} acted for cannot be read`]
      : [],
  );
};

/** Returns the differences between a return's snapshot, history and texts. */
export const returnFaults = (stored: StoredReturn): string[] => [
  ...chainFaults(stored),
  ...snapshotFaults(stored),
  ...textFaults(stored),
  ...actorFaults(stored),
];

/** Returns the response of a command at a version of the return, with an empty list of allowed actions. */
const answered = ({ entries }: StoredReturn, version: number): unknown => {
  const state = entries.length < version ? undefined : folded(entries.slice(0, version));
  return state === undefined ? undefined : returnView(state, { actions: [] });
};

type ShownVersion = { readonly returnId: string; readonly version: number };

/** Returns whether a return once had the state of a response. */
export const wasOnce = ({ returns }: Stored, body: ShownVersion): boolean => {
  const stored = returns.get(body.returnId);
  return stored !== undefined && same(answered(stored, body.version), { ...body, allowedActions: [] });
};

/** Returns the stored responses without a history entry, and the versions of a return that two keys claim. */
export const answerFaults = (stored: Stored): string[] => {
  const claims = new Map<string, string>();
  return stored.answers.flatMap(({ partition, response: { shown } }) => {
    if (shown === undefined) return [];
    const { id, version } = shown;
    const claim = `${id} ${version}`;
    const earlier = claims.get(claim);
    claims.set(claim, partition);
    return [
      ...((stored.returns.get(id)?.entries.length ?? 0) >= version
        ? []
        : [`${partition}: answered what ${id} never was`]),
      ...(earlier === undefined ? [] : [`${partition} and ${earlier} both led to version ${version} of ${id}`]),
    ];
  });
};
