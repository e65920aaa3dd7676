import type { Input } from '../../contract/schemas.ts';
import { isObject, type JsonObject } from '../../json.ts';
import type { Parked } from '../platform.ts';
import { digitsOf, isGid } from './gid.ts';
import { reasonCode } from './reasons.ts';

export type NewLine = Input<'createReturn'>['lines'][number];

/** What a `returns/request` delivery says. What it leaves out is read from the shop: the documented sample has no lines. */
export type Requested = {
  readonly kind: 'requested';
  readonly returnGid: string;
  readonly orderGid?: string;
  readonly lines: readonly NewLine[];
  /** False when lines, or the order they belong to, must be asked for. */
  readonly complete: boolean;
};

export type Translation = Requested | Parked | { readonly kind: 'ignored'; readonly reason: string };

const fieldsOf = (value: unknown): JsonObject | undefined => (isObject(value) ? value : undefined);

const parked = (path: string): Parked => ({ kind: 'parked', reason: 'payload_unexpected', path });

/** Text that the contract accepts: not empty, and no longer than the field. */
export const clip = (value: unknown, length: number): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, length).toWellFormed() : undefined;

/** Why a line comes back, from either of Shopify's vocabularies; its own word is kept as the source. */
export const reasonOf = (from: {
  readonly word: unknown;
  readonly handle?: unknown;
  readonly label?: unknown;
  readonly note: unknown;
}): NewLine['reason'] => {
  const handle = clip(from.handle, 200);
  const word = handle ?? clip(from.word, 200);
  const label = clip(from.label, 500);
  const note = clip(from.note, 4000);
  return {
    code: reasonCode(word ?? '', handle === undefined ? 'enum' : 'handle'),
    ...(note !== undefined && { note }),
    ...(word !== undefined && { source: { system: 'shopify', code: word, ...(label !== undefined && { label }) } }),
  };
};

const quantityOf = (value: unknown): number | undefined =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 100_000 ? (value as number) : undefined;

/** One line, `undefined` when it must be asked for, or the place where it is not what Shopify documents. */
const lineOf = (value: unknown, path: string): NewLine | Parked | undefined => {
  const item = fieldsOf(value);
  if (item === undefined) return parked(path);
  const gid = fieldsOf(fieldsOf(item['fulfillment_line_item'])?.['line_item'])?.['admin_graphql_api_id'];
  if (gid === undefined || gid === null || item['quantity'] === undefined) return undefined;
  if (!isGid(gid, 'LineItem')) return parked(`${path}/fulfillment_line_item/line_item/admin_graphql_api_id`);
  const quantity = quantityOf(item['quantity']);
  if (quantity === undefined) return parked(`${path}/quantity`);
  const definition = fieldsOf(item['return_reason_definition']);
  const reason = reasonOf({
    word: item['return_reason'],
    handle: definition?.['handle'],
    label: definition?.['name'],
    note: clip(item['customer_note'], 4000) ?? item['return_reason_note'],
  });
  return { orderLineId: digitsOf(gid), quantity, reason };
};

const requested = (payload: JsonObject): Requested | Parked => {
  const returnGid = payload['admin_graphql_api_id'];
  if (!isGid(returnGid, 'Return')) return parked('/admin_graphql_api_id');
  const orderGid = fieldsOf(payload['order'])?.['admin_graphql_api_id'];
  if (orderGid !== undefined && !isGid(orderGid, 'Order')) return parked('/order/admin_graphql_api_id');
  const items = payload['return_line_items'] ?? [];
  if (!Array.isArray(items)) return parked('/return_line_items');
  const lines: NewLine[] = [];
  for (const [index, item] of items.entries()) {
    const line = lineOf(item, `/return_line_items/${index}`);
    if (line !== undefined && 'kind' in line) return line;
    if (line !== undefined) lines.push(line);
  }
  const told = payload['total_return_line_items'];
  const least = Math.max(items.length, typeof told === 'number' ? told : 0, 1);
  const complete = orderGid !== undefined && lines.length >= least;
  return { kind: 'requested', returnGid, ...(orderGid !== undefined && { orderGid }), lines, complete };
};

/**
 * Reads a verified delivery. Only the body was signed, so a body that has not the shape of the claimed topic is parked.
 * https://shopify.dev/docs/api/webhooks/2026-07?reference=toml#list-of-topics-returns/request
 *
 * @returns what lib/platforms/shopify.ts completes from the shop
 */
export const translate = (topic: string, payload: unknown): Translation => {
  if (topic !== 'returns/request') return { kind: 'ignored', reason: 'topic_not_handled' };
  const fields = fieldsOf(payload);
  return fields === undefined ? parked('') : requested(fields);
};

/** The request to the Returns Service for a return that the shop goes on managing. */
export const returnInput = (orderGid: string, returnGid: string, lines: readonly NewLine[]): Input<'createReturn'> => ({
  order: { platform: 'shopify', orderId: digitsOf(orderGid) },
  lines: [...lines],
  managedBy: 'platform',
  initiatedBy: 'customer',
  channel: 'shopify',
  externalRefs: [{ platform: 'shopify', id: returnGid }],
});
