import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { OrderRef } from '../../returns/model/order.ts';
import type { Return } from '../../returns/model/return.ts';
import type { Summary } from '../../returns/summary.ts';
import { table } from '../engine/client.ts';
import { customerLookup, orderLookup, updateLookup, type Lookup } from '../engine/indexes.ts';
import { unpack } from '../engine/pack.ts';
import { queryAll } from '../engine/query-pages.ts';
import { readReturns } from './returns.ts';
import type { Session } from '../engine/session.ts';

/* Returns as those find them who look at what is over: by their last change, by their order, and by their customer. */

/** In so many partitions returns stand by their last change. */
export const changePartitions = (): readonly string[] => updateLookup().partitions;

/** A page of returns by their last change, the oldest first. */
export type ChangedPage = {
  readonly returns: readonly Pick<Summary, 'id' | 'status'>[];
  /** The position of the last one; none where there are no more. */
  readonly last?: string;
};

/**
 * Returns that last changed behind a position and before a time. Eventually consistent, as an index is.
 *
 * @param until an instant
 */
export const readChangedBefore = async (
  session: Session,
  partition: string,
  { after = '!', until }: { readonly after: string | undefined; readonly until: string },
  limit: number,
): Promise<ChangedPage> => {
  // The engine takes no range that is upside down.
  if (after >= until) return { returns: [] };
  const { name, attribute, sort } = updateLookup();
  const { Items = [] } = await session.send(
    new QueryCommand({
      TableName: table,
      IndexName: name,
      KeyConditionExpression: '#partition = :partition AND #sort BETWEEN :after AND :until',
      ExpressionAttributeNames: { '#partition': attribute, '#sort': sort },
      // Both ends are included: behind a position is behind all that it begins.
      ExpressionAttributeValues: { ':partition': partition, ':after': `${after}~`, ':until': until },
      Limit: limit,
    }),
  );
  const returns = (Items as { summary: string | Uint8Array }[]).map(({ summary }) => unpack(summary) as Summary);
  const last = Items.at(-1);
  return { returns, ...(last !== undefined && { last: String(last[sort]) }) };
};

const returnsIn = async (session: Session, lookup: Lookup): Promise<readonly Return[] | undefined> => {
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

/** The returns of an order as they are now; undefined where one cannot be read, or the index is behind the ledger's count. */
export const returnsOfOrder = async (
  session: Session,
  order: OrderRef,
  count: number,
): Promise<readonly Return[] | undefined> => {
  const found = await returnsIn(session, orderLookup(order));
  return found !== undefined && found.length >= count ? found : undefined;
};

/**
 * The returns of a subject as they are now; undefined where one cannot be read.
 *
 * @throws {Error} for what is no subject
 */
export const returnsOfSubject = async (session: Session, subject: string): Promise<readonly Return[] | undefined> => {
  const [, platform = '', kind, id] = /^([^:]+):(customer|order):(.+)$/s.exec(subject) ?? [];
  if (id === undefined) throw new Error('a person has no subject');
  const lookup = kind === 'order' ? orderLookup({ platform, orderId: id }) : customerLookup(id);
  const found = await returnsIn(session, lookup);
  // Customers of other shops may have the same id.
  return found?.filter((state) => state.subject === subject);
};
