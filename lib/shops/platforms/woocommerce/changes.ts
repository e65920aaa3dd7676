import { ok, type Result } from '../../../runtime/result.ts';
import type { JsonObject } from '../../../runtime/json.ts';
import {
  type PlatformChange,
  type ChangeBatch,
  type ChangeQuery,
  type ShopFailure,
  permanentFailure,
} from '../platform.ts';
import { idOf, objectsOf, utcInstant } from '../shared/fields/fields.ts';
import type { Shop } from '../shared/http/api.ts';
import { addSeconds, isInFuture, nextScanStart } from '../shared/http/read-each.ts';
import { callApi } from './api.ts';

/** The maximum page size of the API. */
const pageSize = 100;
/** An order has the time at which it was saved, and is visible once the database has committed it. */
const lateMs = 60_000;
/** Orders that leave a second during the scan move later ones forward by as many positions. */
const overlap = 20;

/**
 * The start of the next page: a second.
 * In a second with more than a page of orders it also has the number of orders to skip. Its text is
 * `2026-11-22T08:00:00` or `2026-11-22T08:00:00+100`, in UTC.
 */
type Position = { readonly at: string; readonly within?: number };

const parsePosition = (text: string): Position | undefined => {
  const [, at = '', within] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\+(\d{1,9}))?$/.exec(text) ?? [];
  if (Number.isNaN(Date.parse(`${at}Z`))) return undefined;
  return within === undefined ? { at } : { at, within: Number(within) };
};
const formatPosition = ({ at, within }: Position): string => (within === undefined ? at : `${at}+${within}`);

const positionAt = (instant: string): Position | undefined => {
  const time = Date.parse(instant);
  return Number.isNaN(time) ? undefined : { at: new Date(time).toISOString().slice(0, 19) };
};

/** Both limits are exclusive, and are read in UTC only if they name no zone. */
const queryOf = ({ at, within }: Position): string => {
  const query = { status: 'any', dates_are_gmt: 'true', per_page: String(pageSize), order: 'asc' };
  const after = { modified_after: addSeconds(at, -1) };
  return new URLSearchParams(
    within === undefined
      ? { ...query, ...after, orderby: 'modified' }
      : { ...query, ...after, modified_before: addSeconds(at, 1), orderby: 'id', offset: String(within) },
  ).toString();
};

const secondOf = ({ date_modified_gmt: modified }: JsonObject): string | undefined =>
  utcInstant(modified)?.slice(0, 19);

/** Returns the next position of this scan; undefined at its end. */
const nextPosition = (position: Position, last: string | undefined, isFull: boolean): Position | undefined => {
  // After a second with more than a page of orders, the next second follows.
  if (position.within !== undefined)
    return isFull
      ? { at: position.at, within: position.within + pageSize - overlap }
      : { at: addSeconds(position.at, 1) };
  if (!isFull || last === undefined || isInFuture(`${last}Z`)) return undefined;
  // Orders of one second have no defined order, which their pages would need.
  return last <= position.at ? { at: position.at, within: 0 } : { at: last };
};

const nextScanPosition = ({ at }: Position, last: string | undefined): Position => ({
  at: nextScanStart(`${at}Z`, last && `${last}Z`, lateMs).slice(0, 19),
});

const changeOf = (order: JsonObject): PlatformChange | undefined => {
  const id = idOf(order['id']);
  const second = secondOf(order);
  if (id === undefined || second === undefined) return undefined;
  return { topic: 'order.updated', deliveryId: `order-${id}-${second}`, body: { id, date_modified_gmt: second } };
};

/**
 * Reads a page of modified orders, oldest first.
 * The next scan repeats the orders of the last second, because that second may get more.
 * https://woocommerce.github.io/woocommerce-rest-api-docs/#list-all-orders
 */
export const fetchChanges = async (shop: Shop, from: ChangeQuery): Promise<Result<ChangeBatch, ShopFailure>> => {
  const position = from.cursor === undefined ? positionAt(from.since) : parsePosition(from.cursor);
  if (position === undefined) return permanentFailure('cursor_unreadable');
  const read = await callApi(shop, `/orders?${queryOf(position)}`);
  if (!read.ok) return read;
  if (!Array.isArray(read.value)) return permanentFailure('orders_unreadable');
  const orders = objectsOf(read.value);
  const found = orders.flatMap((order) => changeOf(order) ?? []);
  // An order without a usable id is left out, so that it does not block its page and later ones.
  if (found.length === 0 && orders.length > 0) return permanentFailure('orders_unreadable');
  const last = orders.flatMap((order) => secondOf(order) ?? []).at(-1);
  const next = nextPosition(position, last, orders.length >= pageSize);
  return ok({ found, cursor: formatPosition(next ?? nextScanPosition(position, last)), more: next !== undefined });
};
