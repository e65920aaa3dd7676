import { ok, type Result } from '../../../runtime/result.ts';
import type { JsonObject } from '../../../runtime/json.ts';
import {
  type PlatformChange,
  type ChangeBatch,
  type ChangeQuery,
  type ShopFailure,
  permanentFailure,
} from '../platform.ts';
import { idOf, instant } from '../shared/fields/fields.ts';
import type { Shop } from '../shared/http/api.ts';
import { addSeconds, isInFuture, nextScanStart } from '../shared/http/read-each.ts';
import { callListApi } from './api.ts';

/** The maximum page size of the API. */
const pageSize = 250;
/** An order has the time at which it was saved, and may become visible after one that was saved later. */
const lateMs = 60_000;

/**
 * The start of the next page: a second.
 * In a second with more than a page of orders it follows an order id. Its text is `2026-11-22T08:00:00` or
 * `2026-11-22T08:00:00+250`, in UTC.
 */
type Position = { readonly at: string; readonly behind?: string };

const parsePosition = (text: string): Position | undefined => {
  const [, at = '', behind] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\+(\d{1,30}))?$/.exec(text) ?? [];
  if (Number.isNaN(Date.parse(`${at}Z`))) return undefined;
  return behind === undefined ? { at } : { at, behind };
};
const formatPosition = ({ at, behind }: Position): string => (behind === undefined ? at : `${at}+${behind}`);

const positionAt = (text: string): Position | undefined => {
  const at = instant(text);
  return at === undefined ? undefined : { at: at.slice(0, 19) };
};

/**
 * The documentation does not say whether the limits are inclusive.
 * So each is a second wider, and a repeated order has the same id.
 */
const queryOf = ({ at, behind }: Position): string => {
  const query = { min_date_modified: `${addSeconds(at, -1)}+00:00`, limit: String(pageSize) };
  return new URLSearchParams(
    behind === undefined
      ? { ...query, sort: 'date_modified:asc' }
      : {
          ...query,
          max_date_modified: `${addSeconds(at, 1)}+00:00`,
          min_id: String(BigInt(behind) + 1n),
          sort: 'id:asc',
        },
  ).toString();
};

type ModifiedOrder = { readonly id: string; readonly second: string };

const readModifiedOrder = ({ id, date_modified: modified }: JsonObject): ModifiedOrder | undefined => {
  const order = idOf(id);
  const second = instant(modified)?.slice(0, 19);
  return order === undefined || second === undefined ? undefined : { id: order, second };
};

/** Returns the next position of this scan; undefined at its end. */
const nextPosition = (position: Position, last: ModifiedOrder | undefined, isFull: boolean): Position | undefined => {
  // After a second with more than a page of orders, the next second follows.
  if (position.behind !== undefined)
    return isFull && last !== undefined ? { at: position.at, behind: last.id } : { at: addSeconds(position.at, 1) };
  if (!isFull || last === undefined || isInFuture(`${last.second}Z`)) return undefined;
  return last.second <= position.at ? { at: position.at, behind: '0' } : { at: last.second };
};

const nextScanPosition = ({ at }: Position, last: ModifiedOrder | undefined): Position => ({
  at: nextScanStart(`${at}Z`, last && `${last.second}Z`, lateMs).slice(0, 19),
});

const changeOf = ({ id, second }: ModifiedOrder): PlatformChange => ({
  topic: 'store/order/updated',
  deliveryId: `order-${id}-${second}`,
  body: { data: { type: 'order', id }, created_at: second },
});

/**
 * Reads a page of modified orders, oldest first.
 * The next scan repeats the orders of the last second, because that second may get more.
 * https://docs.bigcommerce.com/developer/api-reference/rest/admin/management/orders/get-orders
 */
export const fetchChanges = async (shop: Shop, from: ChangeQuery): Promise<Result<ChangeBatch, ShopFailure>> => {
  const position = from.cursor === undefined ? positionAt(from.since) : parsePosition(from.cursor);
  if (position === undefined) return permanentFailure('cursor_unreadable');
  const read = await callListApi(shop, `/v2/orders?${queryOf(position)}`);
  if (!read.ok) return read;
  const orders = read.value.flatMap((order) => readModifiedOrder(order) ?? []);
  // An order without a usable id is left out, so that it does not block its page and later ones.
  if (orders.length === 0 && read.value.length > 0) return permanentFailure('orders_unreadable');
  const last = orders.at(-1);
  const next = nextPosition(position, last, read.value.length >= pageSize);
  return ok({
    found: orders.map(changeOf),
    cursor: formatPosition(next ?? nextScanPosition(position, last)),
    more: next !== undefined,
  });
};
