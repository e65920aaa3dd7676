import { instantOf } from '../fields.ts';
import { type Path, path } from '../path.ts';
import type { ForeignRequest, Service } from '../send.ts';
import type { ListedReturn, MedusaReturn, ReturnAnswer, ReturnHead, ReturnItem } from './service.ts';

/* A return of Medusa in the words of the contract. */

const headFields = 'id,display_id,status,order_id,created_at,updated_at,requested_at,received_at';
export const listFields = `${headFields},items.quantity,items.item.variant_sku`;
const returnFields =
  `${headFields},canceled_at,order.display_id,order.email,order.customer_id,` +
  'items.id,items.item_id,items.quantity,items.received_quantity,items.note,' +
  'items.reason.value,items.reason.label,items.item.variant_sku';

/** Whether a value of a reason can be a code of ours. Others are only in `reason.source`. */
export const isCode = (value: string): boolean => value.length <= 100 && /^[a-z_]+(\.[a-z_]+)?$/.test(value);

const skuOf = ({ item }: { readonly item: { readonly variant_sku: string | null } }): string | undefined =>
  item.variant_sku || undefined;

const timeOf = (time: string | null, name: string): string | undefined =>
  time === null ? undefined : instantOf(time, 'UTC', `/${name}`);

const headOf = (head: ReturnHead) => ({
  returnId: head.id,
  rmaNumber: String(head.display_id),
  state: head.status,
  order: { orderId: head.order_id },
  createdAt: instantOf(head.created_at, 'UTC', '/created_at'),
  updatedAt: timeOf(head.updated_at, 'updated_at'),
  requestedAt: timeOf(head.requested_at, 'requested_at'),
  receivedAt: timeOf(head.received_at, 'received_at'),
});

/** Returns a return of a list. */
export const listedOf = (listed: ListedReturn) => ({
  ...headOf(listed),
  // An open return has no items yet.
  quantity: listed.items.reduce((sum, { quantity }) => sum + quantity, 0) || undefined,
  skus: [...new Set(listed.items.map(skuOf))].filter((sku) => sku !== undefined),
});

const lineOf = (item: ReturnItem) => ({
  lineId: item.id,
  orderLineId: item.item_id,
  sku: skuOf(item),
  quantities: { requested: item.quantity, received: item.received_quantity },
  reason: {
    code: item.reason !== null && isCode(item.reason.value) ? item.reason.value : undefined,
    note: item.note || undefined,
    source: item.reason === null ? undefined : { system: 'medusa', code: item.reason.value, label: item.reason.label },
  },
});

/** A receipt of Medusa replaces the count of an item, so an item can be received once. */
export const isReceivable = ({ received_quantity }: ReturnItem): boolean => received_quantity === 0;

const actionsOf = ({ status, items }: MedusaReturn) => {
  if (status === 'open') return ['cancel'] as const;
  if (status === 'requested') return ['receive', 'cancel'] as const;
  return status === 'partially_received' && items.some(isReceivable) ? (['receive'] as const) : [];
};

/** Returns a return with its lines. */
export const returnOf = (medusaReturn: MedusaReturn) => {
  const { order, order_id, items, canceled_at } = medusaReturn;
  const { email, customer_id } = order;
  return {
    ...headOf(medusaReturn),
    order: { orderId: order_id, number: String(order.display_id) },
    cancelledAt: timeOf(canceled_at, 'canceled_at'),
    actions: actionsOf(medusaReturn),
    customer: email || customer_id ? { email: email ?? undefined, id: customer_id ?? undefined } : undefined,
    lines: items.map(lineOf),
  };
};

/** A step of a command. Its answer has the whole order besides, which only a read of the return could leave out. */
export const step = (to: Path, body: object): ForeignRequest => ({
  method: 'POST',
  path: to,
  query: { fields: 'id' },
  body,
});

/** Reads a return. */
export const read = async (returnId: string, { send }: Service): Promise<MedusaReturn> => {
  const { body } = await send<ReturnAnswer>({
    method: 'GET',
    path: path`/admin/returns/${returnId}`,
    query: { fields: returnFields },
  });
  return body.return;
};
