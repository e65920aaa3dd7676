import { ok, type Result } from '../../contract/result.ts';
import { isObject, type JsonObject } from '../../runtime/json.ts';
import type { SeenRefund, SeenReturn } from '../shared/sync/seen.ts';
import { instant, latest } from '../shared/fields/instants.ts';
import type { ShopFailure } from '../platform.ts';
import { permanent } from '../shared/http/shop-failure.ts';
import { idIn, textIn } from './fields.ts';
import { fractionOf, rounded } from './fraction.ts';
import { goodsOf, parcelsOf } from './goods.ts';
import type { OrderReading } from './order.ts';

/** Whether somebody in the shop is still putting it together; nobody has been told of it. */
export const isDraft = ({ status, canceled_at: canceledAt }: JsonObject): boolean =>
  status === 'open' && textIn(canceledAt) === undefined;

/** Nobody decides on a return in Medusa: one that is asked for may come. */
const statuses: Readonly<Record<string, SeenReturn['status']>> = {
  requested: 'approved',
  partially_received: 'approved',
  received: 'completed',
  canceled: 'cancelled',
};

/** Whether the shop still owes money on the order, by its own sum. */
const owes = ({ order: { summary }, currency }: OrderReading): boolean => {
  const difference = isObject(summary) ? fractionOf(summary['pending_difference']) : undefined;
  if (difference === undefined || difference.above >= 0n) return false;
  return rounded({ ...difference, above: -difference.above }, currency)?.amount !== 0;
};

/** Some versions leave the status where it was when they cancel. A word that is unknown here has been added since. */
const statusOf = ({ status, canceled_at: canceledAt }: JsonObject, reading: OrderReading): SeenReturn['status'] => {
  if (textIn(canceledAt) !== undefined) return 'cancelled';
  const known = typeof status === 'string' && Object.hasOwn(statuses, status) ? statuses[status] : undefined;
  return known === 'completed' && owes(reading) ? 'approved' : (known ?? 'requested');
};

/** The customer's own, from the storefront, have nobody who made them. */
const initiatorOf = ({ created_by: by }: JsonObject): SeenReturn['initiatedBy'] =>
  textIn(by) === undefined || String(by).startsWith('cus_') ? 'customer' : 'agent';

/** A return of an order as it stands in the shop; it has ended when all came and what is owed was paid. */
export const returnOf = (
  node: JsonObject,
  reading: OrderReading,
  refunds: readonly SeenRefund[],
): Result<{ readonly seen: SeenReturn; readonly unread?: ShopFailure }, ShopFailure> => {
  const externalId = idIn(node['id']);
  const createdAt = instant(node['requested_at']) ?? instant(node['created_at']);
  if (externalId === undefined || createdAt === undefined) return permanent('return_unreadable');
  const goods = goodsOf(node);
  if (!goods.ok) return goods;
  const { unread, ...came } = goods.value;
  const status = came.lines.length === 0 ? 'cancelled' : statusOf(node, reading);
  const closedAt = latest([instant(node['received_at']), ...refunds.map(({ occurredAt }) => occurredAt)]);
  const seen: SeenReturn = {
    platform: 'medusa',
    externalId,
    orderId: String(reading.order['id']),
    status,
    createdAt,
    ...(status === 'completed' && closedAt !== undefined && { closedAt }),
    seenAt: reading.observedAt,
    initiatedBy: initiatorOf(node),
    ...came,
    parcels: parcelsOf(node),
  };
  return ok({ seen, ...(unread !== undefined && { unread }) });
};

/** Whether a return was to come, or had come, at an instant. */
export const isUnderWay = (node: JsonObject, at: string): boolean => {
  const from = instant(node['requested_at']) ?? instant(node['created_at']) ?? at;
  const to = instant(node['canceled_at']);
  return from <= at && (to === undefined || to > at);
};
