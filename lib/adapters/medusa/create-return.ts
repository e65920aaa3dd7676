import type { Input } from '../../contract/contract.ts';
import { failureOf, OperationFailure, unsupported } from '../failure.ts';
import { path } from '../path.ts';
import type { Service } from '../send.ts';
import { findByChange, freeOrder, markOf } from './order-changes.ts';
import { read, returnOf, step } from './return.ts';
import type { BegunReturn, OrderLocations, Reasons } from './service.ts';

/* A return is begun, filled with items, and confirmed. */

type Creation = Input<'createReturn'>;

/** A receipt names order lines, so Medusa could not tell two lines of one order line apart. */
const rejectRepeatedLines = ({ lines }: Creation): void => {
  const earlier = new Set<string>();
  const index = lines.findIndex(({ orderLineId }) => earlier.size === earlier.add(orderLineId).size);
  if (index >= 0)
    throw unsupported(`/lines/${index}/orderLineId`, 'must not be in an earlier line: add up the quantities');
};

const itemsOf = async ({ lines }: Creation, { send }: Service) => {
  const codes = [...new Set(lines.map(({ reason }) => reason.code))];
  const { body } = await send<Reasons>({
    method: 'GET',
    path: path`/admin/return-reasons`,
    query: { value: codes, fields: 'id,value,label', limit: codes.length },
  });
  const ids = new Map(body.return_reasons.map(({ id, value }) => [value, id]));
  return lines.map(({ orderLineId, quantity, reason }) => {
    const reasonId = ids.get(reason.code);
    if (reasonId === undefined) throw new OperationFailure(failureOf('reason_unknown'));
    return { id: orderLineId, quantity, reason_id: reasonId, internal_note: reason.note };
  });
};

/** Goods come back to where they were shipped from. Several locations leave the choice to staff. */
const locationOf = async (orderId: string, { send }: Service): Promise<string | undefined> => {
  const { body } = await send<OrderLocations>({
    method: 'GET',
    path: path`/admin/orders/${orderId}`,
    query: { fields: 'id,fulfillments.location_id,fulfillments.canceled_at' },
  });
  const shipped = body.order.fulfillments.filter(({ canceled_at }) => canceled_at === null);
  const [location, ...others] = new Set(shipped.map(({ location_id }) => location_id));
  return others.length === 0 ? (location ?? undefined) : undefined;
};

/** Creates a return. */
export const createReturn = async (input: Creation, service: Service) => {
  rejectRepeatedLines(input);
  const { orderId } = input.order;
  const { send } = service;
  const items = await itemsOf(input, service);
  const location = await locationOf(orderId, service);
  await freeOrder(orderId, 'duplicate_return', service);
  const { body } = await send<BegunReturn>(
    step(path`/admin/returns`, { order_id: orderId, location_id: location, description: markOf(service) }),
  );
  const { id } = body.return;
  await send(step(path`/admin/returns/${id}/request-items`, { items }));
  await send(step(path`/admin/returns/${id}/request`, {}));
  return returnOf(await read(id, service));
};

/** Returns the return that this request has created. */
export const findCreated = ({ order }: Creation, service: Service) => findByChange(order.orderId, service);
