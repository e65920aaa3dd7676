import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Entry } from '../returns/entry.ts';
import type { ExternalRef, Return } from '../returns/return.ts';
import { summaryOf } from '../returns/summary.ts';
import { table } from './client.ts';
import { getItem } from './get-item.ts';
import { indexAttributes } from './indexes.ts';
import { entryKey, externalRefKey, returnKey, rmaKey, type Key } from './keys.ts';
import { pack, unpack } from './pack.ts';
import type { Session } from './session.ts';
import { putNew, putVersion, remove, type Write } from './transact.ts';

type Packed = { readonly value: string | Uint8Array };

/** A return as it is now, or undefined. */
export const readReturn = async (session: Session, returnId: string): Promise<Return | undefined> => {
  const item = await getItem<Packed>(session, returnKey(returnId));
  return item === undefined ? undefined : (unpack(item.value) as Return);
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

/** Up to `limit` entries of a history after a sequence, oldest first. */
export const readEntries = async (
  session: Session,
  returnId: string,
  after: number,
  limit: number,
): Promise<Entry[]> => {
  const entries: Entry[] = [];
  let start = entryKey(returnId, after + 1).sk;
  // One answer of the engine ends at 1 MiB, however many entries were asked for.
  for (;;) {
    const { Items = [], LastEvaluatedKey } = await session.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: {
          ':pk': returnKey(returnId).pk,
          ':from': start,
          ':to': entryKey(returnId, 9_999_999_999).sk,
        },
        ConsistentRead: true,
        Limit: limit - entries.length,
      }),
    );
    entries.push(...Items.map((item) => unpack((item as Packed).value) as Entry));
    const last = entries.at(-1);
    if (LastEvaluatedKey === undefined || entries.length >= limit || last === undefined) return entries;
    start = entryKey(returnId, last.sequence + 1).sk;
  }
};

/** The return as one item: whole, and what the indexes show of it. */
const snapshot = (state: Return) => {
  const summary = summaryOf(state);
  return { version: state.version, value: pack(state), summary: pack(summary), ...indexAttributes(summary) };
};

/** The snapshot in place of version `before` (0 for a new return), and the entries that led to it. */
export const writeReturn = (state: Return, entries: readonly Entry[], before: number): Write[] => [
  putVersion('return', returnKey(state.id), snapshot(state), before),
  ...entries.map((entry) => putNew('entry', entryKey(state.id, entry.sequence), { value: pack(entry) })),
];

/** The markers of references that are not among others. */
const markersWithout = (refs: readonly ExternalRef[], others: readonly ExternalRef[]) => {
  const known = new Set(others.map((ref) => externalRefKey(ref).pk));
  return refs.map(externalRefKey).filter(({ pk }) => !known.has(pk));
};

/** The markers of external references after some were given and others taken away. */
export const moveMarkers = (before: Return, after: Return): Write[] => [
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
