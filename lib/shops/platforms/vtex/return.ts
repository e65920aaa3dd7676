import { ok, type Result } from '../../../runtime/result.ts';
import { isObject, type JsonObject } from '../../../runtime/json.ts';
import { sum } from '../../../runtime/sum.ts';
import { type ShopFailure, permanentFailure } from '../platform.ts';
import { clip, objectOf, objectsOf, optional, reasonBy, utcInstant, webAddress } from '../shared/fields/fields.ts';
import type { Shop } from '../shared/http/api.ts';
import type {
  InspectionFinding,
  RemoteLine,
  RemoteParcel,
  RemoteReturn,
  RemoteUnits,
} from '../shared/sync/remote-return.ts';
import { callApi } from './api.ts';
import type { ReturnInvoice } from './invoices.ts';
import { arrivedStatuses, statuses, unitsOf, verifiedStatuses } from './numbers.ts';
import { isOrderId, itemAt, type Order } from './order.ts';

/** A request from the return app. */
export type ReturnRequest = {
  readonly id: string;
  readonly orderId: string;
  readonly status: string;
  readonly fetchedAt: string;
  /** The statuses of the request, in their order. */
  readonly steps: readonly {
    readonly status: string;
    readonly at?: string;
    readonly comments: readonly JsonObject[];
  }[];
  readonly fields: JsonObject;
};

/** Returns the statuses of a request, each with its time. */
export const stepsOf = (fields: JsonObject): ReturnRequest['steps'] =>
  objectsOf(fields['refundStatusData']).flatMap(({ status, createdAt, comments }) =>
    typeof status === 'string'
      ? [{ status, ...optional('at', utcInstant(createdAt)), comments: objectsOf(comments) }]
      : [],
  );

/**
 * Reads a request from the return app, version 3.
 * https://github.com/vtex-apps/return-app/blob/main/docs/README.md#retrieve-a-return-request
 */
export const fetchRequest = async (shop: Shop, id: string): Promise<Result<ReturnRequest, ShopFailure>> => {
  const fetchedAt = new Date().toISOString();
  const answer = await callApi(shop, 'returnsUrl', `/_v/return-request/${encodeURIComponent(id)}`);
  if (!answer.ok) return answer;
  const fields = answer.value;
  if (!isObject(fields)) return permanentFailure('return_unreadable');
  const { id: own = id, orderId, status } = fields;
  if (own !== id || typeof status !== 'string') return permanentFailure('return_unreadable');
  if (!isOrderId(orderId)) return permanentFailure('return_without_order');
  return ok({ id, orderId, status, fetchedAt, steps: stepsOf(fields), fields });
};

/*
 * The return app's reasons, by our reason codes. The app offers them if the merchant has defined none. They are
 * compared without case, spaces, and the prefix that some versions store.
 * https://github.com/vtex-apps/return-app/blob/main/docs/README.md
 */
const codes: Readonly<Record<string, string>> = {
  accidentalorder: 'order_error.customer_ordered_wrong',
  betterprice: 'preference.better_price',
  performance: 'product.performance',
  incompatible: 'product.incompatible',
  itemdamaged: 'condition.damaged_in_transit',
  misseddelivery: 'delivery.not_delivered',
  missingparts: 'fulfilment.missing_parts',
  boxdamaged: 'condition.packaging_damaged',
  differentproduct: 'fulfilment.wrong_item',
  defective: 'condition.defective',
  arrivedinaddition: 'fulfilment.extra_item',
  nolongerneeded: 'preference.changed_mind',
  unauthorizedpurchase: 'order_error.unauthorized',
  differentfromwebsite: 'description.not_as_described',
  otherreason: 'other',
};

/** Returns our code for a word of the app. A merchant's own word is `other`, and a missing word `unknown`. */
const reasonCode = (word: string): string => {
  const plain = word.toLowerCase().replaceAll(/[^a-z]/g, '');
  const known = [plain, plain.replace(/^reason/, '')].find((code) => Object.hasOwn(codes, code));
  if (known !== undefined) return codes[known] ?? 'other';
  return word.trim() === '' ? 'unknown' : 'other';
};

/** Returns the reason of a line. The word of the app or the merchant is stored as the source. */
export const reasonOf = (from: { readonly reason?: unknown; readonly otherReason?: unknown }): RemoteLine['reason'] => {
  const word = clip(from.reason, 200);
  return reasonBy(reasonCode(word ?? ''), { system: 'vtex', word, note: from.otherReason });
};

const readLines = ({ fields }: ReturnRequest, order: Order): Result<readonly RemoteLine[], ShopFailure> => {
  const lines: RemoteLine[] = [];
  for (const line of objectsOf(fields['items'])) {
    const quantity = unitsOf(line['quantity']);
    if (quantity === 0) continue;
    const item = itemAt(order, line['orderItemIndex'], line['id']);
    if (item === undefined) return permanentFailure('return_line_unknown');
    if (quantity === undefined) return permanentFailure('return_unreadable');
    const { condition } = line;
    lines.push({
      orderLineId: item.lineId,
      quantity,
      reason: reasonOf(objectOf(line['returnReason'])),
      ...optional('condition', condition === 'unspecified' ? undefined : clip(condition, 100)),
    });
  }
  return lines.length === 0 ? permanentFailure('return_without_lines') : ok(lines);
};

const findingsOf = (outcome: InspectionFinding['outcome'], quantity: number): InspectionFinding[] =>
  // The app does not report the disposition of goods.
  quantity > 0 ? [{ outcome, disposition: 'quarantine', quantity }] : [];

/** Returns the verified units, by line of the order. */
const verifiedUnits = ({ fields }: ReturnRequest, order: Order): ReadonlyMap<string, number> => {
  const units = new Map<string, number>();
  for (const line of objectsOf(objectOf(fields['refundData'])['items'])) {
    const lineId = itemAt(order, line['orderItemIndex'], line['id'])?.lineId ?? '';
    units.set(lineId, (units.get(lineId) ?? 0) + (unitsOf(line['quantity']) ?? 0));
  }
  return units;
};

/**
 * Returns the goods of a request.
 * The app has no missing units: units that it does not verify are refused. If a request is denied after its package
 * arrived, all its units are refused.
 */
const goodsOf = (request: ReturnRequest, order: Order, lines: readonly RemoteLine[]): RemoteUnits[] => {
  const hasBeen = [request.status, ...request.steps.map(({ status }) => status)];
  if (!hasBeen.some((status) => arrivedStatuses.has(status))) return [];
  const isLookedAt = request.status === 'denied' || verifiedStatuses.has(request.status);
  const accepted = verifiedUnits(request, order);
  return Array.from(
    Map.groupBy(lines, ({ orderLineId }) => orderLineId),
    ([orderLineId, group]) => {
      const received = sum(group.map(({ quantity }) => quantity));
      const good = request.status === 'denied' ? 0 : Math.min(received, accepted.get(orderLineId) ?? 0);
      const findings = isLookedAt ? [...findingsOf('accept', good), ...findingsOf('refuse', received - good)] : [];
      return { orderLineId, received, missing: 0, found: findings };
    },
  );
};

/**
 * Returns the parcels.
 * The label is an address in some versions of the app, and a tracking number with some merchants.
 */
const parcelsOf = ({ fields }: ReturnRequest, invoice: ReturnInvoice | undefined): RemoteParcel[] => {
  const { labelUrl: sent, returnLabel } = objectOf(fields['pickupReturnData']);
  const label = sent ?? returnLabel;
  const labelUrl = webAddress(label);
  const isAddress = typeof label === 'string' && /^\w+:/.test(label.trim());
  const number = isAddress ? undefined : clip(label, 100);
  const parcel = invoice?.parcel ?? (number === undefined ? undefined : { trackingNumber: number });
  if (parcel !== undefined) return [{ ...parcel, ...optional('labelUrl', labelUrl) }];
  return labelUrl === undefined ? [] : [{ labelUrl }];
};

const rejectionOf = ({ steps }: ReturnRequest): NonNullable<RemoteReturn['rejection']> => {
  const comments = steps.filter(({ status }) => status === 'denied').flatMap((step) => step.comments);
  const said = comments.findLast(({ visibleForCustomer }) => visibleForCustomer === true);
  return { code: 'other', ...optional('note', clip(said?.['comment'], 4000)) };
};

/**
 * Returns a request as a return of its order.
 * A request that is denied after its package arrived is completed. The goods were inspected and refused, and no money
 * is due.
 */
export const remoteReturnOf = (
  request: ReturnRequest,
  order: Order,
  invoice: ReturnInvoice | undefined,
): Result<RemoteReturn, ShopFailure> => {
  const mappedStatus = Object.hasOwn(statuses, request.status) ? statuses[request.status] : undefined;
  if (mappedStatus === undefined) return permanentFailure('return_status_unknown');
  const lines = readLines(request, order);
  if (!lines.ok) return lines;
  const units = goodsOf(request, order, lines.value);
  const status = mappedStatus === 'rejected' && units.length > 0 ? 'completed' : mappedStatus;
  const endedAt = request.steps.findLast((step) => step.status === request.status)?.at;
  const isEnded = status !== 'requested' && status !== 'approved';
  return ok({
    platform: order.platform,
    externalId: request.id,
    orderId: order.orderId,
    status,
    createdAt: utcInstant(request.fields['dateSubmitted']) ?? request.steps[0]?.at ?? request.fetchedAt,
    ...(isEnded && optional('closedAt', endedAt)),
    fetchedAt: request.fetchedAt,
    initiatedBy: 'customer',
    lines: lines.value,
    ...(status === 'rejected' && { rejection: rejectionOf(request) }),
    parcels: parcelsOf(request, invoice),
    units,
  });
};
