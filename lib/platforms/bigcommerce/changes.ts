import { ok, type Result } from '../../contract/result.ts';
import type { JsonObject } from '../../runtime/json.ts';
import type { PlatformChange, ChangeBatch, ChangeQuery, ShopFailure } from '../platform.ts';
import { idOf, instant } from '../shared/fields/fields.ts';
import type { Shop } from '../shared/http/api.ts';
import { isInFuture, nextScanStart } from '../shared/http/read-each.ts';
import { permanentFailure } from '../shared/http/shop-failure.ts';
import { callListApi } from './api.ts';

/** The most that the API gives at once. */
const pageSize = 250;
/** An order has the time at which it was saved, and may be seen later than one that was saved after it. */
const lateMs = 60_000;

/**
 * Where the next part begins: at a second, and in one that holds more orders than a page behind one of them, by its id.
 * Its text is `2026-11-22T08:00:00` or `2026-11-22T08:00:00+250`, in UTC.
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

const addSeconds = (at: string, seconds: number): string =>
  new Date(Date.parse(`${at}Z`) + seconds * 1000).toISOString().slice(0, 19);

/** Whether the limits are inclusive is not told: they lie a second farther, and what is found twice has one name. */
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

/** Where to go on in this walk; nothing where it is at its end. */
const nextPosition = (place: Position, last: ModifiedOrder | undefined, isFull: boolean): Position | undefined => {
  // After a second with more than a page of them comes the next one.
  if (place.behind !== undefined)
    return isFull && last !== undefined ? { at: place.at, behind: last.id } : { at: addSeconds(place.at, 1) };
  if (!isFull || last === undefined || isInFuture(`${last.second}Z`)) return undefined;
  return last.second <= place.at ? { at: place.at, behind: '0' } : { at: last.second };
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
 * Orders that were modified, oldest first: a page of them. Those of its last second are found again by the next walk,
 * since more of them may come.
 * https://docs.bigcommerce.com/developer/api-reference/rest/admin/management/orders/get-orders
 */
export const fetchChanges = async (shop: Shop, from: ChangeQuery): Promise<Result<ChangeBatch, ShopFailure>> => {
  const place = from.cursor === undefined ? positionAt(from.since) : parsePosition(from.cursor);
  if (place === undefined) return permanentFailure('cursor_unreadable');
  const read = await callListApi(shop, `/v2/orders?${queryOf(place)}`);
  if (!read.ok) return read;
  const orders = read.value.flatMap((order) => readModifiedOrder(order) ?? []);
  // One that nobody could ask for is left out: no page is to wait for it, and all that come after.
  if (orders.length === 0 && read.value.length > 0) return permanentFailure('orders_unreadable');
  const last = orders.at(-1);
  const next = nextPosition(place, last, read.value.length >= pageSize);
  return ok({
    found: orders.map(changeOf),
    cursor: formatPosition(next ?? nextScanPosition(place, last)),
    more: next !== undefined,
  });
};
