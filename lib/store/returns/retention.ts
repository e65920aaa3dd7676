import type { OrderRef } from '../../returns/model/order.ts';
import type { Return } from '../../returns/model/return.ts';
import { customerIndexQuery, type IndexQuery, orderIndexQuery } from '../engine/indexes.ts';
import { queryAll } from '../engine/query-pages.ts';
import type { Session } from '../engine/session.ts';
import { readReturns } from './returns.ts';

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
