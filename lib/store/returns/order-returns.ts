import { setTimeout as pause } from 'node:timers/promises';
import type { OrderRef } from '../../returns/model/order.ts';
import { orderLookup } from '../engine/indexes.ts';
import { queryAll } from '../engine/query-pages.ts';
import type { Session } from '../engine/session.ts';

const indexed = async (session: Session, order: OrderRef): Promise<string[]> => {
  const { name, attribute, sort, partitions } = orderLookup(order);
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
