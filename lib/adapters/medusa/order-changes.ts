import type { ErrorCode } from '../../contract/errors.ts';
import { OperationFailure } from '../failure.ts';
import { path } from '../path.ts';
import type { ForeignRequest, Service } from '../send.ts';
import { read, returnOf } from './return.ts';
import type { OrderChange, OrderChanges } from './service.ts';

/*
 * A request for a return and a receipt are changes of an order: begun, filled with items, then confirmed. An order has one
 * open change at a time. The description of a change names our request, so a repeat finds what the request began.
 */

const mark = 'Returns request';

/** Returns the description of the change that this request begins. */
export const markOf = ({ key }: Service): string => `${mark} ${key}`;

/** Longer than a function runs: no request of ours works on an open change of this age any more. */
const abandonedMs = 60_000;

const isOpen = ({ status }: OrderChange): boolean => status === 'pending' || status === 'requested';

const isAbandoned = ({ description, created_at }: OrderChange): boolean =>
  description?.startsWith(mark) === true && Date.parse(created_at) < Date.now() - abandonedMs;

const requestOf = (orderId: string): ForeignRequest => ({
  method: 'GET',
  path: path`/admin/orders/${orderId}/changes`,
  query: { fields: 'status,change_type,return_id,description,created_at,actions.action' },
});

/** Takes back a change. A return that was only begun is then gone. */
const takeBack = async ({ change_type, return_id }: OrderChange, { send }: Service): Promise<void> => {
  const id = return_id ?? '';
  const isReceipt = change_type === 'return_receive';
  await send({
    method: 'DELETE',
    path: isReceipt ? path`/admin/returns/${id}/receive` : path`/admin/returns/${id}/request`,
  });
};

/**
 * Makes sure that an order has no open change. One that an earlier request of ours has begun and left is taken back.
 *
 * @throws {OperationFailure} with the code, for an open change of another client
 */
export const freeOrder = async (orderId: string, code: ErrorCode, service: Service): Promise<void> => {
  const { body } = await service.send<OrderChanges>(requestOf(orderId));
  const open = body.order_changes.find(isOpen);
  if (open === undefined) return;
  if (isAbandoned(open)) return takeBack(open, service);
  const detail =
    'The order has an open change at the Returns Service, such as another return. Finish or cancel it there first.';
  throw new OperationFailure({ code, detail });
};

/**
 * Returns the return if the change of this request is confirmed, and takes back a change that is only begun. It waits
 * while the last call of the request may be in progress: taking back a change during its confirmation leaves half of each.
 *
 * @returns undefined while it is unknown what the request began
 */
export const findByChange = async (orderId: string, service: Service) => {
  const ours = ({ order_changes }: OrderChanges) =>
    order_changes.find(({ description }) => description === markOf(service));
  const { body } = await service.follow<OrderChanges>(requestOf(orderId), (changes) => {
    const change = ours(changes);
    // Without items, no confirmation was sent.
    return change === undefined || !isOpen(change) || change.actions.length === 0 || isAbandoned(change);
  });
  const change = ours(body);
  if (change?.status === 'confirmed') return returnOf(await read(change.return_id ?? '', service));
  if (change === undefined || !isOpen(change)) return undefined;
  await takeBack(change, service);
  return 'no effect' as const;
};
