import { ok, type Result } from '../../../runtime/result.ts';
import { type ShopFailure, permanentFailure } from '../platform.ts';
import { clip, instant, optional, reasonBy } from '../shared/fields/fields.ts';
import type { Shop } from '../shared/http/api.ts';
import type { RemoteExchange, RemoteLine, RemoteReturn } from '../shared/sync/remote-return.ts';
import { callApi, readPages } from './api.ts';
import { withProcessed } from './goods.ts';
import { type ReturnLineNode, returnLinesQuery, type ReturnNode, returnQuery } from './return-queries.ts';
import { exchangePrice } from './exchange-price.ts';
import { fetchGoods } from './reverse-order.ts';
import { rejectionCodes, digitsOf, isGid, statuses } from './words.ts';

/*
 * Shopify's words for return reasons, by our reason codes. There are two vocabularies. One is the ReturnReason enum
 * (lower-case in webhooks), the other the handles of the growing ReturnReasonDefinition library.
 * https://github.com/Shopify/product-taxonomy/blob/main/dist/en/return_reasons.txt
 */
const exactWords: Readonly<Record<string, readonly string[]>> = {
  'preference.changed_mind': ['unwanted', 'changed-my-mind', 'trial-period-ending'],
  'preference.better_price': ['budget'],
  'preference.style': ['style'],
  'preference.color': ['color', 'shade', 'color-too-bright', 'color-too-muted', 'lens-color', 'frame-color'],
  'fit.too_small': ['size-too-small', 'too-small', 'too-tight', 'too-short', 'too-narrow'],
  'fit.too_large': ['size-too-large', 'too-big', 'too-loose', 'too-long', 'too-wide'],
  'fit.other': ['fit', 'size', 'length', 'width', 'height'],
  'order_error.customer_ordered_wrong': ['ordered-wrong-item', 'ordered-wrong-format'],
  'order_error.duplicate': ['duplicate-order', 'ordered-multiple'],
  'fulfilment.wrong_item': ['wrong-item', 'received-the-wrong-item'],
  'fulfilment.missing_parts': ['wrong-amount', 'quantity'],
  'delivery.late': ['arrived-late'],
  'delivery.not_delivered': ['delivery-issue'],
  'condition.damaged_in_transit': ['surface-damage', 'scratched', 'stained'],
  'condition.packaging_damaged': ['damaged-packaging', 'packaging-not-sealed'],
  'condition.defective': ['product-leaks', 'product-overheats', 'breaks-easily', 'seams-splitting'],
  // Shopify's enum merges damage and defect, and a guess would decide who pays.
  'condition.damaged_or_defective': ['defective', 'damaged-or-defective'],
  'description.not_as_described': ['not-as-described', 'item-not-as-described'],
  'product.quality': ['quality', 'pilling', 'poor-stitching', 'material-not-durable'],
  'product.performance': ['performance', 'effectiveness', 'battery-life', 'speed'],
  'product.incompatible': ['incompatible', 'fitment', 'vehicle-fit', 'laptop-fit'],
  'safety.adverse_reaction': ['caused-allergic-reaction', 'caused-irritation', 'side-effects', 'painful'],
  other: ['other', 'other-reason'],
  unknown: ['unknown', ''],
};

const codes = new Map(
  Object.entries(exactWords).flatMap(([code, words]) => words.map((word) => [word, code] as const)),
);

/** Returns Shopify's words for a code of ours, the preferred one first. Some exist in one of the vocabularies only. */
export const reasonWords = (code: string): readonly string[] => exactWords[code] ?? [];

/** Parts of garments and shoes: "waist-too-high" is about fit, "bristles-too-coarse" is not. */
const bodyPart = '(?:band|bust|chest|collar|cuff|cups|footbed|heel|inseam|legs|sleeves|sole|straps|waist)';

const patterns: readonly (readonly [RegExp, string])[] = [
  [/-too-(?:small|tight|short|narrow)$|^tight-around-/, 'fit.too_small'],
  [/-too-(?:big|loose|long|wide)$|^loose-around-/, 'fit.too_large'],
  [/^color-too-/, 'preference.color'],
  [new RegExp(`^${bodyPart}-too-`), 'fit.other'],
  [/^damaged-after-/, 'product.quality'],
  [/^doesnt-fit-/, 'product.incompatible'],
];

/**
 * Returns our code for a word of Shopify's: exact word, then pattern, then a default.
 * Never fails, because both vocabularies grow. An unknown enum word is `other`. An unknown handle names an attribute of
 * the product that did not suit.
 */
export const reasonCode = (word: string, vocabulary: 'enum' | 'handle'): string => {
  const handle = word.trim().toLowerCase().replaceAll('_', '-');
  const known = codes.get(handle) ?? patterns.find(([pattern]) => pattern.test(handle))?.[1];
  return known ?? (vocabulary === 'handle' ? 'product.performance' : 'other');
};

/** Returns the reason of a line from either of Shopify's vocabularies. Its own word is stored as the source. */
const reasonOf = (from: {
  readonly word: unknown;
  readonly handle?: unknown;
  readonly label?: unknown;
  readonly note: unknown;
}): RemoteLine['reason'] => {
  const handle = clip(from.handle, 200);
  const word = handle ?? clip(from.word, 200);
  const code = reasonCode(word ?? '', handle === undefined ? 'enum' : 'handle');
  return reasonBy(code, { system: 'shopify', word, label: from.label, note: from.note });
};

/** A return from the shop, or why it is unreadable, and its related resources. */
export type ReturnReading = {
  readonly remote: Result<RemoteReturn, ShopFailure>;
  readonly orderGid: string;
  readonly refundGids: readonly string[];
};

const lineOf = (node: ReturnLineNode): RemoteLine | undefined => {
  const gid = node.fulfillmentLineItem?.lineItem.id;
  if (!isGid(gid, 'LineItem')) return undefined;
  const { returnReason: word, returnReasonDefinition: definition, customerNote, returnReasonNote } = node;
  const note = customerNote?.trim() ? customerNote : returnReasonNote;
  return {
    orderLineId: digitsOf(gid),
    quantity: node.quantity,
    reason: reasonOf({ word, handle: definition?.handle, label: definition?.name, note }),
  };
};

const readLines = async (
  shop: Shop,
  id: string,
  first: ReturnNode['returnLineItems'],
): Promise<
  Result<{ readonly lines: readonly RemoteLine[]; readonly processed: readonly RemoteLine[] }, ShopFailure>
> => {
  const read = await readPages<ReturnLineNode>(first, async (after) => {
    const answer = await callApi<{ return: Pick<ReturnNode, 'returnLineItems'> | null }>(shop, returnLinesQuery, {
      id,
      after,
    });
    return answer.ok ? ok(answer.value.data.return?.returnLineItems) : answer;
  });
  if (!read.ok) return read;
  if (!read.value.whole) return permanentFailure('return_too_large');
  const nodes = read.value.nodes.filter(({ quantity }) => quantity > 0);
  const lines: RemoteLine[] = [];
  const processed: RemoteLine[] = [];
  for (const node of nodes) {
    const line = lineOf(node);
    if (line === undefined) return permanentFailure('return_line_unverified');
    lines.push(line);
    processed.push({ ...line, quantity: Math.min(node.processedQuantity ?? 0, line.quantity) });
  }
  return ok({ lines, processed });
};

const rejectionOf = ({ decline }: ReturnNode): Pick<RemoteReturn, 'rejection'> => {
  if (decline === null) return {};
  const note = clip(decline.note, 4000);
  return { rejection: { code: rejectionCodes[decline.reason] ?? 'other', ...(note !== undefined && { note }) } };
};

/** Returns the initiator. Staff created a return that has no approval. */
const initiatorOf = ({ status, requestApprovedAt }: ReturnNode): RemoteReturn['initiatedBy'] =>
  requestApprovedAt === null && (status === 'OPEN' || status === 'CLOSED') ? 'agent' : 'customer';

/** Returns the new items that the shop gives for units of a return. */
const exchangesOf = ({ order, exchangeLineItems: { nodes } }: ReturnNode): readonly RemoteExchange[] =>
  nodes.flatMap((node) => {
    const quantity = node.processedQuantity + node.unprocessedQuantity;
    const { sku, title } = node.lineItems?.[0] ?? {};
    if (quantity < 1) return [];
    const item = { ...optional('sku', clip(sku, 200)), ...optional('title', clip(title, 500)) };
    return [
      {
        externalId: node.id,
        quantity,
        ...item,
        ...optional('price', order === null ? undefined : exchangePrice(node, order)),
      },
    ];
  });

const readReturn = async (
  shop: Shop,
  node: ReturnNode,
  {
    returnGid,
    orderGid,
    fetchedAt,
  }: { readonly returnGid: string; readonly orderGid: string; readonly fetchedAt: string },
): Promise<Result<RemoteReturn, ShopFailure>> => {
  const status = statuses[node.status];
  if (status === undefined) return permanentFailure('return_status_unknown');
  // Without the rest, goods or money would be missing.
  if (
    [node.refunds, node.reverseFulfillmentOrders, node.exchangeLineItems].some(({ pageInfo }) => pageInfo.hasNextPage)
  )
    return permanentFailure('return_too_large');
  const lines = await readLines(shop, returnGid, node.returnLineItems);
  if (!lines.ok) return lines;
  const reverseOrders = status === 'approved' || status === 'completed' ? node.reverseFulfillmentOrders.nodes : [];
  const goods = await fetchGoods(
    shop,
    reverseOrders.map(({ id }) => id),
  );
  if (!goods.ok) return goods;
  const closedAt = instant(node.closedAt);
  const { lines: returnLines, processed } = lines.value;
  return ok({
    platform: 'shopify',
    externalId: returnGid,
    orderId: digitsOf(orderGid),
    // Staff may remove every unit of a return and leave it open. Then nothing of it is expected.
    status: returnLines.length === 0 ? 'cancelled' : status,
    createdAt: instant(node.createdAt) ?? fetchedAt,
    ...(closedAt !== undefined && { closedAt }),
    fetchedAt,
    initiatedBy: initiatorOf(node),
    lines: returnLines,
    ...rejectionOf(node),
    parcels: goods.value.parcels,
    units: withProcessed(goods.value.units, reverseOrders.length > 0 ? processed : []),
    exchanges: exchangesOf(node),
  });
};

/**
 * Reads the current state of a return from the shop.
 * A line without a fulfilled unit (UnverifiedReturnLineItem) makes the return unreadable. Without the line, fewer units
 * would be returned than requested.
 * https://shopify.dev/docs/api/admin-graphql/2026-10/queries/return
 */
export const fetchReturn = async (shop: Shop, returnGid: string): Promise<Result<ReturnReading, ShopFailure>> => {
  const fetchedAt = new Date().toISOString();
  const answer = await callApi<{ return: ReturnNode | null }>(shop, returnQuery, { id: returnGid });
  if (!answer.ok) return answer;
  const { return: node } = answer.value.data;
  if (node === null)
    return permanentFailure(answer.value.denied.length > 0 ? 'shop_denied_access' : 'shop_return_not_found');
  const orderGid = node.order?.id;
  if (!isGid(orderGid, 'Order')) return permanentFailure('return_without_order');
  const remote = await readReturn(shop, node, { returnGid, orderGid, fetchedAt });
  return ok({ remote, orderGid, refundGids: node.refunds.nodes.map(({ id }) => id) });
};
