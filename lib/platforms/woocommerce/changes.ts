import { ok, type Result } from '../../contract/result.ts';
import type { JsonObject } from '../../runtime/json.ts';
import type { Change, Changes, From, ShopFailure } from '../platform.ts';
import { idOf, objectsOf, utcInstant } from '../shared/fields/fields.ts';
import type { Shop } from '../shared/http/api.ts';
import { isAhead, nextStart } from '../shared/http/each-part.ts';
import { permanent } from '../shared/http/shop-failure.ts';
import { ask } from './api.ts';

/** The most that the API gives at once. */
const pageSize = 100;
/** An order has the time at which it was saved, and is seen once the database has it. */
const lateMs = 60_000;
/** Orders that leave a second while we go through it move those behind them up by as many places. */
const overlap = 20;

/**
 * Where the next part begins: at a second, and in one that holds more orders than a page behind so many of them.
 * Its text is `2026-11-22T08:00:00` or `2026-11-22T08:00:00+100`, in UTC.
 */
type Place = { readonly at: string; readonly within?: number };

const placeOf = (text: string): Place | undefined => {
  const [, at = '', within] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\+(\d{1,9}))?$/.exec(text) ?? [];
  if (Number.isNaN(Date.parse(`${at}Z`))) return undefined;
  return within === undefined ? { at } : { at, within: Number(within) };
};
const textOf = ({ at, within }: Place): string => (within === undefined ? at : `${at}+${within}`);

const shifted = (at: string, seconds: number): string =>
  new Date(Date.parse(`${at}Z`) + seconds * 1000).toISOString().slice(0, 19);

const since = (instant: string): Place | undefined => {
  const time = Date.parse(instant);
  return Number.isNaN(time) ? undefined : { at: new Date(time).toISOString().slice(0, 19) };
};

/** Both limits are exclusive, and read in UTC only while they name no zone. */
const queryOf = ({ at, within }: Place): string => {
  const query = { status: 'any', dates_are_gmt: 'true', per_page: String(pageSize), order: 'asc' };
  const after = { modified_after: shifted(at, -1) };
  return new URLSearchParams(
    within === undefined
      ? { ...query, ...after, orderby: 'modified' }
      : { ...query, ...after, modified_before: shifted(at, 1), orderby: 'id', offset: String(within) },
  ).toString();
};

const secondOf = ({ date_modified_gmt: modified }: JsonObject): string | undefined =>
  utcInstant(modified)?.slice(0, 19);

/** Where to go on in this walk; nothing where it is at its end. */
const placeAfter = (place: Place, last: string | undefined, isFull: boolean): Place | undefined => {
  // After a second with more than a page of them comes the next one.
  if (place.within !== undefined)
    return isFull ? { at: place.at, within: place.within + pageSize - overlap } : { at: shifted(place.at, 1) };
  if (!isFull || last === undefined || isAhead(`${last}Z`)) return undefined;
  // Orders of one second have no order among themselves, which pages of them would need.
  return last <= place.at ? { at: place.at, within: 0 } : { at: last };
};

const nextWalk = ({ at }: Place, last: string | undefined): Place => ({
  at: nextStart(`${at}Z`, last && `${last}Z`, lateMs).slice(0, 19),
});

const changeOf = (order: JsonObject): Change | undefined => {
  const id = idOf(order['id']);
  const second = secondOf(order);
  if (id === undefined || second === undefined) return undefined;
  return { topic: 'order.updated', deliveryId: `order-${id}-${second}`, body: { id, date_modified_gmt: second } };
};

/**
 * Orders that were modified, oldest first: a page of them. Those of its last second are found again by the next walk,
 * since more of them may come.
 * https://woocommerce.github.io/woocommerce-rest-api-docs/#list-all-orders
 */
export const changedSince = async (shop: Shop, from: From): Promise<Result<Changes, ShopFailure>> => {
  const place = from.cursor === undefined ? since(from.since) : placeOf(from.cursor);
  if (place === undefined) return permanent('cursor_unreadable');
  const read = await ask(shop, `/orders?${queryOf(place)}`);
  if (!read.ok) return read;
  if (!Array.isArray(read.value)) return permanent('orders_unreadable');
  const orders = objectsOf(read.value);
  const found = orders.flatMap((order) => changeOf(order) ?? []);
  // One that nobody could ask for is left out: no page is to wait for it, and all that come after.
  if (found.length === 0 && orders.length > 0) return permanent('orders_unreadable');
  const last = orders.flatMap((order) => secondOf(order) ?? []).at(-1);
  const next = placeAfter(place, last, orders.length >= pageSize);
  return ok({ found, cursor: textOf(next ?? nextWalk(place, last)), more: next !== undefined });
};
