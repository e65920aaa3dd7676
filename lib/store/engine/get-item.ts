import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { table } from './client.ts';
import type { Key } from './keys.ts';
import type { Session } from './session.ts';

/** The item of a key as last written, or undefined. `Item` is what whoever wrote it put in. */
export const getItem = async <Item>(session: Session, key: Key): Promise<Item | undefined> => {
  const { Item: item } = await session.send(new GetCommand({ TableName: table(), Key: key, ConsistentRead: true }));
  return item as Item | undefined;
};
