import { setTimeout as pause } from 'node:timers/promises';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { decodeTime, encodeTime } from 'ulid';
import type { OrderRef } from '../../returns/model/order.ts';
import { table } from '../engine/client.ts';
import { customerIndexQuery, orderIndexQuery } from '../engine/indexes.ts';
import { queryAll } from '../engine/query-pages.ts';
import type { Session } from '../engine/session.ts';

const prefix = 'ret_';
/** Lower than no id and higher than all. */
const highest = '~';
/** Letters of a ULID that are its time. */
const timeLetters = 10;
/** Whoever asked for more than that asked for very many. */
const maxCounted = 1000;

/**
 * When returns of a customer were asked for since a time, the last ones first: epoch milliseconds, up to a thousand.
 * Eventually consistent, as indexes are.
 *
 * @param except the id of a return that is not to be among them
 */
export const readReturnTimes = async (
  session: Session,
  customerId: string,
  since: number,
  except?: string,
): Promise<number[]> => {
  const { name, attribute, sort, partitions } = customerIndexQuery(customerId);
  const { Items = [] } = await session.send(
    new QueryCommand({
      TableName: table(),
      IndexName: name,
      KeyConditionExpression: '#partition = :partition AND #sort BETWEEN :from AND :to',
      ExpressionAttributeNames: { '#partition': attribute, '#sort': sort },
      ExpressionAttributeValues: {
        ':partition': partitions[0],
        ':from': `${prefix}${encodeTime(since, timeLetters)}`,
        ':to': highest,
      },
      ProjectionExpression: '#sort',
      ScanIndexForward: false,
      Limit: maxCounted,
    }),
  );
  return Items.map((item) => String(item[sort]))
    .filter((id) => id !== except)
    .map((id) => decodeTime(id.slice(prefix.length)));
};

const readIndexedReturnIds = async (session: Session, order: OrderRef): Promise<string[]> => {
  const { name, attribute, sort, partitions } = orderIndexQuery(order);
  const items = await queryAll<Record<string, unknown>>(session, {
    IndexName: name,
    KeyConditionExpression: '#partition = :partition',
    ExpressionAttributeNames: { '#partition': attribute, '#sort': sort },
    ExpressionAttributeValues: { ':partition': partitions[0] },
    ProjectionExpression: '#sort',
  });
  return items.map((item) => String(item[sort]));
};

/** An index is behind its table by milliseconds, and seldom by more. */
const maxTries = 6;

/**
 * The ids of all returns of an order, as many as its ledger counts. The index that names them is behind the table at
 * times: it is asked again until it knows them all. Undefined where it does not come to that soon.
 */
export const readReturnIds = async (
  session: Session,
  order: OrderRef,
  count: number,
): Promise<readonly string[] | undefined> => {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const ids = await readIndexedReturnIds(session, order);
    if (ids.length >= count) return ids;
    await pause(20 * 2 ** tries, undefined, { signal: session.signal });
  }
  return undefined;
};
