import { fail, ok, type Result } from '../../contract/result.ts';
import type { JsonObject } from '../../runtime/json.ts';
import type { PlatformChange, ChangeBatch, ChangeQuery, ShopFailure } from '../platform.ts';
import { instant, objectsOf } from '../shared/fields/fields.ts';
import type { Shop } from '../shared/http/api.ts';
import { isInFuture, notInFuture } from '../shared/http/read-each.ts';
import { callApi } from './api.ts';
import { idIn } from './order.ts';

const pageSize = 100;
/** What is written while a list is read may carry an earlier time than what was read of it. */
const overlapMs = 2 * 60_000;

/** From when on a list is still to be read, and how many that changed at that very instant were read before. */
type Position = { readonly at: string; readonly skip: number };
type DatedChange = { readonly at: string; readonly change: PlatformChange };
type ScanPage = { readonly found: readonly DatedChange[]; readonly place: Position; readonly more: boolean };

type ChangeList = {
  readonly path: 'returns' | 'payments';
  readonly fields: string;
  /** What a changed one means, if anything. */
  readonly changeOf: (node: JsonObject, id: string, at: string) => PlatformChange | undefined;
};

const returns: ChangeList = {
  path: 'returns',
  fields: 'id,order_id,status,updated_at',
  changeOf: ({ order_id: orderId, status }, id, at) =>
    status === 'open'
      ? undefined
      : { topic: 'return.updated', deliveryId: `${id}@${at}`, body: { data: { order_id: orderId, return_id: id } } },
};

const payments: ChangeList = {
  path: 'payments',
  fields: 'id,updated_at,refunds.id',
  changeOf: ({ refunds }, id, at) => {
    const ids = objectsOf(refunds).flatMap((refund) => idIn(refund['id']) ?? []);
    return ids.length === 0
      ? undefined
      : { topic: 'payment.updated', deliveryId: `${id}@${at}`, body: { data: { id } } };
  },
};

/** Where to go on: in a full page from its last, else a little before it. */
const nextPosition = (
  nodes: readonly (readonly [string, JsonObject])[],
  more: boolean,
  { at, skip }: Position,
): Position => {
  const [first, last] = [nodes[0]?.[0], nodes.at(-1)?.[0]];
  if (first === undefined || last === undefined) return { at: notInFuture(at), skip: 0 };
  if (!more) {
    const before = new Date(Date.parse(notInFuture(last)) - overlapMs).toISOString();
    return { at: before > at ? before : notInFuture(at), skip: 0 };
  }
  // Those that were read before are of the instant that the page began at, and of no later one.
  return { at: last, skip: first === last ? (last === at ? skip : 0) + pageSize : 0 };
};

const readPage = async (
  shop: Shop,
  { path, fields, changeOf }: ChangeList,
  place: Position,
): Promise<Result<ScanPage, ShopFailure>> => {
  const answer = await callApi(shop, path, {
    'updated_at[$gte]': place.at,
    order: 'updated_at',
    limit: String(pageSize),
    offset: String(place.skip),
    fields,
  });
  if (!answer.ok) return answer;
  const listed = objectsOf(answer.value[path]);
  const nodes = listed.flatMap((node): (readonly [string, JsonObject])[] => {
    const at = instant(node['updated_at']);
    return at === undefined ? [] : [[at, node]];
  });
  const found = nodes.flatMap(([at, node]): DatedChange[] => {
    const id = idIn(node['id']);
    const change = id === undefined ? undefined : changeOf(node, id, at);
    return change === undefined ? [] : [{ at, change }];
  });
  const more = listed.length >= pageSize && !isInFuture(nodes.at(-1)?.[0]);
  return ok({ found, place: nextPosition(nodes, more, place), more });
};

const form = /^r=(\d{4}-\d\d-\d\dT[\d:.]{8,12}Z)\+(\d{1,9})&p=(\d{4}-\d\d-\d\dT[\d:.]{8,12}Z)\+(\d{1,9})$/;

const parsePositions = (cursor: string | undefined, since: string): readonly [Position, Position] => {
  const [, ofReturns, returnsRead, ofPayments, paymentsRead] = form.exec(cursor ?? '') ?? [];
  return [
    { at: ofReturns ?? since, skip: Number(returnsRead ?? 0) },
    { at: ofPayments ?? since, skip: Number(paymentsRead ?? 0) },
  ];
};

/**
 * What changed in a shop: returns, and payments of which something was given back. A cancelled return, of which Medusa
 * sends no event, is found by this alone. Money is not found that a provider gave back without leaving a trace on the
 * payment, nor a second part of a return that came: both have events.
 */
export const fetchChanges = async (
  shop: Shop,
  { cursor, since }: ChangeQuery,
): Promise<Result<ChangeBatch, ShopFailure>> => {
  const [ofReturns, ofPayments] = parsePositions(cursor, instant(since) ?? since);
  const changed = await readPage(shop, returns, ofReturns);
  if (!changed.ok) return fail(changed.failure);
  const paid = await readPage(shop, payments, ofPayments);
  if (!paid.ok) return fail(paid.failure);
  const [r, p] = [changed.value, paid.value];
  return ok({
    found: [...r.found, ...p.found].toSorted((a, b) => a.at.localeCompare(b.at)).map(({ change }) => change),
    cursor: `r=${r.place.at}+${r.place.skip}&p=${p.place.at}+${p.place.skip}`,
    more: r.more || p.more,
  });
};
