import type { JsonObject } from '../../../runtime/json.ts';
import { sum } from '../../../runtime/sum.ts';
import type { Wanted, WantedLine, WantedReturn } from '../effect.ts';
import { blocked, hasAnyMark, markOf, type Plan } from '../shared/effects/plan.ts';
import { instant, objectOf, objectsOf } from '../shared/fields/fields.ts';
import { isDraft } from './fetch-snapshot.ts';
import { reasonCodeOf } from './goods.ts';
import { type ChangeItem, type ChangeRequest, confirmedReturn, planChange } from './order-change.ts';
import { idIn, textIn, unitsIn } from './order.ts';

/** The state of an order with its returns. */
export type ReturnFacts = {
  readonly order: JsonObject;
  readonly returns: readonly JsonObject[];
  readonly changes: readonly JsonObject[];
  /** The reasons of the shop. */
  readonly reasons: readonly JsonObject[];
  readonly now: number;
};

const missing = blocked('return_missing');
const isCancelled = ({ canceled_at: at }: JsonObject): boolean => textIn(at) !== undefined;

const returnIn = ({ returns }: Pick<ReturnFacts, 'returns'>, { externalId }: WantedReturn): JsonObject | undefined =>
  returns.find(({ id }) => id === externalId);

/** Returns the units by order line. Medusa's receipts name order lines, so each is one item of a return. */
const byOrderLine = (lines: readonly WantedLine[]): ReadonlyMap<string, readonly WantedLine[]> =>
  Map.groupBy(lines, ({ orderLineId }) => orderLineId);

const itemsToReturn = ({ lines }: WantedReturn, reasons: readonly JsonObject[]): readonly ChangeItem[] =>
  [...byOrderLine(lines)].flatMap(([id, parts]) => {
    const quantity = sum(parts.map((part) => part.quantity));
    // A reason with others below it is not for returns.
    const reason = reasons
      .filter(({ return_reason_children: below }) => objectsOf(below).length === 0)
      .find((node) => reasonCodeOf(node) === parts[0]?.reason);
    const reasonId = idIn(reason?.['id']);
    return quantity > 0
      ? [{ action: 'RETURN_ITEM' as const, id, quantity, ...(reasonId !== undefined && { reasonId }) }]
      : [];
  });

/** Returns the units of a line that were sent and are in no return. */
const returnableUnits = (order: JsonObject, id: string): number => {
  const item = objectsOf(order['items']).find((node) => node['id'] === id);
  const detail = objectOf(item?.['detail']);
  const units = (name: string): number => unitsIn(detail[name]) ?? 0;
  const returned = ['return_requested_quantity', 'return_received_quantity', 'return_dismissed_quantity'];
  return units('fulfilled_quantity') - sum(returned.map(units));
};

const unitsOf = (node: JsonObject): readonly string[] =>
  objectsOf(node['items']).map(({ item_id: id, quantity }) => `${idIn(id)} ${unitsIn(quantity)}`);

/**
 * Returns a return of the same units since ours, without a mark of an intent, that is unknown here: a person may have made
 * it for ours.
 */
const likeOurs = (
  wanted: Wanted,
  { returns, changes }: ReturnFacts,
  items: readonly ChangeItem[],
): string | undefined => {
  const marked = changes.filter(({ description }) => hasAnyMark(description)).map(({ return_id: id }) => id);
  const known = new Set<unknown>([...marked, ...(wanted.others?.returns ?? [])]);
  const units = items.map(({ id, quantity }) => `${id} ${quantity}`).toSorted();
  const since = wanted.return?.requestedAt ?? '';
  const found = returns
    .filter((node) => !isCancelled(node) && !isDraft(node) && !known.has(node['id']))
    .filter((node) => (instant(node['created_at']) ?? since) >= since)
    .find((node) => unitsOf(node).toSorted().join() === units.join());
  return idIn(found?.['id']);
};

/** Goods come back to where they were sent from. After several places, staff chooses. */
const locationOf = (order: JsonObject): string | undefined => {
  const sent = objectsOf(order['fulfillments']).filter((node) => !isCancelled(node));
  const [location, ...others] = new Set(sent.map(({ location_id: id }) => idIn(id)));
  return others.length === 0 ? location : undefined;
};

/** Compares the returns of an order with an approved one. Medusa has no approval: a requested return is approved. */
export const planApproval = (wanted: Wanted, facts: ReturnFacts): Plan<ChangeRequest> => {
  const { return: ours } = wanted;
  if (ours === undefined) return missing;
  const externalId = ours.externalId ?? confirmedReturn(facts.changes, wanted);
  if (externalId !== undefined) {
    const node = returnIn(facts, { ...ours, externalId });
    if (node === undefined) return missing;
    if (isCancelled(node)) return blocked('return_cancelled', { returnId: externalId });
    return { kind: 'done', externalId, ...(ours.externalId === undefined && { isOurs: true }) };
  }
  const items = itemsToReturn(ours, facts.reasons);
  const like = likeOurs(wanted, facts, items);
  if (like !== undefined) return blocked('return_exists', { returnId: like });
  const short = items.find(({ id, quantity }) => quantity > returnableUnits(facts.order, id));
  if (short !== undefined)
    return blocked('units_not_returnable', { orderLineId: short.id, left: returnableUnits(facts.order, short.id) });
  if (items.length === 0) return blocked('return_without_lines');
  const location = locationOf(facts.order);
  const begin = {
    order_id: wanted.orderId,
    ...(location !== undefined && { location_id: location }),
    description: `Return ${ours.rmaNumber} ${markOf(wanted)}`,
    metadata: { rma_number: ours.rmaNumber },
  };
  return planChange(wanted, { type: 'return_request', begin, items }, facts);
};

/** Compares a return with a cancelled or rejected one. Medusa has no rejection: such a return is cancelled. */
export const planCancellation = (wanted: Wanted, facts: Pick<ReturnFacts, 'returns'>): Plan<{ returnId: string }> => {
  const { return: ours } = wanted;
  if (ours === undefined) return missing;
  const { externalId } = ours;
  if (externalId === undefined) return { kind: 'done' };
  const node = returnIn(facts, ours);
  if (node === undefined) return missing;
  if (isCancelled(node)) return { kind: 'done', externalId };
  const received = sum(objectsOf(node['items']).map((item) => unitsIn(item['received_quantity'] ?? '0') ?? 0));
  if (received > 0) return blocked('units_received', { returnId: externalId, received });
  if (objectsOf(node['fulfillments']).some((fulfillment) => !isCancelled(fulfillment)))
    return blocked('fulfillments_open', { returnId: externalId });
  return { kind: 'open', request: { returnId: externalId } };
};

/** The accepted units of a line: those to restock, and the damaged others. */
type Accepted = { readonly good: number; readonly damaged: number };

const acceptedOf = (lines: readonly WantedLine[]): Accepted => {
  const accepted = lines.flatMap(({ found }) => found).filter(({ outcome }) => outcome === 'accept');
  const unitsFor = (isRestock: boolean): number =>
    sum(
      accepted.filter(({ disposition }) => (disposition === 'restock') === isRestock).map(({ quantity }) => quantity),
    );
  return { good: unitsFor(true), damaged: unitsFor(false) };
};

const receiptsOf = (id: string, { good, damaged }: Accepted): readonly ChangeItem[] =>
  [
    { action: 'RECEIVE_RETURN_ITEM' as const, id, quantity: good },
    { action: 'RECEIVE_DAMAGED_RETURN_ITEM' as const, id, quantity: damaged },
  ].filter(({ quantity }) => quantity > 0);

/** Returns what is to receive of an order line, or why people must do it. */
const receiptOf = (
  node: JsonObject,
  id: string,
  accepted: Accepted,
): { readonly items: readonly ChangeItem[] } | { readonly reason: string; readonly seen: JsonObject } => {
  const wanted = accepted.good + accepted.damaged;
  if (wanted === 0) return { items: [] };
  const [item, ...others] = objectsOf(node['items']).filter(({ item_id: line }) => line === id);
  const units = (name: string): number => unitsIn(item?.[name] ?? '0') ?? 0;
  const [expected, received, damaged] = [units('quantity'), units('received_quantity'), units('damaged_quantity')];
  const seen = { orderLineId: id, expected, received, damaged, accepted: wanted };
  // A receipt counts for one item of an order line.
  if (item === undefined || others.length > 0) return { reason: 'line_differs', seen };
  if (received === wanted && damaged === accepted.damaged) return { items: [] };
  // A second receipt of a line replaces the units of the first.
  if (received > 0) return { reason: 'received_before', seen };
  return wanted > expected ? { reason: 'units_differ', seen } : { items: receiptsOf(id, accepted) };
};

/**
 * Compares a return with the units that were accepted here.
 * A receipt in Medusa puts units into stock, or writes them off, and the order then owes their price. So units are
 * received there after their inspection, and refused ones are not.
 */
export const planReceipt = (wanted: Wanted, facts: ReturnFacts): Plan<ChangeRequest> => {
  const { return: ours } = wanted;
  const node = ours && returnIn(facts, ours);
  const returnId = idIn(node?.['id']);
  if (ours === undefined || node === undefined || returnId === undefined) return missing;
  if (isCancelled(node)) return blocked('return_cancelled', { returnId });
  const items: ChangeItem[] = [];
  for (const [id, lines] of byOrderLine(ours.lines)) {
    const receipt = receiptOf(node, id, acceptedOf(lines));
    if ('reason' in receipt) return blocked(receipt.reason, { returnId, ...receipt.seen });
    items.push(...receipt.items);
  }
  if (items.length === 0) return { kind: 'done', externalId: returnId };
  // Without a location, the confirmation fails for managed stock, after it has marked the return as received.
  if (idIn(node['location_id']) === undefined) return blocked('location_missing', { returnId });
  const begin = { description: `Return ${ours.rmaNumber} ${markOf(wanted)}` };
  return planChange(wanted, { type: 'return_receive', returnId, begin, items }, facts);
};
