import type { Entry, KeyedEntry } from '../../returns/history/entry.ts';
import type { StoredEntry, StoredReturn } from '../../returns/history/verify-history.ts';
import type { ExternalRef, Return } from '../../returns/model/return.ts';
import { summarizeReturn } from '../../returns/summary.ts';
import { batchGet, getItem } from '../engine/batch-get.ts';
import { indexAttributes } from '../engine/indexes.ts';
import { entryKey, externalRefKey, type Key, returnKey, rmaKey, sequenceOf, trackingKey } from '../engine/keys.ts';
import { pack, unpack } from '../engine/pack.ts';
import { queryPages } from '../engine/query-pages.ts';
import type { Session } from '../engine/session.ts';
import { put, putNew, putVersion, remove, type Write } from '../engine/transact.ts';

type Packed = { readonly value: string | Uint8Array };

/** The value of a return is packed with its summary, which says much of the same. */
type Snapshot = Packed & { readonly summary: string | Uint8Array };

/** A return as it is now, or undefined. */
export const readReturn = async (session: Session, returnId: string): Promise<Return | undefined> => {
  const item = await getItem<Snapshot>(session, returnKey(returnId));
  return item === undefined ? undefined : (unpack(item.value, item.summary) as Return);
};

const readMarker = async (session: Session, key: Key): Promise<string | undefined> =>
  (await getItem<{ returnId: string }>(session, key))?.returnId;

/** The return with one of these external references, `except` that one, or undefined. */
export const findByExternalRefs = async (
  session: Session,
  refs: readonly ExternalRef[],
  except?: string,
): Promise<string | undefined> => {
  const found = await Promise.all(refs.map(async (ref) => readMarker(session, externalRefKey(ref))));
  return found.find((returnId) => returnId !== undefined && returnId !== except);
};

/** Whose the return is that has an RMA number, or undefined. */
export const findByRmaNumber = async (session: Session, rmaNumber: string): Promise<string | undefined> =>
  readMarker(session, rmaKey(rmaNumber));

/** Pages of the items of a history after a sequence, oldest first. */
const entryItems = (session: Session, returnId: string, after: number, limit: number) =>
  queryPages<Packed & Key>(session, {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: {
      ':pk': returnKey(returnId).pk,
      ':from': entryKey(returnId, after + 1).sk,
      ':to': entryKey(returnId, 9_999_999_999).sk,
    },
    ConsistentRead: true,
    Limit: limit,
  });

/** Up to `limit` entries of a history after a sequence, oldest first. */
export const readEntries = async (
  session: Session,
  returnId: string,
  after: number,
  limit: number,
): Promise<Entry[]> => {
  const entries: Entry[] = [];
  for await (const items of entryItems(session, returnId, after, limit)) {
    entries.push(...items.slice(0, limit - entries.length).map(({ value }) => unpack(value) as Entry));
    if (entries.length === limit) break;
  }
  return entries;
};

/** What stands in an item that may have been tampered with; undefined when that is nothing that was ever written. */
const unpackIfReadable = ({ value, summary }: Packed & Partial<Snapshot>): object | undefined => {
  try {
    const found = unpack(value, summary);
    return typeof found === 'object' && found !== null ? found : undefined;
  } catch {
    return undefined;
  }
};

/** How many entries are verified at a time. */
const batchSize = 200;

/** All of a history after a sequence as it is kept, oldest first, in batches. */
export async function* readStoredEntries(
  session: Session,
  returnId: string,
  after: number,
): AsyncGenerator<StoredEntry[]> {
  for await (const items of entryItems(session, returnId, after, batchSize))
    yield items.map((item) => ({ sequence: sequenceOf(item.sk), entry: unpackIfReadable(item) as Entry | undefined }));
}

/** A return as it is kept, or undefined. */
export const readStoredReturn = async (session: Session, returnId: string): Promise<StoredReturn | undefined> => {
  const item = await getItem<Snapshot>(session, returnKey(returnId));
  if (item === undefined) return undefined;
  const state = unpackIfReadable(item) as Return | undefined;
  return state === undefined ? {} : { state };
};

/** Returns as they are now, by their ids, in no order; those that are not there, or that nobody can read, are left out. */
export const readReturns = async (
  session: Session,
  returnIds: readonly string[],
): Promise<ReadonlyMap<string, Return>> => {
  const keys = returnIds.map(returnKey);
  const items = await batchGet(session, keys, ['id', 'value', 'summary'], { consistent: true });
  return new Map(
    (items as (Snapshot & { id: string })[]).flatMap((item) => {
      const state = unpackIfReadable(item) as Return | undefined;
      return state === undefined ? [] : [[item.id, state]];
    }),
  );
};

/** The return as one item: whole, and what the indexes show of it. */
const snapshot = (state: Return) => {
  const shown = summarizeReturn(state);
  const summary = pack(shown);
  return { version: state.version, value: pack(state, summary), summary, ...indexAttributes(shown) };
};

/**
 * The rows by which a return is found by the tracking numbers of its parcels, after some were given and others taken
 * away. No condition: each return has rows of its own, and its version guards all that is written with it.
 */
export const writeTrackingChanges = (
  before: readonly string[],
  after: readonly string[],
  returnId: string,
): Write[] => [
  ...after
    .filter((number) => !before.includes(number))
    .map((number) => put('tracking', trackingKey(number, returnId), {})),
  ...before
    .filter((number) => !after.includes(number))
    .map((number) => remove('tracking', trackingKey(number, returnId))),
];

/**
 * The return in place of what it was before, and the entries that led to it.
 *
 * @param before undefined for a new return
 */
export const writeReturn = (state: Return, entries: readonly KeyedEntry[], before: Return | undefined): Write[] => [
  putVersion('return', returnKey(state.id), snapshot(state), before?.version ?? 0),
  ...entries.map((entry) => putNew('entry', entryKey(state.id, entry.sequence), { value: pack(entry) })),
];

/** The markers of references that are not among others. */
const markersWithout = (refs: readonly ExternalRef[], others: readonly ExternalRef[]) => {
  const known = new Set(others.map((ref) => externalRefKey(ref).pk));
  return refs.map(externalRefKey).filter(({ pk }) => !known.has(pk));
};

/** The markers of external references after some were given and others taken away. */
export const writeMarkerChanges = (before: Return, after: Return): Write[] => [
  ...markersWithout(after.externalRefs, before.externalRefs).map((key) =>
    putNew('externalRef', key, { returnId: after.id }),
  ),
  ...markersWithout(before.externalRefs, after.externalRefs).map((key) => remove('externalRef', key)),
];

/** The markers that keep a new return's RMA number and external references unique. */
export const writeMarkers = (state: Return): Write[] => [
  putNew('rmaNumber', rmaKey(state.rmaNumber), { returnId: state.id }),
  ...state.externalRefs.map((ref) => putNew('externalRef', externalRefKey(ref), { returnId: state.id })),
];
