import { ok, type Result } from '../../../runtime/result.ts';
import { type JsonObject, parseObject } from '../../../runtime/json.ts';
import type { PlatformChange, ChangeBatch, ChangeQuery, ShopFailure } from '../platform.ts';
import { latest, objectOf, objectsOf, utcInstant } from '../shared/fields/fields.ts';
import type { Shop } from '../shared/http/api.ts';
import { callApi } from './api.ts';
import { wholeNumber } from './numbers.ts';
import { isOrderId, isRequestId } from './order.ts';
import { stepsOf } from './return.ts';

/*
 * Changes that can be found without a delivery. Neither list can filter by time of change: the return app filters by
 * submission, the orders by creation. So both are scanned as far back as returns may be open. The reported times
 * exclude unchanged items. Two things are not found: changes without a time (a sent label), and open requests older
 * than the window. The trigger covers those.
 * https://github.com/vtex-apps/return-app/blob/main/docs/README.md#retrieve-return-request-list
 * https://developers.vtex.com/docs/api-reference/orders-api#get-/api/oms/pvt/orders
 */

const dayMs = 24 * 3600 * 1000;
const maxRequestAgeMs = 90 * dayMs;
const maxOrderAgeMs = 180 * dayMs;
/** Orders appear in their list about four minutes late. */
const overlapMs = 15 * 60 * 1000;
const ordersPerPage = 100;
/** The maximum number of pages of the order list. */
const maxPages = 30;

/**
 * The position.
 * Between scans `since` is the start of the next one, else `until` is when this scan began. Pages of requests are read
 * from the last to the first, that is from the oldest to the newest. Those of orders are read in their order, from
 * `from` on.
 */
type Position = {
  readonly since: string;
  readonly until?: string;
  readonly list?: 'returns' | 'orders';
  readonly page?: number;
  readonly from?: string;
};

const parsePosition = (cursor: string | undefined, since: string): Position => {
  const parsed = parseObject(cursor ?? '') ?? {};
  const until = utcInstant(parsed['until']);
  const list = parsed['list'] === 'orders' ? 'orders' : 'returns';
  const page = wholeNumber(parsed['page']);
  const from = utcInstant(parsed['from']);
  return {
    since: utcInstant(parsed['since']) ?? utcInstant(since) ?? new Date().toISOString(),
    ...(until !== undefined && { until, list }),
    ...(page !== undefined && page >= 1 && { page }),
    ...(from !== undefined && { from }),
  };
};

const subtractMs = (instant: string, milliseconds: number): string =>
  new Date(Date.parse(instant) - milliseconds).toISOString();

type ScanPage = { readonly found: readonly PlatformChange[]; readonly next: Position; readonly more: boolean };
type Scan = Position & { readonly until: string };

/** Whether an item may have changed since the last scan. Without a time it may. */
const mayBeNew = ({ since }: Position, at: string | undefined): boolean =>
  at === undefined || at >= subtractMs(since, overlapMs);

/** Returns the change of a request at its latest status or comment. */
const requestChange = (scan: Position, fields: JsonObject): readonly PlatformChange[] => {
  const { id, status } = fields;
  if (!isRequestId(id) || typeof status !== 'string') return [];
  const at = latest(
    stepsOf(fields).flatMap((step) => [step.at, ...step.comments.map(({ createdAt }) => utcInstant(createdAt))]),
  );
  return mayBeNew(scan, at)
    ? [{ topic: 'return-request', deliveryId: `${id}:${status}:${at ?? ''}`, body: { id } }]
    : [];
};

const ordersPosition = ({ since, until }: Scan): Position => ({ since, until, list: 'orders', page: 1 });

const fetchReturnsPage = async (
  shop: Shop,
  scan: Scan,
  page: number,
): Promise<Result<{ readonly list: readonly JsonObject[]; readonly pages: number }, ShopFailure>> => {
  // Days follow the app's clock.
  const days = [subtractMs(scan.since, maxRequestAgeMs), subtractMs(scan.until, -2 * dayMs)].map((time) =>
    time.slice(0, 10),
  );
  const path = `/_v/return-request?_dateSubmitted=${days.join(',')}&_page=${page}&_allFields=1`;
  const answer = await callApi(shop, 'returnsUrl', path);
  if (!answer.ok) return answer;
  const reply = objectOf(answer.value);
  return ok({ list: objectsOf(reply['list']), pages: wholeNumber(objectOf(reply['paging'])['pages']) ?? 1 });
};

const scanReturns = async (shop: Shop, scan: Scan): Promise<Result<ScanPage, ShopFailure>> => {
  const first = scan.page === undefined ? await fetchReturnsPage(shop, scan, 1) : undefined;
  if (first !== undefined && !first.ok) {
    // Some accounts do not have the app.
    return first.failure.reason === 'shop_status_404'
      ? ok({ found: [], next: ordersPosition(scan), more: true })
      : first;
  }
  const page = scan.page ?? Math.max(1, first?.value.pages ?? 1);
  const read = first !== undefined && page === 1 ? first : await fetchReturnsPage(shop, scan, page);
  if (!read.ok) return read;
  const found = read.value.list.toReversed().flatMap((fields) => requestChange(scan, fields));
  return ok({ found, next: page > 1 ? { ...scan, page: page - 1 } : ordersPosition(scan), more: true });
};

/** Returns the change of an order at its return invoices. */
const orderChange = (scan: Position, { orderId, invoiceInput, lastChange }: JsonObject): readonly PlatformChange[] => {
  if (!isOrderId(orderId)) return [];
  const at = utcInstant(lastChange);
  const numbers = Array.isArray(invoiceInput)
    ? invoiceInput.filter((number) => typeof number === 'string').join(',')
    : '';
  const deliveryId = `${orderId}:${numbers.slice(0, 500)}:${at ?? ''}`;
  return mayBeNew(scan, at) ? [{ topic: 'order', deliveryId, body: { OrderId: orderId } }] : [];
};

const scanOrders = async (shop: Shop, scan: Scan): Promise<Result<ScanPage, ShopFailure>> => {
  const { page = 1, from = subtractMs(scan.since, maxOrderAgeMs) } = scan;
  const query = new URLSearchParams({
    f_hasInputInvoice: 'true',
    f_creationDate: `creationDate:[${from} TO ${scan.until}]`,
    orderBy: 'creationDate,asc',
    page: String(page),
    per_page: String(ordersPerPage),
  });
  const answer = await callApi(shop, 'apiUrl', `/api/oms/pvt/orders?${query.toString()}`);
  if (!answer.ok) return answer;
  const reply = objectOf(answer.value);
  const list = objectsOf(reply['list']);
  const found = list.flatMap((fields) => orderChange(scan, fields));
  const pages = wholeNumber(objectOf(reply['paging'])['pages']) ?? 1;
  if (page < Math.min(pages, maxPages)) return ok({ found, next: { ...scan, page: page + 1 }, more: true });
  const last = utcInstant(list.at(-1)?.['creationDate']);
  if (pages > maxPages && last !== undefined && last > from)
    return ok({ found, next: { ...scan, page: 1, from: last }, more: true });
  return ok({ found, next: { since: scan.until }, more: false });
};

/**
 * Returns the changes since a cursor: one page of one list per call, two at the beginning of a scan.
 *
 * @param since the start without a cursor
 */
export const fetchChanges = async (
  shop: Shop,
  { cursor, since }: ChangeQuery,
): Promise<Result<ChangeBatch, ShopFailure>> => {
  const position = parsePosition(cursor, since);
  const scan: Scan = { ...position, until: position.until ?? new Date().toISOString() };
  const step = await (scan.list === 'orders' ? scanOrders : scanReturns)(shop, scan);
  if (!step.ok) return step;
  const { found, next, more } = step.value;
  return ok({ found, cursor: JSON.stringify(next), more });
};
