import { ok, type Result } from '../../contract/result.ts';
import type { SeenLine, SeenRefund, SeenReturn } from '../shared/sync/seen.ts';
import { instant, latest } from '../shared/fields/instants.ts';
import type { ShopFailure } from '../platform.ts';
import { permanent } from '../shared/http/shop-failure.ts';
import { isGlobalId } from './global-id.ts';
import { unitsByLine } from './lines.ts';
import type { FulfillmentNode, OrderNode, ReasonNode, ReasonsNode } from './queries.ts';
import { reasonOf } from './reasons.ts';
import { replaced, returned } from './words.ts';

/** A return is known by its order too: Saleor finds no fulfillment by its own id, and counts them from 1. */
const externalIdOf = (orderId: string, fulfillmentId: string): string => `${orderId}:${fulfillmentId}`;

/** The order of a return of that id; nothing for another's id. */
export const orderIdOf = (externalId: string): string | undefined => {
  const [orderId, fulfillmentId] = externalId.split(':');
  return isGlobalId(orderId, 'Order') && isGlobalId(fulfillmentId, 'Fulfillment') ? orderId : undefined;
};

/** The fulfillments that came back; one that has been emptied since is none any more. */
export const returnsIn = ({ fulfillments }: OrderNode): readonly FulfillmentNode[] =>
  fulfillments.filter(({ status, lines }) => returned.has(status) && lines?.some(({ quantity }) => quantity > 0));

const linesOf = (node: FulfillmentNode, reasons: ReasonsNode | undefined): readonly (SeenLine | undefined)[] => {
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

type Context = {
  readonly order: OrderNode;
  readonly reasons: ReasonsNode | undefined;
  readonly refunds: readonly SeenRefund[];
  readonly seenAt: string;
};

/**
 * A fulfillment that came back, as a return: its goods are here, and nobody has looked at them, of which Saleor knows
 * nothing. It has come to its end once money was given for it; Saleor has no other end of it.
 */
export const returnOf = (
  node: FulfillmentNode,
  { order, reasons, refunds, seenAt }: Context,
): Result<SeenReturn, ShopFailure> => {
  const lines = linesOf(node, reasons);
  const known = lines.filter((line) => line !== undefined);
  if (known.length < lines.length) return permanent('return_line_unreadable');
  const closedAt = latest(refunds.map(({ occurredAt }) => occurredAt));
  return ok({
    platform: 'saleor',
    externalId: externalIdOf(order.id, node.id),
    orderId: order.id,
    status: closedAt === undefined ? 'approved' : 'completed',
    createdAt: instant(node.created) ?? seenAt,
    ...(closedAt !== undefined && { closedAt }),
    seenAt,
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
