import { BatchWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

const batch = 25;
/** Concurrent batches. The engine writes one after the other. */
const parallel = 4;

/** Returns at most this number of the remaining values. */
const some = <Value>(all: Iterator<Value>, maximum: number): Value[] => {
  const taken: Value[] = [];
  while (taken.length < maximum) {
    const next = all.next();
    if (next.done === true) break;
    taken.push(next.value);
  }
  return taken;
};

/** Writes items into a table in batches, without conditions, and returns their number. */
export const writeAll = async (
  client: DynamoDBDocumentClient,
  table: string,
  items: Iterator<object>,
): Promise<number> => {
  let count = 0;
  const work = async (): Promise<void> => {
    for (let next = some(items, batch); next.length > 0; next = some(items, batch)) {
      count += next.length;
      const requests = next.map((Item) => ({ PutRequest: { Item } }));
      const { UnprocessedItems = {} } = await client.send(
        new BatchWriteCommand({ RequestItems: { [table]: requests } }),
      );
      if (Object.keys(UnprocessedItems).length > 0) throw new Error('the engine left items out');
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return count;
};
