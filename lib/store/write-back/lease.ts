import type { OrderRef } from '../../domain/returns/model/order.ts';
import { getItem } from '../engine/batch-get.ts';
import { table } from '../engine/client.ts';
import { writeBackLeaseKey } from '../engine/keys.ts';
import type { Session } from '../engine/session.ts';
import { updateIf } from '../engine/transact.ts';

/*
 * One worker at a time asks the shop of an order. A lease ends with the time of the function that holds it: no request
 * of a holder is sent after that.
 */

/** Takes the lease of an order until an instant, in epoch milliseconds. Returns whether it was free. */
export const takeWriteBackLease = async (
  session: Session,
  order: OrderRef,
  { owner, until, now }: { readonly owner: string; readonly until: number; readonly now: number },
): Promise<boolean> =>
  updateIf(session, {
    TableName: table(),
    Key: writeBackLeaseKey(order),
    UpdateExpression: 'SET #owner = :owner, #until = :until, expiresAt = :expiry',
    ConditionExpression: 'attribute_not_exists(pk) OR #until <= :now',
    ExpressionAttributeNames: { '#owner': 'owner', '#until': 'until' },
    ExpressionAttributeValues: {
      ':owner': owner,
      ':until': until,
      ':now': now,
      ':expiry': Math.ceil(until / 1000) + 3600,
    },
  });

/** Ends a lease, unless another worker has taken it. */
export const endWriteBackLease = async (session: Session, order: OrderRef, owner: string): Promise<void> => {
  await updateIf(session, {
    TableName: table(),
    Key: writeBackLeaseKey(order),
    UpdateExpression: 'SET #until = :none',
    ConditionExpression: '#owner = :owner',
    ExpressionAttributeNames: { '#owner': 'owner', '#until': 'until' },
    ExpressionAttributeValues: { ':owner': owner, ':none': 0 },
  });
};

/** Whether a worker asks the shop of an order at this moment. Strongly consistent. */
export const isWritingBack = async (session: Session, order: OrderRef, now: number): Promise<boolean> => {
  const lease = await getItem<{ readonly until: number }>(session, writeBackLeaseKey(order));
  return lease !== undefined && lease.until > now;
};
