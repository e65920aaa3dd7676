import type { Return } from '../../domain/returns/model/return.ts';
import { retentionConfig } from '../../runtime/configuration/config.ts';
import { configured } from '../../runtime/container.ts';
import { batchGet, getItem } from '../engine/batch-get.ts';
import { table } from '../engine/client.ts';
import { dueAttributesIn } from '../engine/due.ts';
import { erasedKey, personKey, personPartition, subjectOfPartition, textsKey, textsPrefix } from '../engine/keys.ts';
import { pack, unpack } from '../engine/pack.ts';
import { queryAll } from '../engine/query-pages.ts';
import type { Session } from '../engine/session.ts';
import { putNew, putUnlessLater, type Write, updateIf } from '../engine/transact.ts';
import { digestsIn, readSearch, searchAttributes, writeSearchChanges } from './search-rows.ts';

export type Person = { readonly email?: string; readonly name?: string };

/**
 * A person as observed at a time, with the digests under which the search finds them. `erased` means that a known person
 * was erased and not observed since.
 */
export type StoredPerson = {
  readonly person: Person;
  readonly observedAt: string;
  readonly digests: readonly string[];
  readonly erased?: true;
};

/** The mark of an erased person: older than any later observation. */
export const erasedPerson = { erased: true, observedAt: '' } as const;

/** A personal text with the salt of its digest. An erasure deletes both. */
export type SaltedText = { readonly ref: string; readonly salt: string; readonly text: string };

/** The reference of a return's key pair: the first text of its first entry. */
export const actorKeyRef = 'actorKey';

/** The reference of the text that leads to the marker of equal declarations. */
export const markerRef = 'marker';

/** The reference of the signed receipt of a withdrawal. */
export const receiptRef = 'receipt';

/** Texts that the service made, next to those that people wrote. */
export const internalRefs: ReadonlySet<string> = new Set([actorKeyRef, markerRef, receiptRef]);

type PersonItem =
  | typeof erasedPerson
  | { readonly value: string | Uint8Array; readonly observedAt: string; readonly search?: string };

const config = configured(retentionConfig);

/** The size of the texts of one item before compression, so that the item stays below 400 KB. */
const chunkBytes = 300 * 1024;

const personOf = (item: PersonItem): StoredPerson =>
  'erased' in item
    ? { person: {}, ...erasedPerson, digests: [] }
    : { person: unpack(item.value) as Person, observedAt: item.observedAt, digests: digestsIn(item) };

/** Returns the customer, or undefined when they were never observed. */
export const readPerson = async (session: Session, subject: string): Promise<StoredPerson | undefined> => {
  const item = await getItem<PersonItem>(session, personKey(subject));
  return item === undefined ? undefined : personOf(item);
};

/** Returns the observed customers among some subjects. Eventually consistent. */
export const readPersons = async (
  session: Session,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, StoredPerson>> => {
  const keys = [...new Set(subjects)].map(personKey);
  const items = await batchGet(session, keys, ['pk', 'value', 'observedAt', 'search', 'erased']);
  return new Map(items.map((item) => [subjectOfPartition(String(item['pk'])), personOf(item as PersonItem)]));
};

/**
 * Writes a person, unless a later observation is stored, with the rows by which the search finds them. It fails when
 * the rows have changed since the read, so that none stays for an earlier text.
 *
 * @param before the digests that were read
 */
export const writePerson = (
  subject: string,
  { person, observedAt, digests }: Omit<StoredPerson, 'erased'>,
  before: readonly string[],
): Write[] => [
  putUnlessLater(
    'person',
    personKey(subject),
    {
      value: pack(person),
      observedAt,
      ...searchAttributes(digests),
      ...dueAttributesIn('persons', personPartition(subject), config().personalDays),
    },
    readSearch(before),
  ),
  ...writeSearchChanges(subject, before, digests),
];

/** Returns the personal texts of a return, by reference. */
export const readTexts = async (
  session: Session,
  subject: string,
  returnId: string,
): Promise<ReadonlyMap<string, string>> => {
  const items = await queryAll<{ value: string | Uint8Array }>(session, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': personPartition(subject), ':prefix': textsPrefix(returnId) },
    ConsistentRead: true,
  });
  const texts = items.flatMap(({ value }) => unpack(value) as SaltedText[]);
  return new Map(texts.map(({ ref, text }) => [ref, text]));
};

/** Returns the key pair that encrypts the actors of a return, as a text; undefined when it is erased. */
export const readActorKey = async (
  session: Session,
  subject: string,
  returnId: string,
): Promise<ReadonlyMap<string, string>> => {
  const item = await getItem<{ value: string | Uint8Array }>(session, textsKey(subject, returnId, 1, 0));
  const texts = item === undefined ? [] : (unpack(item.value) as SaltedText[]);
  return new Map(texts.filter(({ ref }) => ref === actorKeyRef).map(({ ref, text }) => [ref, text]));
};

const chunks = (texts: readonly SaltedText[]): SaltedText[][] => {
  const rows: SaltedText[][] = [];
  let room = 0;
  for (const text of texts) {
    const bytes = Buffer.byteLength(JSON.stringify(text));
    if (bytes > room || rows.length === 0) {
      rows.push([]);
      room = chunkBytes;
    }
    rows.at(-1)?.push(text);
    room -= bytes;
  }
  return rows;
};

/** Writes the personal texts of an entry of a return. */
export const writeTexts = (
  { subject, id, version }: Pick<Return, 'subject' | 'id' | 'version'>,
  texts: readonly SaltedText[],
): Write[] =>
  chunks(texts).map((chunk, index) => putNew('texts', textsKey(subject, id, version, index), { value: pack(chunk) }));

/*
 * Marks of erased texts. An erasure deletes all existing texts of a return, and texts are added with the entries of its
 * history. So one sequence is enough: that of the last entry whose texts are erased.
 */

type ErasedMark = { readonly through: number };

/** Marks the texts of all entries up to a sequence as erased. A repeat, or an earlier sequence, changes nothing. */
export const markTextsErased = async (session: Session, returnId: string, through: number): Promise<void> =>
  void (await updateIf(session, {
    TableName: table(),
    Key: erasedKey(returnId),
    UpdateExpression: 'SET #through = :through',
    ConditionExpression: 'attribute_not_exists(#through) OR #through < :through',
    ExpressionAttributeNames: { '#through': 'through' },
    ExpressionAttributeValues: { ':through': through },
  }));

/** Returns the sequence of the last entry whose texts are erased; 0 when none are. */
export const readErasedSequence = async (session: Session, returnId: string): Promise<number> =>
  (await getItem<ErasedMark>(session, erasedKey(returnId)))?.through ?? 0;

/** Returns the marks of many returns, by id, without those that have none. Eventually consistent. */
export const readErasedSequences = async (
  session: Session,
  returnIds: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const marks = await batchGet(session, returnIds.map(erasedKey), ['pk', 'through']);
  return new Map(marks.map(({ pk, through }) => [String(pk).slice(String(pk).indexOf('#') + 1), Number(through)]));
};
