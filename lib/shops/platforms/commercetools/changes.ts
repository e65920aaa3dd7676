import { ok, type Result } from '../../../runtime/result.ts';
import { isObject, type JsonObject, parseObject } from '../../../runtime/json.ts';
import {
  type PlatformChange,
  type ChangeBatch,
  type ChangeQuery,
  type ShopFailure,
  permanentFailure,
} from '../platform.ts';
import { instant } from '../shared/fields/fields.ts';
import type { Shop } from '../shared/http/api.ts';
import { callApi } from './api.ts';
import { changeId, type ResourceRef } from './notification.ts';

const pageSize = 100;

/** Queries may lag behind writes. The next run reads changes that are newer than this. */
const settlingMs = 10_000;

/** The position after a change of one kind: its time, and its id among the changes of that time. */
type Position = { readonly at: string; readonly id: string };
type Cursor = Readonly<Record<ResourceRef['kind'], Position>>;

/**
 * The relevant changes.
 * A payment's refund does not change its order. Orders whose return info was removed cannot be distinguished from
 * others. Only their message reports that.
 */
const filters: Readonly<Record<ResourceRef['kind'], string>> = {
  order: 'returnInfo is not empty',
  payment: 'transactions(type="Refund")',
};
const paths: Readonly<Record<ResourceRef['kind'], string>> = { order: 'orders', payment: 'payments' };

const parsePosition = (value: unknown): Position | undefined => {
  if (!isObject(value)) return undefined;
  const { at, id } = value;
  const time = instant(at);
  return time !== undefined && typeof id === 'string' && /^[A-Za-z0-9_-]{0,100}$/.test(id)
    ? { at: time, id }
    : undefined;
};

/** Parses a cursor. An invalid cursor restarts at `since`. */
const parseCursor = ({ cursor, since }: ChangeQuery): Cursor => {
  const parsed = cursor === undefined ? undefined : parseObject(cursor);
  const start = { at: instant(since) ?? new Date(0).toISOString(), id: '' };
  return { order: parsePosition(parsed?.['order']) ?? start, payment: parsePosition(parsed?.['payment']) ?? start };
};

type ChangedResource = Position & { readonly kind: ResourceRef['kind']; readonly version: number };

const readChangedResource = (kind: ResourceRef['kind'], value: JsonObject): ChangedResource | undefined => {
  const { id, version, lastModifiedAt } = value;
  const position = parsePosition({ id, at: lastModifiedAt });
  return position !== undefined && Number.isSafeInteger(version)
    ? { ...position, kind, version: Number(version) }
    : undefined;
};

const readPage = async (
  shop: Shop,
  kind: ResourceRef['kind'],
  { at, id }: Position,
): Promise<Result<readonly ChangedResource[], ShopFailure>> => {
  const until = new Date(Date.now() - settlingMs).toISOString();
  const behind = `(lastModifiedAt > "${at}" or (lastModifiedAt = "${at}" and id > "${id}"))`;
  const answer = await callApi(shop, paths[kind], [
    ['where', `${filters[kind]} and ${behind} and lastModifiedAt < "${until}"`],
    ['sort', 'lastModifiedAt asc'],
    ['sort', 'id asc'],
    ['limit', String(pageSize)],
    ['withTotal', 'false'],
  ]);
  if (!answer.ok) return answer;
  const results = isObject(answer.value) ? answer.value['results'] : undefined;
  if (!Array.isArray(results)) return permanentFailure('shop_reply_unreadable');
  return ok(results.filter(isObject).flatMap((value) => readChangedResource(kind, value) ?? []));
};

/** Returns a change with an id that names its version, so that the same version is fetched once. */
const changeOf = ({ kind: typeId, id, version }: ChangedResource): PlatformChange => ({
  topic: 'ResourceUpdated',
  deliveryId: changeId(typeId, id, version),
  body: { notificationType: 'ResourceUpdated', resource: { typeId, id }, version },
});

const positionAfter = (found: readonly ChangedResource[], before: Position): Position => {
  const last = found.at(-1);
  return last === undefined ? before : { at: last.at, id: last.id };
};

/**
 * Finds changed orders with return info and payments with refunds, oldest first: at most 100 of each.
 * https://docs.commercetools.com/api/general-concepts#sorting
 */
export const fetchChanges = async (shop: Shop, from: ChangeQuery): Promise<Result<ChangeBatch, ShopFailure>> => {
  const start = parseCursor(from);
  const orders = await readPage(shop, 'order', start.order);
  if (!orders.ok) return orders;
  const payments = await readPage(shop, 'payment', start.payment);
  if (!payments.ok) return payments;
  const cursor: Cursor = {
    order: positionAfter(orders.value, start.order),
    payment: positionAfter(payments.value, start.payment),
  };
  return ok({
    found: [...orders.value, ...payments.value].toSorted((a, b) => a.at.localeCompare(b.at)).map(changeOf),
    cursor: JSON.stringify(cursor),
    more: orders.value.length === pageSize || payments.value.length === pageSize,
  });
};
