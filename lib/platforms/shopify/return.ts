import { ok, type Result } from '../../contract/result.ts';
import type { Shop } from '../shared/http/api.ts';
import type { SeenLine, SeenReturn } from '../shared/sync/seen.ts';
import { instant } from '../shared/fields/instants.ts';
import type { ShopFailure } from '../platform.ts';
import { permanent } from '../shared/http/shop-failure.ts';
import { ask } from './api.ts';
import { digitsOf, isGid } from './gid.ts';
import { pages } from './pages.ts';
import { reasonOf } from './reasons.ts';
import { returnLinesQuery, returnQuery, type ReturnLineNode, type ReturnNode } from './return-queries.ts';
import { withProcessed } from './goods.ts';
import { fetchGoods } from './reverse-order.ts';
import { clip } from '../shared/fields/text.ts';
import { declines, statuses } from './words.ts';

/** A return as the shop has it, and what else it names. */
export type ReturnReading = {
  readonly seen: SeenReturn;
  readonly orderGid: string;
  readonly refundGids: readonly string[];
};

const lineOf = (node: ReturnLineNode): SeenLine | undefined => {
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
): Promise<Result<{ readonly lines: readonly SeenLine[]; readonly processed: readonly SeenLine[] }, ShopFailure>> => {
  const read = await pages<ReturnLineNode>(first, async (after) => {
    const answer = await ask<{ return: Pick<ReturnNode, 'returnLineItems'> | null }>(shop, returnLinesQuery, {
      id,
      after,
    });
    return answer.ok ? ok(answer.value.data.return?.returnLineItems) : answer;
  });
  if (!read.ok) return read;
  if (!read.value.whole) return permanent('return_too_large');
  const nodes = read.value.nodes.filter(({ quantity }) => quantity > 0);
  const lines: SeenLine[] = [];
  const processed: SeenLine[] = [];
  for (const node of nodes) {
    const line = lineOf(node);
    if (line === undefined) return permanent('return_line_unverified');
    lines.push(line);
    processed.push({ ...line, quantity: Math.min(node.processedQuantity ?? 0, line.quantity) });
  }
  return ok({ lines, processed });
};

const rejectionOf = ({ decline }: ReturnNode): Pick<SeenReturn, 'rejection'> => {
  if (decline === null) return {};
  const note = clip(decline.note, 4000);
  return { rejection: { code: declines[decline.reason] ?? 'other', ...(note !== undefined && { note }) } };
};

/** Staff made it where nobody approved it. */
const initiatorOf = ({ status, requestApprovedAt }: ReturnNode): SeenReturn['initiatedBy'] =>
  requestApprovedAt === null && (status === 'OPEN' || status === 'CLOSED') ? 'agent' : 'customer';

/**
 * Reads a return from the shop as it stands now. A line that Shopify could not tie to a fulfilled unit
 * (UnverifiedReturnLineItem) makes the return unreadable: leaving it out would return less than was asked.
 * https://shopify.dev/docs/api/admin-graphql/2026-07/queries/return
 */
export const fetchReturn = async (shop: Shop, returnGid: string): Promise<Result<ReturnReading, ShopFailure>> => {
  const seenAt = new Date().toISOString();
  const answer = await ask<{ return: ReturnNode | null }>(shop, returnQuery, { id: returnGid });
  if (!answer.ok) return answer;
  const { return: node } = answer.value.data;
  if (node === null) return permanent(answer.value.denied.length > 0 ? 'shop_denied_access' : 'shop_return_not_found');
  const orderGid = node.order?.id;
  if (!isGid(orderGid, 'Order')) return permanent('return_without_order');
  const status = statuses[node.status];
  if (status === undefined) return permanent('return_status_unknown');
  const lines = await readLines(shop, returnGid, node.returnLineItems);
  if (!lines.ok) return lines;
  const places = status === 'approved' || status === 'completed' ? node.reverseFulfillmentOrders.nodes : [];
  const goods = await fetchGoods(
    shop,
    places.map(({ id }) => id),
  );
  if (!goods.ok) return goods;
  const closedAt = instant(node.closedAt);
  const { lines: kept, processed } = lines.value;
  const seen: SeenReturn = {
    platform: 'shopify',
    externalId: returnGid,
    orderId: digitsOf(orderGid),
    // Staff may take every unit off a return and leave it open: nothing of it is expected any more.
    status: kept.length === 0 ? 'cancelled' : status,
    createdAt: instant(node.createdAt) ?? seenAt,
    ...(closedAt !== undefined && { closedAt }),
    seenAt,
    initiatedBy: initiatorOf(node),
    lines: kept,
    ...rejectionOf(node),
    parcels: goods.value.parcels,
    units: withProcessed(goods.value.units, places.length > 0 ? processed : []),
  };
  return ok({ seen, orderGid, refundGids: node.refunds.nodes.map(({ id }) => id) });
};
