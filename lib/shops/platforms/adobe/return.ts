import { ok, type Result } from '../../../runtime/result.ts';
import { perContainer } from '../../../runtime/container.ts';
import type { JsonObject } from '../../../runtime/json.ts';
import { type ShopFailure, permanentFailure } from '../platform.ts';
import { clip, idOf, latest, objectsOf, utcInstant } from '../shared/fields/fields.ts';
import type { RemoteLine, RemoteParcel, RemoteReturn } from '../shared/sync/remote-return.ts';
import { callApi, type RegisteredShop } from './api.ts';
import { goodsOf, type Item, itemsOf } from './items.ts';
import { conditionOf, reasonOf, resolutionOf } from './lines.ts';

/** The attributes of return items whose values are numbers of options that the shop may edit. */
type Attribute = 'reason' | 'condition' | 'resolution';

/** The label of each option, by its number. */
type Labels = ReadonlyMap<string, string>;

const timeToLive = 3_600_000;
/** The minimum interval between reads for a new option. */
const minAge = 60_000;

const cache = perContainer(() => new Map<string, { readonly at: number; readonly labels: Labels }>());

/**
 * Returns the labels of an attribute's options, cached in the container.
 * Empty if the shop does not return them. Some versions return nothing if the attribute set has another number than at
 * installation.
 * https://developer.adobe.com/commerce/webapi/rest/
 *
 * @param needed the numbers to find. If the cache lacks one, the labels are read again
 */
const labelsOf = async (
  shop: RegisteredShop,
  attribute: Attribute,
  needed: readonly string[],
): Promise<Result<Labels, ShopFailure>> => {
  const name = `${shop.source} ${attribute}`;
  const labelCache = cache();
  const known = labelCache.get(name);
  const age = known === undefined ? Number.POSITIVE_INFINITY : Date.now() - known.at;
  const isWhole = known !== undefined && needed.every((id) => known.labels.has(id));
  if (needed.length === 0) return ok(new Map());
  if (known !== undefined && age < (isWhole ? timeToLive : minAge)) return ok(known.labels);
  const answer = await callApi(shop, `returnsAttributeMetadata/${attribute}`);
  if (!answer.ok && answer.failure.kind === 'retryable') return answer;
  const options = answer.ok ? objectsOf(answer.value['options']) : [];
  const labels = new Map(
    options.flatMap(({ value, label }): [string, string][] => {
      const text = clip(label, 500);
      return text === undefined || (typeof value !== 'string' && typeof value !== 'number')
        ? []
        : [[String(value), text]];
    }),
  );
  labelCache.set(name, { at: Date.now(), labels });
  return ok(labels);
};

/**
 * The statuses of an ended return.
 * https://developer.adobe.com/commerce/webapi/graphql/schema/orders/interfaces/
 */
const endedStatuses: ReadonlySet<string> = new Set(['closed', 'processed_closed', 'processed_and_closed', 'denied']);

/** Whether a status is final. */
export const isEnded = (word: unknown): boolean =>
  typeof word === 'string' && endedStatuses.has(word.trim().toLowerCase());

/**
 * Returns the status of a return.
 * Commerce has one status for every ended return, and derives the others from the items. So this uses the items. A
 * return is decided when each item is decided, or when goods have arrived. One that ended without goods is cancelled.
 */
const statusOf = (word: unknown, items: readonly Item[]): RemoteReturn['status'] => {
  if (items.every(({ remaining }) => remaining === 0)) return 'rejected';
  const came = items.some(({ received }) => received > 0);
  if (isEnded(word)) return came ? 'completed' : 'cancelled';
  return came || items.every(({ allowed, state }) => allowed || state === 'denied') ? 'approved' : 'requested';
};

/** A return from the shop, and the id of its order in the REST API. */
export type ReturnReading = {
  readonly remote: RemoteReturn;
  readonly orderId: string;
  /** Why one of its items is unreadable. */
  readonly unread?: ShopFailure;
};

const attributes: readonly Attribute[] = ['reason', 'condition', 'resolution'];

/** Returns the number of the chosen option, if any. */
const optionOf = ({ row }: Item, attribute: Attribute): string | undefined => {
  const value = row[attribute];
  return clip(typeof value === 'number' ? String(value) : value, 200);
};

const readLabels = async (
  shop: RegisteredShop,
  items: readonly Item[],
): Promise<Result<Readonly<Record<Attribute, Labels>>, ShopFailure>> => {
  const found: Record<Attribute, Labels> = { reason: new Map(), condition: new Map(), resolution: new Map() };
  for (const attribute of attributes) {
    const needed = new Set(items.flatMap((item) => optionOf(item, attribute) ?? []));
    const labels = await labelsOf(shop, attribute, [...needed]);
    if (!labels.ok) return labels;
    found[attribute] = labels.value;
  }
  return ok(found);
};

/** Returns the customer's note: the text of the reason "Other", else the customer's first comment. */
const noteOf = ({ row }: Item, comments: readonly JsonObject[]): unknown => {
  const custom = objectsOf(row['custom_attributes']).find(({ attribute_code: code }) => code === 'reason_other');
  const first = comments.find(({ admin, comment }) => (admin === false || admin === 0) && clip(comment, 4000));
  return clip(custom?.['value'], 4000) ?? first?.['comment'];
};

const lineOf = (
  item: Item,
  quantity: number,
  labels: Readonly<Record<Attribute, Labels>>,
  comments: readonly JsonObject[],
): RemoteLine => {
  const labelOf = (attribute: Attribute) => labels[attribute].get(optionOf(item, attribute) ?? '');
  const condition = conditionOf(labelOf('condition'));
  const resolution = resolutionOf(labelOf('resolution'));
  return {
    orderLineId: item.orderLineId,
    quantity,
    reason: reasonOf(optionOf(item, 'reason'), labelOf('reason'), noteOf(item, comments)),
    ...(condition !== undefined && { condition }),
    ...(resolution !== undefined && { resolution }),
  };
};

/** Returns the parcels that can be identified. Commerce does not report their contents. */
const parcelsOf = (tracks: readonly JsonObject[]): readonly RemoteParcel[] => {
  const parcels = tracks.flatMap(({ track_number: number, carrier_title: title, carrier_code: code }) => {
    const trackingNumber = clip(number, 100);
    const carrier = clip(title, 100) ?? clip(code, 100);
    return trackingNumber === undefined ? [] : [{ trackingNumber, ...(carrier !== undefined && { carrier }) }];
  });
  return [...new Map(parcels.map((parcel) => [parcel.trackingNumber, parcel])).values()];
};

/** Reads the tracks of a return. If the return has none, another endpoint may have some. */
const readTracks = async (
  shop: RegisteredShop,
  id: string,
  { tracks }: JsonObject,
): Promise<Result<readonly JsonObject[], ShopFailure>> => {
  if (objectsOf(tracks).length > 0) return ok(objectsOf(tracks));
  const answer = await callApi(shop, `returns/${id}/tracking-numbers`);
  if (answer.ok) return ok(objectsOf(answer.value['items']));
  return answer.failure.kind === 'permanent' ? ok([]) : answer;
};

const endedAt = (comments: readonly JsonObject[]): string | undefined =>
  latest(comments.filter(({ status }) => isEnded(status)).map(({ created_at: at }) => utcInstant(at)));

/** Reads the order's own number, which most returns contain. */
const readOrderNumber = async (
  shop: RegisteredShop,
  rma: JsonObject,
  orderId: string,
): Promise<Result<string | undefined, ShopFailure>> => {
  const orderNumber = clip(rma['order_increment_id'], 100);
  if (orderNumber !== undefined) return ok(orderNumber);
  const order = await callApi(shop, `orders/${orderId}`);
  return order.ok ? ok(clip(order.value['increment_id'], 100)) : order;
};

/**
 * Returns the units of an item that belong to the return.
 * For a cancelled return these are the requested units. If a return ended with goods, its unauthorised units no longer
 * belong to it. They are not missing.
 */
const unitsIn = (item: Item, status: RemoteReturn['status']): number => {
  if (status === 'completed' && !item.allowed) return 0;
  return status === 'approved' || status === 'completed' ? item.remaining : item.requested;
};

/**
 * Reads the current state of a return (RMA).
 * Commerce does not report who requested it, so it is a customer, as for most.
 * https://developer.adobe.com/commerce/webapi/rest/
 *
 * @param id its `entity_id`
 */
export const fetchReturn = async (shop: RegisteredShop, id: string): Promise<Result<ReturnReading, ShopFailure>> => {
  const fetchedAt = new Date().toISOString();
  const answer = await callApi(shop, `returns/${id}`);
  if (!answer.ok) return answer;
  const rma = answer.value;
  const orderId = idOf(rma['order_id']);
  if (idOf(rma['entity_id']) !== id || orderId === undefined) return permanentFailure('return_unreadable');
  const found = itemsOf(rma);
  if (!found.ok) return found;
  const { read: items, unread } = found.value;
  const number = await readOrderNumber(shop, rma, orderId);
  if (!number.ok) return number;
  if (number.value === undefined) return permanentFailure('return_without_order');
  const labels = await readLabels(shop, items);
  if (!labels.ok) return labels;
  const status = statusOf(rma['status'], items);
  const goesOn = status === 'approved' || status === 'completed';
  const tracks = goesOn ? await readTracks(shop, id, rma) : ok([]);
  if (!tracks.ok) return tracks;
  const comments = objectsOf(rma['comments']);
  const closedAt = endedAt(comments);
  const remote: RemoteReturn = {
    platform: shop.platform,
    externalId: id,
    orderId: number.value,
    status,
    createdAt: utcInstant(rma['date_requested']) ?? fetchedAt,
    ...(closedAt !== undefined && { closedAt }),
    fetchedAt,
    initiatedBy: 'customer',
    lines: items
      .map((item) => ({ item, quantity: unitsIn(item, status) }))
      .filter(({ quantity }) => quantity > 0)
      .map(({ item, quantity }) => lineOf(item, quantity, labels.value, comments)),
    parcels: parcelsOf(tracks.value),
    units: goesOn ? goodsOf(items) : [],
  };
  return ok({ remote, orderId, ...(unread !== undefined && { unread }) });
};
