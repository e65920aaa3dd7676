import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Entry } from '../returns/entry.ts';
import type { ExternalRef, Return } from '../returns/return.ts';
import { table } from './client.ts';
import { entryKey, externalRefKey, returnKey, rmaKey } from './keys.ts';
import { pack, unpack } from './pack.ts';
import type { Session } from './session.ts';
import { putNew, putVersion, type Write } from './transact.ts';

type Packed = { readonly value: string | Uint8Array };

/** A return as it is now, or undefined. */
export const readReturn = async (session: Session, returnId: string): Promise<Return | undefined> => {
  const { Item } = await session.send(
    new GetCommand({ TableName: table, Key: returnKey(returnId), ConsistentRead: true }),
  );
  return Item === undefined ? undefined : (unpack((Item as Packed).value) as Return);
};

/** The return with one of these external references, or undefined. */
export const findByExternalRefs = async (
  session: Session,
  refs: readonly ExternalRef[],
): Promise<string | undefined> => {
  const found = await Promise.all(
    refs.map(async (ref) => {
      const { Item } = await session.send(
        new GetCommand({ TableName: table, Key: externalRefKey(ref), ConsistentRead: true }),
      );
      return Item?.['returnId'] as string | undefined;
    }),
  );
  return found.find((returnId) => returnId !== undefined);
};

/** Up to `limit` entries of a history after a sequence, oldest first. */
export const readEntries = async (
  session: Session,
  returnId: string,
  after: number,
  limit: number,
): Promise<Entry[]> => {
  const from = entryKey(returnId, after + 1);
  const { Items = [] } = await session.send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: { ':pk': from.pk, ':from': from.sk, ':to': entryKey(returnId, 9_999_999_999).sk },
      ConsistentRead: true,
      Limit: limit,
    }),
  );
  return Items.map((item) => unpack((item as Packed).value) as Entry);
};

/** The snapshot in place of version `before` (0 for a new return), and the entries that led to it. */
export const writeReturn = (state: Return, entries: readonly Entry[], before: number): Write[] => [
  putVersion('return', returnKey(state.id), { version: state.version, value: pack(state) }, before),
  ...entries.map((entry) => putNew('entry', entryKey(state.id, entry.sequence), { value: pack(entry) })),
];

/** The markers that keep a new return's RMA number and external references unique. */
export const writeMarkers = (state: Return): Write[] => [
  putNew('rmaNumber', rmaKey(state.rmaNumber), { returnId: state.id }),
  ...state.externalRefs.map((ref) => putNew('externalRef', externalRefKey(ref), { returnId: state.id })),
];
