import { setTimeout as pause } from 'node:timers/promises';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { OrderRef } from '../returns/order.ts';
import { table } from './client.ts';
import { orderLookup } from './indexes.ts';
import type { Session } from './session.ts';

const indexed = async (session: Session, order: OrderRef): Promise<string[]> => {
  const { name, attribute, sort, partitions } = orderLookup(order);
  const ids: string[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await session.send(
      new QueryCommand({
        TableName: table,
        IndexName: name,
        KeyConditionExpression: '#partition = :partition',
        ExpressionAttributeNames: { '#partition': attribute, '#sort': sort },
        ExpressionAttributeValues: { ':partition': partitions[0] },
        ProjectionExpression: '#sort',
        ExclusiveStartKey: start,
      }),
    );
    ids.push(...Items.map((item) => String(item[sort])));
    start = LastEvaluatedKey;
  } while (start !== undefined);
  return ids;
};

/** An index is behind its table by milliseconds, and seldom by more. */
const maxTries = 6;

/**
 * The ids of all returns of an order, as many as its ledger counts. The index that names them is behind the table at
 * times: it is asked again until it knows them all. Undefined where it does not come to that soon.
 */
export const returnIdsOf = async (
  session: Session,
  order: OrderRef,
  count: number,
): Promise<readonly string[] | undefined> => {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const ids = await indexed(session, order);
    if (ids.length >= count) return ids;
    await pause(20 * 2 ** tries, undefined, { signal: session.signal });
  }
  return undefined;
};
