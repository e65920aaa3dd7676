import type { Input } from '../../contract/contract.ts';
import { failureOf, OperationFailure, unsupported } from '../failure.ts';
import { path } from '../path.ts';
import type { Service } from '../send.ts';
import { findByChange, freeOrder, markOf } from './order-changes.ts';
import { isReceivable, read, returnOf, step } from './return.ts';
import type { MedusaReturn } from './service.ts';

/* A receipt is begun, filled with items, and confirmed. */

type Receipt = Input<'receive'>;

/** @throws {OperationFailure} for units that Medusa would not count */
const itemsOf = ({ lines = [] }: Receipt, { items }: MedusaReturn) => {
  const received = new Set<string>();
  return lines.map(({ lineId, quantity }, index) => {
    const item = items.find(({ id }) => id === lineId);
    if (item === undefined) throw new OperationFailure(failureOf('return_line_not_found'));
    if (!isReceivable(item) || received.has(lineId))
      throw unsupported(`/lines/${index}/lineId`, 'must be a line without received units: Medusa receives it once');
    if (quantity > item.quantity)
      throw unsupported(`/lines/${index}/quantity`, 'must be at most the requested units of the line');
    if (items.filter(({ item_id }) => item_id === item.item_id).length > 1)
      throw unsupported(`/lines/${index}/lineId`, 'must be the only line of its order line');
    received.add(lineId);
    return { id: item.item_id, quantity };
  });
};

/** Receives units. */
export const receive = async (input: Receipt, service: Service) => {
  const { returnId } = input;
  const { send } = service;
  const found = await read(returnId, service);
  if (found.status !== 'requested' && found.status !== 'partially_received')
    throw new OperationFailure(failureOf('invalid_transition'));
  const items = itemsOf(input, found);
  await freeOrder(found.order_id, 'invalid_transition', service);
  await send(step(path`/admin/returns/${returnId}/receive`, { description: markOf(service) }));
  await send(step(path`/admin/returns/${returnId}/receive-items`, { items }));
  await send(step(path`/admin/returns/${returnId}/receive/confirm`, {}));
  return returnOf(await read(returnId, service));
};

/** Returns the return if this request has received the units. */
export const findReceived = async ({ returnId }: Receipt, service: Service) =>
  findByChange((await read(returnId, service)).order_id, service);
