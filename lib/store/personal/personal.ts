import type { Return } from '../../returns/model/return.ts';
import { retentionConfig } from '../../runtime/config.ts';
import { configured } from '../../runtime/container.ts';
import { getItem } from '../engine/batch-get.ts';
import { dueAttributesIn } from '../engine/due.ts';
import { personKey, personPartition, textsKey, textsPrefix } from '../engine/keys.ts';
import { pack, unpack } from '../engine/pack.ts';
import { queryAll } from '../engine/query-pages.ts';
import type { Session } from '../engine/session.ts';
import { putNew, putUnlessLater, type Write } from '../engine/transact.ts';

export type Person = { readonly email?: string; readonly name?: string };

/** A person as told at a time. `erased` stands for one who was known and is deleted: nothing has been told since. */
export type StoredPerson = { readonly person: Person; readonly observedAt: string; readonly erased?: true };

/** What is left of a person: older than anything that is told of them later. */
export const erasedPerson = { erased: true, observedAt: '' } as const;

/** A personal text with the salt of its digest: both go when it is erased. */
export type SaltedText = { readonly ref: string; readonly salt: string; readonly text: string };

/** Where the key pair of a return is among its texts: the first text of its first entry. */
export const actorKeyRef = 'actorKey';

type PersonItem = typeof erasedPerson | { readonly value: string | Uint8Array; readonly observedAt: string };

const config = configured(retentionConfig);

/** Texts of one item, by their bytes before compression, so that the item stays below 400 KB. */
const chunkBytes = 300 * 1024;

/** Who the customer is, or undefined when that was never told. */
export const readPerson = async (session: Session, subject: string): Promise<StoredPerson | undefined> => {
  const item = await getItem<PersonItem>(session, personKey(subject));
  if (item === undefined) return undefined;
  if ('erased' in item) return { person: {}, ...erasedPerson };
  return { person: unpack(item.value) as Person, observedAt: item.observedAt };
};

/** The person, unless a later observation stands there by then. */
export const writePerson = (subject: string, { person, observedAt }: StoredPerson): Write =>
  putUnlessLater('person', personKey(subject), {
    value: pack(person),
    observedAt,
    ...dueAttributesIn('persons', personPartition(subject), config().personalDays),
  });

/** The personal texts of a return, by where they belong. */
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

/** The key pair by which a return says whom clients acted for, as a text; none where it is erased. */
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
  const all: SaltedText[][] = [];
  let room = 0;
  for (const text of texts) {
    const bytes = Buffer.byteLength(JSON.stringify(text));
    if (bytes > room || all.length === 0) {
      all.push([]);
      room = chunkBytes;
    }
    all.at(-1)?.push(text);
    room -= bytes;
  }
  return all;
};

/** Keeps the personal texts that an entry of a return brought beside it. */
export const writeTexts = (
  { subject, id, version }: Pick<Return, 'subject' | 'id' | 'version'>,
  texts: readonly SaltedText[],
): Write[] =>
  chunks(texts).map((chunk, index) => putNew('texts', textsKey(subject, id, version, index), { value: pack(chunk) }));
