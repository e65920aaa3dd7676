import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Return } from '../../domain/returns/model/return.ts';
import { table } from '../engine/client.ts';
import type { DueItem } from '../engine/due.ts';
import {
  declarationMarkerKey,
  type Key,
  orderIdOfLink,
  personKey,
  personPartition,
  subjectOfPartition,
  parseTextsKey,
  textsPrefix,
  trackingKey,
  withdrawalLinkKey,
  userKey,
  userNamesPartition,
  userSaltKey,
  withdrawalOfLink,
} from '../engine/keys.ts';
import { unpack } from '../engine/pack.ts';
import { queryAll } from '../engine/query-pages.ts';
import type { Session } from '../engine/session.ts';
import { putUnlessChanged, transact, unlessChanged, update } from '../engine/transact.ts';
import { subjectOfWithdrawal } from '../../domain/withdrawals/model/withdrawal.ts';
import { deleteItem, type ErasedPage, type Item, type PageRequest, readPartition } from './erased-page.ts';
import { erasedPerson, internalRefs, markerRef, type SaltedText, markTextsErased } from './personal.ts';
import { digestsIn, readDigests, readSearch, writeSearchChanges } from './search-rows.ts';

/* Deletes the names and texts of a person, and the rows that lead to them. */

const isTrackingNumber = (ref: string): boolean => /^parcel\/[^/]+\/trackingNumber\//.test(ref);

/** Marks the texts of rows as erased, before the rows are deleted: no text is missing without a mark. */
const markRowsErased = async (session: Session, rows: readonly Key[]): Promise<void> => {
  const through = new Map<string, number>();
  for (const { sk } of rows) {
    const { returnId, sequence } = parseTextsKey(sk);
    through.set(returnId, Math.max(sequence, through.get(returnId) ?? 0));
  }
  for (const [returnId, sequence] of through) await markTextsErased(session, returnId, sequence);
};

/**
 * Replaces the person by a mark, so that readers know that there was a person, and deletes the rows of the search. When
 * a shop sends other texts at the same time, the person stays. The next pass of the erasure finds them again.
 */
const erasePersonItem = async (session: Session, { pk, sk, ...item }: Item): Promise<void> => {
  const digests = digestsIn(item);
  await transact(session, [
    putUnlessChanged('person', { pk, sk }, erasedPerson, [readSearch(digests)]),
    ...writeSearchChanges(subjectOfPartition(pk), digests, []),
  ]);
};

const textsIn = (rows: readonly Item[]): readonly SaltedText[] =>
  rows.flatMap((row) => unpack(row['value'] as string | Uint8Array) as SaltedText[]);

/** Counts the texts that people wrote, without the actor key of a return and the parts of a receipt. */
const countTexts = (rows: readonly Item[]): number => textsIn(rows).filter(({ ref }) => !internalRefs.has(ref)).length;

/** Erases a person whose retention is over, unless the shop has sent them again meanwhile. */
export const eraseDuePerson = async (session: Session, { pk, sk, dueKey }: DueItem): Promise<boolean> => {
  const digests = await readDigests(session, { pk, sk });
  const { ExpressionAttributeNames, ExpressionAttributeValues, ...condition } = unlessChanged([
    { name: 'dueKey', value: dueKey },
    readSearch(digests),
  ]);
  const outcome = await transact(session, [
    update('person', {
      Key: { pk, sk },
      UpdateExpression: 'SET erased = :erased, observedAt = :observedAt REMOVE #value, #search, listKey, dueKey',
      ...condition,
      ExpressionAttributeNames: { ...ExpressionAttributeNames, '#value': 'value', '#search': 'search' },
      ExpressionAttributeValues: {
        ...ExpressionAttributeValues,
        ':erased': true,
        ':observedAt': erasedPerson.observedAt,
      },
    }),
    ...writeSearchChanges(subjectOfPartition(pk), digests, []),
  ]);
  return outcome.written;
};

/** Deletes the rows that lead from tracking numbers and declarations, before these are erased. */
const eraseMarkers = async (session: Session, rows: readonly Item[]): Promise<void> => {
  const keys = rows.flatMap((row) => {
    const { returnId } = parseTextsKey(row.sk);
    return textsIn([row]).flatMap(({ ref, text }) => {
      if (isTrackingNumber(ref)) return [trackingKey(text, returnId)];
      return ref === markerRef ? [declarationMarkerKey(text)] : [];
    });
  });
  await Promise.all(keys.map(async (key) => deleteItem(session, key)));
};

/** Deletes rows of texts, and the rows that lead to them. */
const eraseRows = async (session: Session, rows: readonly Item[]): Promise<void> => {
  await markRowsErased(session, rows);
  // Before the texts, which list the rows.
  await eraseMarkers(session, rows);
  await Promise.all(rows.map(async ({ pk, sk }) => deleteItem(session, { pk, sk })));
};

/**
 * Deletes the texts of a return up to a version; texts written meanwhile stay.
 *
 * @returns the number of texts
 */
export const eraseTexts = async (
  session: Session,
  { subject, id, version }: Pick<Return, 'subject' | 'id' | 'version'>,
): Promise<number> => {
  const found = await queryAll<Item>(session, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': personPartition(subject), ':prefix': textsPrefix(id) },
    ConsistentRead: true,
  });
  const rows = found.filter(({ sk }) => parseTextsKey(sk).sequence <= version);
  await eraseRows(session, rows);
  return countTexts(rows);
};

/** Erases or counts the texts of a withdrawal: a few rows, so one request reads them all. */
export const eraseWithdrawal = async (session: Session, withdrawalId: string, countOnly: boolean): Promise<number> => {
  const rows = await queryAll<Item>(session, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': personPartition(subjectOfWithdrawal(withdrawalId)) },
    ConsistentRead: true,
  });
  if (!countOnly) await eraseRows(session, rows);
  return countTexts(rows);
};

const isLink = ({ sk }: Key): boolean => withdrawalOfLink(sk) !== undefined;
const isOrderLink = ({ sk }: Key): boolean => orderIdOfLink(sk) !== undefined;

/** Returns the ids of the withdrawals that a subject has a link to. */
const linkedFrom = async (session: Session, subject: string): Promise<ReadonlySet<string>> => {
  const { pk, sk: prefix } = withdrawalLinkKey(subject, '');
  const links = await queryAll<Key>(session, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
    ConsistentRead: true,
  });
  return new Set(links.flatMap(({ sk }) => withdrawalOfLink(sk) ?? []));
};

/**
 * Erases or counts the withdrawals that links of a person lead to. A link is deleted after its withdrawal.
 *
 * @param except a subject: withdrawals that it has a link to are counted elsewhere
 */
const eraseLinked = async (
  session: Session,
  links: readonly Item[],
  { countOnly, except }: { readonly countOnly: boolean; readonly except?: string },
): Promise<number> => {
  const counted = except === undefined || links.length === 0 ? new Set<string>() : await linkedFrom(session, except);
  let texts = 0;
  for (const { pk, sk } of links) {
    const id = withdrawalOfLink(sk) ?? '';
    const found = await eraseWithdrawal(session, id, countOnly);
    if (!counted.has(id)) texts += found;
    if (!countOnly) await deleteItem(session, { pk, sk });
  }
  return texts;
};

/**
 * Deletes a person and the texts about them, with the salts: without a salt, a digest reveals nothing.
 *
 * @param except a subject: withdrawals of both subjects are counted with that subject
 */
export const erasePerson = async (
  session: Session,
  subject: string,
  { after, countOnly, except }: PageRequest & { readonly except?: string },
): Promise<ErasedPage<{ persons: number; texts: number }>> => {
  const { items, last } = await readPartition(session, personPartition(subject), after);
  const isPerson = ({ sk }: Key) => sk === personKey(subject).sk;
  const persons = items.filter((item) => isPerson(item) && !('erased' in item));
  const rows = items.filter((item) => !isPerson(item) && !isLink(item) && !isOrderLink(item));
  const counting = { countOnly, ...(except !== undefined && { except }) };
  const texts = countTexts(rows) + (await eraseLinked(session, items.filter(isLink), counting));
  if (!countOnly) {
    await eraseRows(session, rows);
    await Promise.all(items.filter(isOrderLink).map(async ({ pk, sk }) => deleteItem(session, { pk, sk })));
    await Promise.all(persons.map(async (item) => erasePersonItem(session, item)));
  }
  const count = { persons: persons.length, texts };
  return { count, ...(last !== undefined && { after: last }) };
};

/**
 * Erases or counts the names of a user: a person has several after a marriage. A mark replaces each, so that readers
 * know that there was a name. Without name and salt, the digests in histories reveal nothing.
 *
 * @returns the number of persons: 0 or 1
 */
export const eraseUserName = async (session: Session, userId: string, countOnly: boolean): Promise<number> => {
  const rows = await queryAll<Item>(session, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': userNamesPartition(userId) },
    ConsistentRead: true,
  });
  const named = rows.filter((row) => !('erased' in row));
  if (!countOnly) {
    // Before the names: a command that stores the name meanwhile has another digest.
    await Promise.all([deleteItem(session, userSaltKey(userId)), deleteItem(session, userKey(userId))]);
    await Promise.all(
      named.map(async ({ pk, sk }) =>
        session.send(new PutCommand({ TableName: table(), Item: { pk, sk, erased: true } })),
      ),
    );
  }
  return named.length === 0 ? 0 : 1;
};
