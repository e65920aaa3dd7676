import { ok, type Result } from '../../../runtime/result.ts';
import { sha256 } from '../../../runtime/hash.ts';
import type { JsonObject } from '../../../runtime/json.ts';
import type { PlatformChange, ChangeBatch, ChangeQuery, ShopFailure } from '../platform.ts';
import { idOf, objectsOf, utcInstant } from '../shared/fields/fields.ts';
import { isInFuture, nextScanStart } from '../shared/http/read-each.ts';
import { asCommerceTime } from './amounts.ts';
import { callApi, type Filter, type RegisteredShop, searchFor } from './api.ts';
import { creditmemoSaved, returnSaved } from './envelope.ts';

const pageSize = 100;
/** A credit memo has the time at which it was written, and is visible only after its transaction. */
const lateMs = 60_000;
/** The maximum age of a return that may still change. */
const windowMs = 90 * 24 * 3_600_000;

/**
 * The position of a scan.
 * Credit memos have a time of change. `since` is that time, and `page` is used if one second has more than one page.
 * Returns have no such time, so all returns of the window are read by their ids: `after`.
 */
type Position = { readonly since: string; readonly page: number; readonly after: string };

const form = /^(\d{4}-\d\d-\d\dT[\d:.]{8,12}Z) (\d{1,6}) (\d{1,30})$/;

const parsePosition = (cursor: string | undefined, since: string): Position => {
  const [, at, page, after] = form.exec(cursor ?? '') ?? [];
  return at === undefined || page === undefined || after === undefined
    ? { since, page: 1, after: '0' }
    : { since: at, page: Number(page), after };
};

/** Returns a digest of the fields of a return that concern us, to detect changes. */
const digestOf = ({ status, items, tracks }: JsonObject): string => {
  const state = [
    status,
    objectsOf(items).map((item) => [
      item['entity_id'],
      item['status'],
      item['qty_requested'],
      item['qty_authorized'],
      item['qty_returned'],
      item['qty_approved'],
    ]),
    objectsOf(tracks).map((track) => track['track_number']),
  ];
  return sha256(JSON.stringify(state), 'base64url').slice(0, 22);
};

const changeOf = (topic: string, id: string, name: string, version: string): PlatformChange => ({
  topic,
  deliveryId: `${name}-${id}-${version}`,
  body: { data: { value: { entity_id: id } } },
});

type Rows = { readonly rows: readonly JsonObject[]; readonly more: boolean };

/**
 * Searches one page.
 * After the last page Commerce returns the last one again, so the total count shows whether more follow.
 */
const search = async (
  shop: RegisteredShop,
  collection: string,
  filters: readonly Filter[],
  page: { readonly sortBy: readonly string[]; readonly page?: number },
): Promise<Result<Rows, ShopFailure>> => {
  const answer = await callApi(shop, `${collection}?${searchFor(filters, { ...page, pageSize })}`);
  if (!answer.ok) return answer;
  const { items, total_count: count } = answer.value;
  const rows = objectsOf(items);
  const isLast = typeof count === 'number' && (page.page ?? 1) * pageSize >= count;
  return ok({ rows, more: rows.length >= pageSize && !isLast });
};

type ScanPage = { readonly found: readonly PlatformChange[]; readonly position: Position; readonly more: boolean };

const scanMemos = async (shop: RegisteredShop, position: Position): Promise<Result<ScanPage, ShopFailure>> => {
  const filter: Filter = { field: 'updated_at', condition: 'gteq', value: asCommerceTime(position.since) };
  const read = await search(shop, 'creditmemos', [filter], {
    sortBy: ['updated_at', 'entity_id'],
    page: position.page,
  });
  if (!read.ok) return read;
  const found = read.value.rows.flatMap((row) => {
    const [id, at] = [idOf(row['entity_id']), utcInstant(row['updated_at'])];
    return id === undefined || at === undefined ? [] : [{ id, at }];
  });
  const last = found.at(-1)?.at;
  const more = read.value.more && !isInFuture(last);
  const isLater = last !== undefined && asCommerceTime(last) > asCommerceTime(position.since);
  const next = more
    ? { since: isLater ? last : position.since, page: isLater ? 1 : position.page + 1 }
    : { since: nextScanStart(position.since, last, lateMs), page: 1 };
  return ok({
    found: found.map(({ id, at }) => changeOf(creditmemoSaved, id, 'creditmemo', at)),
    position: { ...position, ...next },
    more,
  });
};

const scanReturns = async (shop: RegisteredShop, position: Position): Promise<Result<ScanPage, ShopFailure>> => {
  const start = new Date(Date.now() - windowMs).toISOString();
  const read = await search(
    shop,
    'returns',
    [
      { field: 'date_requested', condition: 'gteq', value: asCommerceTime(start) },
      { field: 'entity_id', condition: 'gt', value: position.after },
    ],
    { sortBy: ['entity_id'] },
  );
  if (!read.ok) return read;
  const found = read.value.rows.flatMap((row) => {
    const id = idOf(row['entity_id']);
    return id === undefined ? [] : [{ id, version: digestOf(row) }];
  });
  const last = found.at(-1)?.id;
  const more = read.value.more && last !== undefined;
  return ok({
    found: found.map(({ id, version }) => changeOf(returnSaved, id, 'rma', version)),
    position: { ...position, after: more ? last : '0' },
    more,
  });
};

/**
 * Finds changes: credit memos since the cursor, and all returns requested in the last 90 days.
 * Commerce does not report when a return changed. An unchanged return has the same delivery id as before and is known
 * by it. This takes two requests.
 */
export const fetchChanges = async (
  shop: RegisteredShop,
  from: ChangeQuery,
): Promise<Result<ChangeBatch, ShopFailure>> => {
  const memos = await scanMemos(shop, parsePosition(from.cursor, from.since));
  if (!memos.ok) return memos;
  const returns = await scanReturns(shop, memos.value.position);
  if (!returns.ok) return returns;
  const { since, page, after } = returns.value.position;
  return ok({
    found: [...returns.value.found, ...memos.value.found],
    cursor: `${since} ${page} ${after}`,
    more: memos.value.more || returns.value.more,
  });
};
