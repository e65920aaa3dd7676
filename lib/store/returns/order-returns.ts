import { setTimeout as pause } from 'node:timers/promises';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { encodeTime } from 'ulid';
import type { OrderRef } from '../../domain/returns/model/order.ts';
import type { Return } from '../../domain/returns/model/return.ts';
import { table } from '../engine/client.ts';
import { customerIndexQuery, orderIndexQuery, type IndexQuery } from '../engine/indexes.ts';
import { queryAll } from '../engine/query-pages.ts';
import type { Session } from '../engine/session.ts';
import { readErasedSequences } from '../personal/personal.ts';
import { readReturns } from './returns.ts';

const prefix = 'ret_';
/** Sorts above every id. */
const highest = '~';
/** The letters of a ULID that hold its time. */
const timeLetters = 10;
/** Counts above this make no difference. */
const maxCounted = 1000;

/**
 * Returns the ids of a customer's returns since a time, newest first, up to a thousand. Eventually consistent, as indexes
 * are. Returns whose texts an erasure or the retention has deleted are left out: they count for nothing any more.
 *
 * @param except the id of a return to leave out
 */
export const readEarlierReturnIds = async (
  session: Session,
  customerId: string,
  since: number,
  except?: string,
): Promise<readonly string[]> => {
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
  const ids = Items.map((item) => String(item[sort])).filter((id) => id !== except);
  const erased = await readErasedSequences(session, ids);
  return ids.filter((id) => !erased.has(id));
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

/** An index lags behind its table by milliseconds, seldom by more. */
const maxTries = 6;

/**
 * Returns the ids of all returns of an order, as many as its ledger counts. The index may lag behind the table, so it
 * is read again until it lists all. Undefined when it lags for too long.
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

/* Reads returns for the retention: by their order, and by their customer. */

const readIndexedReturns = async (session: Session, lookup: IndexQuery): Promise<readonly Return[] | undefined> => {
  const { name, attribute, sort, partitions } = lookup;
  const items = await queryAll<Record<string, unknown>>(session, {
    IndexName: name,
    KeyConditionExpression: '#partition = :partition',
    ExpressionAttributeNames: { '#partition': attribute, '#sort': sort },
    ExpressionAttributeValues: { ':partition': partitions[0] },
    ProjectionExpression: '#sort',
  });
  const ids = items.map((item) => String(item[sort]));
  const found = await readReturns(session, ids);
  return found.size < ids.length ? undefined : [...found.values()];
};

/** Returns the returns of an order; undefined when one is unreadable, or the index lags behind the ledger's count. */
export const readReturnsOfOrder = async (
  session: Session,
  order: OrderRef,
  count: number,
): Promise<readonly Return[] | undefined> => {
  const found = await readIndexedReturns(session, orderIndexQuery(order));
  return found !== undefined && found.length >= count ? found : undefined;
};

/**
 * Returns the returns of a subject; undefined when one is unreadable.
 *
 * @throws {Error} for a text that is not a subject
 */
export const readReturnsOfSubject = async (
  session: Session,
  subject: string,
): Promise<readonly Return[] | undefined> => {
  const [, platform = '', kind, id] = /^([^:]+):(customer|order):(.+)$/s.exec(subject) ?? [];
  if (id === undefined) throw new Error('a person has no subject');
  const lookup = kind === 'order' ? orderIndexQuery({ platform, orderId: id }) : customerIndexQuery(id);
  const found = await readIndexedReturns(session, lookup);
  // Customers of different shops may have the same id.
  return found?.filter((state) => state.subject === subject);
};
