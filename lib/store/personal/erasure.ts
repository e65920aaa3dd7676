import { DeleteCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Return } from '../../domain/returns/model/return.ts';
import { table } from '../engine/client.ts';
import type { DueItem } from '../engine/due.ts';
import {
  declarationMarkerKey,
  type Key,
  personKey,
  personPartition,
  subjectOfPartition,
  parseTextsKey,
  textsPrefix,
  trackingKey,
  withdrawalLinkKey,
  userNamesPartition,
  userSaltKey,
  withdrawalOfLink,
} from '../engine/keys.ts';
import { unpack } from '../engine/pack.ts';
import { queryAll } from '../engine/query-pages.ts';
import type { Session } from '../engine/session.ts';
import { putUnlessChanged, transact, unlessChanged, update } from '../engine/transact.ts';
import { deleteBody } from '../inbox/inbox-bodies.ts';
import { orderLinksPartition, returnLinksPartition } from '../inbox/inbox-index.ts';
import { nameLinksPartition, nameLinkKeys } from '../inbox/inbox-names.ts';
import type { InboxRow } from '../inbox/inbox-row.ts';
import { deliveryKey, readDelivery } from '../inbox/inbox.ts';
import { subjectOfWithdrawal } from '../../domain/withdrawals/model/withdrawal.ts';
import { erasedPerson, internalRefs, markerRef, type SaltedText, markTextsErased } from './personal.ts';
import { digestsIn, readDigests, readSearch, writeSearchChanges } from './search-rows.ts';

/*
 * Deletes the data of a person. Each page is found by the rows that are left, so another worker can continue after a
 * crash. A caller that only counts passes `after`.
 */

/** The result of one page. `after` is set when more may follow. */
export type ErasedPage<Count> = { readonly count: Count; readonly after?: string };

const isTrackingNumber = (ref: string): boolean => /^parcel\/[^/]+\/trackingNumber\//.test(ref);

type PageRequest = { readonly after: string | undefined; readonly countOnly: boolean };

const pageSize = 25;

const deleteItem = async (session: Session, Key: Key): Promise<void> =>
  void (await session.send(new DeleteCommand({ TableName: table(), Key })));

type Item = Key & Readonly<Record<string, unknown>>;

const readPartition = async (
  session: Session,
  pk: string,
  after: string | undefined,
): Promise<{ items: readonly Item[]; last?: string }> => {
  const { Items = [], LastEvaluatedKey } = await session.send(
    new QueryCommand({
      TableName: table(),
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
      ConsistentRead: true,
      Limit: pageSize,
      ...(after !== undefined && { ExclusiveStartKey: { pk, sk: after } }),
    }),
  );
  const last = (LastEvaluatedKey as Key | undefined)?.sk;
  return { items: Items as Item[], ...(last !== undefined && { last }) };
};

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
  const rows = items.filter((item) => !isPerson(item) && !isLink(item));
  const counting = { countOnly, ...(except !== undefined && { except }) };
  const texts = countTexts(rows) + (await eraseLinked(session, items.filter(isLink), counting));
  if (!countOnly) {
    await eraseRows(session, rows);
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
    await deleteItem(session, userSaltKey(userId));
    await Promise.all(
      named.map(async ({ pk, sk }) =>
        session.send(new PutCommand({ TableName: table(), Item: { pk, sk, erased: true } })),
      ),
    );
  }
  return named.length === 0 ? 0 : 1;
};

/**
 * Deletes a delivery with its body. Its row is deleted after all other rows, and before the link that led here: an
 * interrupted erasure finds it again.
 *
 * @param link the row that leads to the delivery
 * @returns the delivery, if it existed
 */
const eraseDelivery = async (
  session: Session,
  { link, key, countOnly }: { readonly link: Key; readonly key: string; readonly countOnly: boolean },
): Promise<InboxRow | undefined> => {
  const row = await readDelivery(session, key);
  if (row === undefined || countOnly) return row;
  const others = nameLinkKeys(key, row).filter(({ pk }) => pk !== link.pk);
  await Promise.all(others.map(async (other) => deleteItem(session, other)));
  if ('bodyKey' in row) await deleteBody(session, row.bodyKey);
  await deleteItem(session, deliveryKey(key));
  return row;
};

/** The subject of deliveries: a return, an order, or a name in a body without a readable order. */
export type DeliverySubject =
  | { readonly returnId: string }
  | { readonly platform: string; readonly orderId: string }
  | { readonly nameDigest: string };

const linksPartitionOf = (of: DeliverySubject): string => {
  if ('returnId' in of) return returnLinksPartition(of.returnId);
  return 'nameDigest' in of ? nameLinksPartition(of.nameDigest) : orderLinksPartition(of);
};

const none: ReadonlySet<string> = new Set();

/**
 * Erases or counts the deliveries of a subject.
 *
 * @param except digests of names: deliveries with one of them are counted elsewhere
 */
export const eraseDeliveries = async (
  session: Session,
  of: DeliverySubject,
  { after, countOnly, except = none }: PageRequest & { readonly except?: ReadonlySet<string> },
): Promise<ErasedPage<ReadonlySet<string>>> => {
  const { items, last } = await readPartition(session, linksPartitionOf(of), after);
  const found = await Promise.all(
    items.map(async ({ pk, sk, delivery }) => {
      const key = String(delivery);
      const row = await eraseDelivery(session, { link: { pk, sk }, key, countOnly });
      if (!countOnly) await deleteItem(session, { pk, sk });
      return row === undefined || row.nameDigests?.some((digest) => except.has(digest)) ? [] : [key];
    }),
  );
  return { count: new Set(found.flat()), ...(last !== undefined && { after: last }) };
};
