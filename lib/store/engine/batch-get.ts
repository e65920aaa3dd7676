import { BatchGetCommand, type BatchGetCommandOutput, GetCommand } from '@aws-sdk/lib-dynamodb';
import { pauseBeforeRetry } from '../../runtime/retry.ts';
import { table } from './client.ts';
import type { Key } from './keys.ts';
import type { Session } from './session.ts';

/** Reads an item that never exists, to test access to the table. */
export const probe = async (session: Session): Promise<void> =>
  void (await session.send(new GetCommand({ TableName: table(), Key: { pk: 'PROBE', sk: 'PROBE' } })));

/** Returns the item of a key as last written, or undefined. `Item` is the type that was written. */
export const getItem = async <Item>(session: Session, key: Key): Promise<Item | undefined> => {
  const { Item: item } = await session.send(new GetCommand({ TableName: table(), Key: key, ConsistentRead: true }));
  return item as Item | undefined;
};

/** The maximum of keys in one request. */
const batchSize = 100;
const pauseLimits = { baseMs: 20, maxMs: 500 };

const readBatch = async (
  session: Session,
  batch: readonly Key[],
  attributes: readonly string[],
  consistent: boolean,
): Promise<Record<string, unknown>[]> => {
  // Attribute names may be reserved words of the engine.
  const names = Object.fromEntries([...attributes, 'schema'].map((name) => [`#${name}`, name]));
  const reading = {
    ProjectionExpression: Object.keys(names).join(', '),
    ExpressionAttributeNames: names,
    ConsistentRead: consistent,
  };
  const read: Record<string, unknown>[] = [];
  let keys: Record<string, unknown>[] | undefined = batch.map((key) => ({ ...key }));
  for (let tries = 0; keys !== undefined && keys.length > 0; tries += 1) {
    // A response omits keys that exceed its size, or the capacity of the table at that moment.
    if (tries > 0) await pauseBeforeRetry(tries, pauseLimits, session.signal);
    const { Responses, UnprocessedKeys }: BatchGetCommandOutput = await session.send(
      new BatchGetCommand({ RequestItems: { [table()]: { Keys: keys, ...reading } } }),
    );
    read.push(...(Responses?.[table()] ?? []));
    keys = UnprocessedKeys?.[table()]?.Keys;
  }
  return read;
};

/** Returns some attributes of many items, unordered, without missing items. Eventually consistent by default. */
export const batchGet = async (
  session: Session,
  keys: readonly Key[],
  attributes: readonly string[],
  { consistent = false }: { readonly consistent?: boolean } = {},
): Promise<Record<string, unknown>[]> => {
  const batches = Array.from({ length: Math.ceil(keys.length / batchSize) }, (_, index) =>
    keys.slice(index * batchSize, (index + 1) * batchSize),
  );
  return (await Promise.all(batches.map(async (batch) => readBatch(session, batch, attributes, consistent)))).flat();
};
