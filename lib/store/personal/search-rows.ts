import { batchGet, getItem } from '../engine/batch-get.ts';
import {
  type Key,
  personKey,
  searchKey,
  searchPartition,
  subjectOfPartition,
  subjectOfSearchKey,
} from '../engine/keys.ts';
import { queryAll } from '../engine/query-pages.ts';
import type { Session } from '../engine/session.ts';
import { put, type ReadAttribute, remove, transact, unlessChanged, update, type Write } from '../engine/transact.ts';

/*
 * The rows by which the search finds persons: one for each digest of a name or an e-mail address. The item of the person
 * lists the digests. So an erasure deletes the rows without the key, also those of an earlier key.
 */

type Packed = string | Uint8Array;

const attribute = 'search';

/** Returns the digests in the item of a person. */
export const digestsIn = ({ search }: { readonly search?: string }): readonly string[] =>
  search === undefined ? [] : search.split(' ');

const searchText = (digests: readonly string[]): string | undefined =>
  digests.length === 0 ? undefined : digests.join(' ');

/** Returns the attributes of a person with these digests. */
export const searchAttributes = (digests: readonly string[]): Readonly<Record<string, string>> => {
  const text = searchText(digests);
  return text === undefined ? {} : { [attribute]: text };
};

/** Returns the condition that a person has these digests still. */
export const readSearch = (digests: readonly string[]): ReadAttribute => ({
  name: attribute,
  value: searchText(digests),
});

/** Writes the rows of new digests, and deletes those of former ones. */
export const writeSearchChanges = (subject: string, before: readonly string[], after: readonly string[]): Write[] => [
  ...after.filter((digest) => !before.includes(digest)).map((digest) => put('search', searchKey(digest, subject), {})),
  ...before.filter((digest) => !after.includes(digest)).map((digest) => remove('search', searchKey(digest, subject))),
];

/** Returns the digests of a person as last written: none without a person. */
export const readDigests = async (session: Session, key: Key): Promise<readonly string[]> =>
  digestsIn((await getItem<{ readonly search?: string }>(session, key)) ?? {});

/** Returns the persons with one of these digests: at most `limit` for each. */
export const readSubjects = async (
  session: Session,
  digests: readonly string[],
  limit: number,
): Promise<readonly string[]> => {
  const found = await Promise.all(
    digests.map(async (digest) =>
      queryAll<Key>(
        session,
        {
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': searchPartition(digest) },
          ConsistentRead: true,
        },
        limit,
      ),
    ),
  );
  return [...new Set(found.flat().map(subjectOfSearchKey))];
};

/** The item of a person, for a write of its digests. */
export type IndexedPerson = {
  readonly subject: string;
  readonly value: Packed;
  readonly digests: readonly string[];
};

/** Reads persons with their digests, without those who are unknown or erased. */
export const readIndexedPersons = async (
  session: Session,
  subjects: readonly string[],
): Promise<readonly IndexedPerson[]> => {
  const keys = [...new Set(subjects)].map(personKey);
  const items = await batchGet(session, keys, ['pk', 'value', attribute], { consistent: true });
  return (items as { pk: string; value?: Packed; search?: string }[]).flatMap(({ pk, value, ...item }) =>
    value === undefined ? [] : [{ subject: subjectOfPartition(pk), value, digests: digestsIn(item) }],
  );
};

/**
 * Writes the digests of a person, unless the person has changed since the read.
 *
 * @returns whether they are written
 */
export const writeDigests = async (
  session: Session,
  { subject, value, digests: before }: IndexedPerson,
  after: readonly string[],
): Promise<boolean> => {
  const text = searchText(after);
  const { ExpressionAttributeNames, ExpressionAttributeValues, ...condition } = unlessChanged([
    { name: 'value', value },
    readSearch(before),
  ]);
  const outcome = await transact(session, [
    update('person', {
      Key: personKey(subject),
      UpdateExpression: text === undefined ? 'REMOVE #search' : 'SET #search = :search',
      ...condition,
      ExpressionAttributeNames: { ...ExpressionAttributeNames, '#search': attribute },
      ExpressionAttributeValues: { ...ExpressionAttributeValues, ...(text !== undefined && { ':search': text }) },
    }),
    ...writeSearchChanges(subject, before, after),
  ]);
  return outcome.written;
};
