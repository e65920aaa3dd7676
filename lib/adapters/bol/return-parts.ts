import { failureOf, OperationFailure, unsupported } from '../failure.ts';
import { instantOf } from '../fields.ts';
import type { BolReturn, ProcessingResult, ReducedReturnItem, ReturnItem } from './service.ts';

/** The states of a return. The service has them only for each item. */
export type State = 'OPEN' | 'PARTLY_HANDLED' | 'PROCESSING' | 'HANDLED' | 'CANCELLED';

const knownResults: ReadonlySet<string> = new Set<ProcessingResult['processingResult']>([
  'PENDING',
  'ACCEPTED',
  'REJECTED',
  'CANCELLED',
]);

const isCancelled = ({ processingResults }: ReducedReturnItem): boolean =>
  processingResults.length > 0 && processingResults.every(({ processingResult }) => processingResult === 'CANCELLED');

/** Whether the retailer still has to handle an item. */
export const isOpen = (item: ReducedReturnItem): boolean => !item.handled && !isCancelled(item);

/** Returns the state of items together. A result that the adapter does not know is the state, so that it is reported. */
const stateOf = (items: readonly ReducedReturnItem[]): State => {
  const results = items.flatMap(({ processingResults }) => processingResults.map((result) => result.processingResult));
  const unknown = results.find((result) => !knownResults.has(result));
  if (unknown !== undefined) return unknown as string as State;
  const handled = items.filter((item) => !isOpen(item) && !isCancelled(item));
  if (items.some(isOpen)) return handled.length === 0 ? 'OPEN' : 'PARTLY_HANDLED';
  if (handled.length === 0) return 'CANCELLED';
  return results.includes('PENDING') ? 'PROCESSING' : 'HANDLED';
};

/** The items of a return that belong to one order: a return of ours has one order. */
export type ReturnPart<Item extends ReducedReturnItem = ReturnItem> = {
  readonly returnId: string;
  readonly orderId: string;
  readonly items: readonly Item[];
  readonly of: BolReturn<Item>;
};

/** Returns the parts of a return. The only part has the id of the return. Others have the id of their order in it too. */
export const partsOf = <Item extends ReducedReturnItem>(of: BolReturn<Item>): readonly ReturnPart<Item>[] => {
  const byOrder = Map.groupBy(of.returnItems, ({ orderId }) => orderId);
  return Array.from(byOrder, ([orderId, items]) => ({
    returnId: byOrder.size === 1 ? of.returnId : `${of.returnId}:${orderId}`,
    orderId,
    items,
    of,
  }));
};

/** Returns the id of the service in an id of ours. */
export const ownIdOf = (returnId: string): string => returnId.split(':', 1)[0] ?? '';

/**
 * Returns the part with an id of ours.
 *
 * @throws {OperationFailure} for a part that does not exist, and for the id of a return with several parts
 */
export const partWith = (returnId: string, bolReturn: BolReturn): ReturnPart => {
  const parts = partsOf(bolReturn);
  const found = parts.find((part) => part.returnId === returnId);
  if (found !== undefined) return found;
  if (returnId !== bolReturn.returnId) throw new OperationFailure(failureOf('return_not_found'));
  const ids = parts.map((part) => part.returnId).join(' or ');
  throw unsupported('/returnId', `must be ${ids}, because the return has items of several orders`);
};

/** Returns what a list says of a part. */
export const headOf = ({ returnId, orderId, items, of }: ReturnPart<ReducedReturnItem>) => ({
  returnId,
  state: stateOf(items),
  order: { orderId },
  createdAt: instantOf(of.registrationDateTime, 'Europe/Amsterdam', '/registrationDateTime'),
  skus: [...new Set(items.map(({ ean }) => ean))],
});

const outcomes: Readonly<Record<string, 'accept' | 'refuse'>> = {
  RETURN_RECEIVED: 'accept',
  RETURN_DOES_NOT_MEET_CONDITIONS: 'refuse',
};

const inspectionsOf = ({ processingResults }: ReducedReturnItem) =>
  processingResults.flatMap(({ handlingResult, quantity, processingDateTime }) => {
    const outcome = outcomes[handlingResult];
    if (outcome === undefined) return [];
    return [{ quantity, outcome, at: instantOf(processingDateTime, 'Europe/Amsterdam', '/processingDateTime') }];
  });

const lineOf = (item: ReturnItem) => {
  const { mainReason, detailedReason, customerComments } = item.returnReason;
  return {
    lineId: item.rmaId,
    sku: item.ean,
    quantities: { requested: item.expectedQuantity },
    reason: {
      source: { system: 'bol', code: mainReason, label: detailedReason ?? undefined },
      note: customerComments || undefined,
    },
    inspections: inspectionsOf(item),
  };
};

const parcelsOf = (items: readonly ReturnItem[]) => {
  const carriers = new Map(items.map((item) => [item.trackAndTrace, item.transporterName]));
  return Array.from(carriers, ([trackingNumber, carrier]) =>
    trackingNumber ? [{ direction: 'inbound' as const, trackingNumber, carrier: carrier ?? undefined }] : [],
  ).flat();
};

const customerOf = ([item]: readonly ReturnItem[]) => {
  const { firstName, surname, email } = item?.customerDetails ?? {};
  const name = [firstName, surname].filter(Boolean).join(' ');
  return name || email ? { name: name || undefined, email: email || undefined } : undefined;
};

/** Returns a part as a return of ours. Only a retailer's own return can be inspected by the retailer. */
export const returnOf = (part: ReturnPart) => {
  const { skus: _, ...head } = headOf(part);
  const canInspect = part.of.fulfilmentMethod === 'FBR' && part.items.some(isOpen);
  return {
    ...head,
    actions: canInspect ? (['inspect'] as const) : [],
    customer: customerOf(part.items),
    lines: part.items.map(lineOf),
    parcels: parcelsOf(part.items),
  };
};
