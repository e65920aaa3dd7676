import { ok, type Result } from '../../contract/result.ts';
import { objectOf, objectsOf, optional } from '../shared/fields/fields.ts';
import type { Finding, SeenLine, SeenParcel, SeenReturn, SeenUnits } from '../shared/sync/seen.ts';
import type { ShopFailure } from '../platform.ts';
import { permanent } from '../shared/http/shop-failure.ts';
import { clip, webAddress } from '../shared/fields/text.ts';
import { sum } from '../../runtime/sum.ts';
import { unitsOf } from './numbers.ts';
import { utcInstant } from '../shared/fields/instants.ts';
import type { ReturnInvoice } from './invoices.ts';
import { itemAt, type Order } from './order.ts';
import { reasonOf } from './reasons.ts';
import type { ReturnRequest } from './return-request.ts';
import { arrived, statuses, verified } from './words.ts';

const readLines = ({ fields }: ReturnRequest, order: Order): Result<readonly SeenLine[], ShopFailure> => {
  const lines: SeenLine[] = [];
  for (const one of objectsOf(fields['items'])) {
    const quantity = unitsOf(one['quantity']);
    if (quantity === 0) continue;
    const item = itemAt(order, one['orderItemIndex'], one['id']);
    if (item === undefined) return permanent('return_line_unknown');
    if (quantity === undefined) return permanent('return_unreadable');
    const { condition } = one;
    lines.push({
      orderLineId: item.lineId,
      quantity,
      reason: reasonOf(objectOf(one['returnReason'])),
      ...optional('condition', condition === 'unspecified' ? undefined : clip(condition, 100)),
    });
  }
  return lines.length === 0 ? permanent('return_without_lines') : ok(lines);
};

const found = (outcome: Finding['outcome'], quantity: number): Finding[] =>
  // The app does not tell what became of the goods.
  quantity > 0 ? [{ outcome, disposition: 'quarantine', quantity }] : [];

/** Units that were verified, by line of the order. */
const verifiedUnits = ({ fields }: ReturnRequest, order: Order): ReadonlyMap<string, number> => {
  const units = new Map<string, number>();
  for (const one of objectsOf(objectOf(fields['refundData'])['items'])) {
    const lineId = itemAt(order, one['orderItemIndex'], one['id'])?.lineId ?? '';
    units.set(lineId, (units.get(lineId) ?? 0) + (unitsOf(one['quantity']) ?? 0));
  }
  return units;
};

/**
 * What became of the goods. The app knows of no units that did not come: those that it does not verify were refused. A
 * request that is denied after its package arrived was refused as a whole.
 */
const goodsOf = (request: ReturnRequest, order: Order, lines: readonly SeenLine[]): SeenUnits[] => {
  const hasBeen = [request.status, ...request.steps.map(({ status }) => status)];
  if (!hasBeen.some((status) => arrived.has(status))) return [];
  const isLookedAt = request.status === 'denied' || verified.has(request.status);
  const accepted = verifiedUnits(request, order);
  return Array.from(
    Map.groupBy(lines, ({ orderLineId }) => orderLineId),
    ([orderLineId, group]) => {
      const received = sum(group.map(({ quantity }) => quantity));
      const good = request.status === 'denied' ? 0 : Math.min(received, accepted.get(orderLineId) ?? 0);
      const findings = isLookedAt ? [...found('accept', good), ...found('refuse', received - good)] : [];
      return { orderLineId, received, missing: 0, found: findings };
    },
  );
};

/** The label is an address in some versions of the app, and the number of a shipment in the hands of some merchants. */
const parcelsOf = ({ fields }: ReturnRequest, invoice: ReturnInvoice | undefined): SeenParcel[] => {
  const { labelUrl: sent, returnLabel } = objectOf(fields['pickupReturnData']);
  const label = sent ?? returnLabel;
  const labelUrl = webAddress(label);
  const isAddress = typeof label === 'string' && /^\w+:/.test(label.trim());
  const number = isAddress ? undefined : clip(label, 100);
  const parcel = invoice?.parcel ?? (number === undefined ? undefined : { trackingNumber: number });
  if (parcel !== undefined) return [{ ...parcel, ...optional('labelUrl', labelUrl) }];
  return labelUrl === undefined ? [] : [{ labelUrl }];
};

const rejectionOf = ({ steps }: ReturnRequest): NonNullable<SeenReturn['rejection']> => {
  const comments = steps.filter(({ status }) => status === 'denied').flatMap((step) => step.comments);
  const said = comments.findLast(({ visibleForCustomer }) => visibleForCustomer === true);
  return { code: 'other', ...optional('note', clip(said?.['comment'], 4000)) };
};

/**
 * A request as a return of its order. Denied once its package was there, it has run its course: the goods were looked at
 * and refused, and no money is due.
 */
export const seenReturn = (
  request: ReturnRequest,
  order: Order,
  invoice: ReturnInvoice | undefined,
): Result<SeenReturn, ShopFailure> => {
  const told = Object.hasOwn(statuses, request.status) ? statuses[request.status] : undefined;
  if (told === undefined) return permanent('return_status_unknown');
  const lines = readLines(request, order);
  if (!lines.ok) return lines;
  const units = goodsOf(request, order, lines.value);
  const status = told === 'rejected' && units.length > 0 ? 'completed' : told;
  const endedAt = request.steps.findLast((step) => step.status === request.status)?.at;
  const isEnded = status !== 'requested' && status !== 'approved';
  return ok({
    platform: order.platform,
    externalId: request.id,
    orderId: order.orderId,
    status,
    createdAt: utcInstant(request.fields['dateSubmitted']) ?? request.steps[0]?.at ?? request.seenAt,
    ...(isEnded && optional('closedAt', endedAt)),
    seenAt: request.seenAt,
    initiatedBy: 'customer',
    lines: lines.value,
    ...(status === 'rejected' && { rejection: rejectionOf(request) }),
    parcels: parcelsOf(request, invoice),
    units,
  });
};
