import { ok, type Result } from '../../../runtime/result.ts';
import { type ShopFailure, permanentFailure } from '../platform.ts';
import { clip, instant, latest, reasonBy } from '../shared/fields/fields.ts';
import type { RemoteLine, RemoteRefund, RemoteReturn } from '../shared/sync/remote-return.ts';
import { isGlobalId, replaced, returnedStatuses, unitsByLine } from './amounts.ts';
import type { FulfillmentNode, OrderNode, ReasonNode, ReasonsNode } from './queries.ts';

/*
 * Saleor has no list of reasons. Staff writes why something was returned, and since 3.23 may name a page that the shop
 * created for a reason. If the shop creates such pages for our reasons, the slug of a page gives the code.
 * https://docs.saleor.io/api-reference/orders/objects/fulfillment-line
 */
const codes = [
  'preference.changed_mind',
  'preference.better_price',
  'preference.style',
  'preference.color',
  'fit.too_small',
  'fit.too_large',
  'fit.other',
  'order_error.customer_ordered_wrong',
  'order_error.duplicate',
  'order_error.unauthorized',
  'fulfilment.wrong_item',
  'fulfilment.missing_parts',
  'fulfilment.extra_item',
  'delivery.late',
  'delivery.not_delivered',
  'condition.damaged_in_transit',
  'condition.defective',
  'condition.damaged_or_defective',
  'condition.packaging_damaged',
  'description.not_as_described',
  'product.quality',
  'product.performance',
  'product.incompatible',
  'safety.adverse_reaction',
  'unknown',
] as const;

/** Returns a code as the slug of a page: `fit-too-small`. */
const slugOf = (code: string): string => code.replaceAll(/[._]/g, '-');

const bySlug = new Map<string, string>(codes.map((code) => [slugOf(code), code]));

/**
 * Returns the code for the slug of a page: a whole code, or the part after its group.
 * Never fails, because a shop may use its own names.
 */
export const reasonCode = (slug: string): string => {
  const word = slug.trim().toLowerCase();
  const tail = codes.filter((code) => slugOf(code.slice(code.indexOf('.') + 1)) === word && !code.endsWith('.other'));
  return bySlug.get(word) ?? (tail.length === 1 ? tail[0] : undefined) ?? 'other';
};

/** Returns the reason of a line: that of the line, or that of the whole fulfillment. */
export const reasonOf = (
  line: Omit<ReasonNode, 'id'> | undefined,
  whole: Omit<ReasonNode, 'id'> | undefined,
): RemoteLine['reason'] => {
  const note = clip(line?.reason, 4000) ?? clip(whole?.reason, 4000);
  const page = line?.reasonReference ?? whole?.reasonReference;
  const slug = clip(page?.slug, 200);
  const code = slug === undefined ? (note === undefined ? 'unknown' : 'other') : reasonCode(slug);
  return reasonBy(code, { system: 'saleor', word: slug, label: page?.title, note });
};

/** Returns the external id of a return. It contains the order, because Saleor cannot find a fulfillment by id. */
const externalIdOf = (orderId: string, fulfillmentId: string): string => `${orderId}:${fulfillmentId}`;

/** Returns the order id in an external id; undefined for an id of another form. */
export const orderIdOf = (externalId: string): string | undefined => {
  const [orderId, fulfillmentId] = externalId.split(':');
  return isGlobalId(orderId, 'Order') && isGlobalId(fulfillmentId, 'Fulfillment') ? orderId : undefined;
};

/** Returns the fulfillments with returned goods. One that was emptied since no longer counts. */
export const returnsIn = ({ fulfillments }: OrderNode): readonly FulfillmentNode[] =>
  fulfillments.filter(
    ({ status, lines }) => returnedStatuses.has(status) && lines?.some(({ quantity }) => quantity > 0),
  );

const linesOf = (node: FulfillmentNode, reasons: ReasonsNode | undefined): readonly (RemoteLine | undefined)[] => {
  const whole = reasons?.fulfillments.find(({ id }) => id === node.id);
  const byLine = new Map<string, ReasonNode>(whole?.lines?.map((line) => [line.id, line]));
  return (node.lines ?? [])
    .filter(({ quantity }) => quantity > 0)
    .map(({ id, quantity, orderLine }) =>
      isGlobalId(orderLine?.id, 'OrderLine')
        ? {
            orderLineId: orderLine.id,
            quantity,
            reason: reasonOf(byLine.get(id), whole),
            ...(node.status === replaced && { resolution: 'exchange' as const }),
          }
        : undefined,
    );
};

type ReturnContext = {
  readonly order: OrderNode;
  readonly reasons: ReasonsNode | undefined;
  readonly refunds: readonly RemoteRefund[];
  readonly fetchedAt: string;
};

/**
 * Returns a fulfillment with returned goods as a return: its goods have arrived.
 * Saleor has no inspections. The return is completed by its refund, because Saleor has no other end.
 */
export const returnOf = (
  node: FulfillmentNode,
  { order, reasons, refunds, fetchedAt }: ReturnContext,
): Result<RemoteReturn, ShopFailure> => {
  const lines = linesOf(node, reasons);
  const known = lines.filter((line) => line !== undefined);
  if (known.length < lines.length) return permanentFailure('return_line_unreadable');
  const closedAt = latest(refunds.map(({ occurredAt }) => occurredAt));
  return ok({
    platform: 'saleor',
    externalId: externalIdOf(order.id, node.id),
    orderId: order.id,
    status: closedAt === undefined ? 'approved' : 'completed',
    createdAt: instant(node.created) ?? fetchedAt,
    ...(closedAt !== undefined && { closedAt }),
    fetchedAt,
    initiatedBy: 'agent',
    lines: known,
    parcels: [],
    units: Array.from(unitsByLine(node.lines), ([orderLineId, received]) => ({
      orderLineId,
      received,
      missing: 0,
      found: [],
    })),
  });
};
