import { foldReference } from '../../contract/fold-reference.ts';
import type { Entry, KeyedEntry } from '../../domain/returns/history/entry.ts';
import type { ChainedEntry, StoredEntry, StoredState } from '../../domain/returns/history/verify-history.ts';
import type { ExternalRef, Return } from '../../domain/returns/model/return.ts';
import { summarizeReturn } from '../../domain/returns/summary.ts';
import { batchGet, getItem } from '../engine/batch-get.ts';
import { indexAttributes } from '../engine/indexes.ts';
import {
  domainEventKey,
  entryKey,
  externalRefKey,
  type Key,
  returnKey,
  rmaKey,
  sequenceOf,
  trackingKey,
} from '../engine/keys.ts';
import { pack, packWithSummary, unpack } from '../engine/pack.ts';
import { queryPages } from '../engine/query-pages.ts';
import type { Session } from '../engine/session.ts';
import { writeOrderNumber } from '../orders/orders.ts';
import { put, putNew, putVersion, remove, type Write } from '../engine/transact.ts';

type Packed = { readonly value: string | Uint8Array };

/** The value of a return is packed with its summary, because both have much in common. */
type Snapshot = Packed & { readonly summary: string | Uint8Array };

/** Returns a return in its current state, or undefined. */
export const readReturn = async (session: Session, returnId: string): Promise<Return | undefined> => {
  const item = await getItem<Snapshot>(session, returnKey(returnId));
  return item === undefined ? undefined : (unpack(item.value, item.summary) as Return);
};

const readMarker = async (session: Session, key: Key): Promise<string | undefined> =>
  (await getItem<{ returnId: string }>(session, key))?.returnId;

/** Returns the id of a return with one of these external references, other than `except`, or undefined. */
export const findByExternalRefs = async (
  session: Session,
  refs: readonly ExternalRef[],
  except?: string,
): Promise<string | undefined> => {
  const found = await Promise.all(refs.map(async (ref) => readMarker(session, externalRefKey(ref))));
  return found.find((returnId) => returnId !== undefined && returnId !== except);
};

/** Returns the id of the return with an RMA number, or undefined. */
export const findByRmaNumber = async (session: Session, rmaNumber: string): Promise<string | undefined> =>
  readMarker(session, rmaKey(rmaNumber));

/** Returns pages of the items of a history after a sequence, oldest first. Its partition is that of its snapshot. */
const entryItems = (session: Session, { pk }: Pick<Key, 'pk'>, after: number, limit: number) =>
  queryPages<Packed & Key>(session, {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: {
      ':pk': pk,
      ':from': domainEventKey(pk, after + 1).sk,
      ':to': domainEventKey(pk, 9_999_999_999).sk,
    },
    ConsistentRead: true,
    Limit: limit,
  });

/** Returns up to `limit` entries of any history after a sequence, oldest first. */
export const readEntriesOf = async <One>(
  session: Session,
  snapshot: Pick<Key, 'pk'>,
  after: number,
  limit: number,
): Promise<One[]> => {
  const entries: One[] = [];
  for await (const items of entryItems(session, snapshot, after, limit)) {
    entries.push(...items.slice(0, limit - entries.length).map(({ value }) => unpack(value) as One));
    if (entries.length === limit) break;
  }
  return entries;
};

/** Returns up to `limit` entries of a return's history after a sequence, oldest first. */
export const readEntries = async (session: Session, returnId: string, after: number, limit: number): Promise<Entry[]> =>
  readEntriesOf<Entry>(session, returnKey(returnId), after, limit);

/** Unpacks an item that may have been tampered with; undefined when it is unreadable. */
export const unpackIfReadable = ({ value, summary }: Packed & Partial<Snapshot>): object | undefined => {
  try {
    const found = unpack(value, summary);
    return typeof found === 'object' && found !== null ? found : undefined;
  } catch {
    return undefined;
  }
};

/** The entries that are verified together. */
const batchSize = 200;

/** Iterates over any stored history after a sequence, oldest first, in batches. */
export async function* readStoredEntriesOf<One extends ChainedEntry>(
  session: Session,
  snapshot: Pick<Key, 'pk'>,
  after: number,
): AsyncGenerator<StoredEntry<One>[]> {
  for await (const items of entryItems(session, snapshot, after, batchSize))
    yield items.map((item) => ({ sequence: sequenceOf(item.sk), entry: unpackIfReadable(item) as One | undefined }));
}

/** Iterates over the stored history of a return after a sequence, oldest first, in batches. */
export const readStoredEntries = (session: Session, returnId: string, after: number): AsyncGenerator<StoredEntry[]> =>
  readStoredEntriesOf<Entry>(session, returnKey(returnId), after);

/** Returns a return as it is stored, or undefined. */
export const readStoredReturn = async (session: Session, returnId: string): Promise<StoredState | undefined> => {
  const item = await getItem<Snapshot>(session, returnKey(returnId));
  if (item === undefined) return undefined;
  const state = unpackIfReadable(item) as Return | undefined;
  return state === undefined ? {} : { state };
};

/** Returns returns in their current state by id, unordered, without missing and unreadable ones. */
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

/** Returns the item of a return: its state, and its summary for the indexes. */
const snapshot = (state: Return) => {
  const shown = summarizeReturn(state);
  return { version: state.version, ...packWithSummary(state, shown), ...indexAttributes(shown) };
};

/**
 * Writes the rows that lead from tracking numbers to a return, after the numbers have changed. They have no condition:
 * each return has rows of its own, and its version guards the whole transaction.
 */
export const writeTrackingChanges = (
  before: readonly string[],
  after: readonly string[],
  returnId: string,
): Write[] => {
  // Numbers that differ in case or white space alone share a row, and a transaction writes a row once.
  const [former, present] = [new Set(before.map(foldReference)), new Set(after.map(foldReference))];
  const added = [...present].filter((number) => !former.has(number));
  const removed = [...former].filter((number) => !present.has(number));
  return [
    ...added.map((number) => put('tracking', trackingKey(number, returnId), {})),
    ...removed.map((number) => remove('tracking', trackingKey(number, returnId))),
  ];
};

/**
 * Replaces the state of a return, and writes its new entries.
 *
 * @param before undefined for a new return
 */
export const writeReturn = (state: Return, entries: readonly KeyedEntry[], before: Return | undefined): Write[] => [
  putVersion('return', returnKey(state.id), snapshot(state), before?.version ?? 0),
  ...entries.map((entry) => putNew('entry', entryKey(state.id, entry.sequence), { value: pack(entry) })),
];

/** Writes a return again without a change, so that the indexes hold it as the present version does. */
export const writeIndexed = (state: Return): Write[] => [
  putVersion('return', returnKey(state.id), snapshot(state), state.version),
  writeOrderNumber(state.order, state.order.number ?? state.order.orderId),
];

/** Returns the markers of references that are not among others. */
const markersWithout = (refs: readonly ExternalRef[], others: readonly ExternalRef[]) => {
  const known = new Set(others.map((ref) => externalRefKey(ref).pk));
  return refs.map(externalRefKey).filter(({ pk }) => !known.has(pk));
};

/** Writes and deletes the markers of external references after they have changed. */
export const writeMarkerChanges = (before: Return, after: Return): Write[] => [
  ...markersWithout(after.externalRefs, before.externalRefs).map((key) =>
    putNew('externalRef', key, { returnId: after.id }),
  ),
  ...markersWithout(before.externalRefs, after.externalRefs).map((key) => remove('externalRef', key)),
];

/** Writes the markers that make the RMA number and external references of a new return unique. */
export const writeMarkers = (state: Return): Write[] => [
  putNew('rmaNumber', rmaKey(state.rmaNumber), { returnId: state.id }),
  ...state.externalRefs.map((ref) => putNew('externalRef', externalRefKey(ref), { returnId: state.id })),
];
