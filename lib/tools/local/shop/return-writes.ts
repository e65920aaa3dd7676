import { decimalOf, thousandths } from './amounts.ts';
import { type Books, idIn } from './books.ts';
import { refundableIn, refundLines, returnableIn } from './ledger.ts';
import {
  type DispositionType,
  moved,
  type ShopReturn,
  type ShopReturnLine,
  type Source,
  type Writes,
} from './returns.ts';

/* The mutations of returns, with the refusals that were seen in live captures. */

/** The id of the subject, or errors. */
export type ReturnAnswer = { readonly id?: string; readonly errors?: readonly object[] };

const refused = (code: string | null, field: readonly string[], message: string): ReturnAnswer => ({
  errors: [{ code, field, message }],
});
const notFound = refused('NOT_FOUND', ['id'], 'Return not found.');
const badState = refused('INVALID_STATE', ['id'], 'Return status is invalid.');

const returnIn = ({ returns }: Books, gid: string): ShopReturn | undefined => returns.get(idIn(gid, 'Return'));

export const decide = (books: Books, writes: Writes, id: string, move: Parameters<typeof moved>[1]): ReturnAnswer => {
  const found = returnIn(books, id);
  if (found === undefined) return notFound;
  if (found.status !== 'REQUESTED')
    return refused('INVALID_STATE', ['id'], 'Only returns with status REQUESTED can be approved or declined.');
  writes.putReturn(moved(found, move, writes.source()));
  return { id: found.id };
};

const isProcessed = ({ lines }: ShopReturn): boolean =>
  lines.some(({ processed, dispositions }) => processed > 0 || dispositions.length > 0);

export const cancel = (books: Books, writes: Writes, id: string): ReturnAnswer => {
  const found = returnIn(books, id);
  if (found === undefined) return notFound;
  if (found.status === 'CANCELED') return { id: found.id };
  if (found.status === 'DECLINED' || found.status === 'CLOSED') return badState;
  if (isProcessed(found)) return refused('INVALID_STATE', ['id'], 'Return is not cancelable.');
  writes.putReturn(moved(found, { do: 'cancel' }, writes.source()));
  return { id: found.id };
};

export const close = (books: Books, writes: Writes, id: string): ReturnAnswer => {
  const found = returnIn(books, id);
  if (found === undefined) return notFound;
  if (found.status === 'CLOSED') return { id: found.id };
  if (found.status !== 'OPEN') return badState;
  writes.putReturn(moved(found, { do: 'close' }, writes.source()));
  return { id: found.id };
};

export type CreateInput = {
  readonly orderId: string;
  readonly returnLineItems: readonly {
    readonly fulfillmentLineItemId: string;
    readonly quantity: number;
    readonly returnReasonDefinitionId?: string;
    readonly returnReasonNote?: string;
  }[];
};

export const create = (books: Books, writes: Writes, { orderId, returnLineItems }: CreateInput): ReturnAnswer => {
  const order = books.orders.get(idIn(orderId, 'Order'));
  if (order === undefined) return refused('NOT_FOUND', ['returnInput', 'orderId'], 'Order not found.');
  const { nextId, now } = writes.source();
  const lines: ShopReturnLine[] = [];
  for (const { fulfillmentLineItemId, quantity, returnReasonNote = '' } of returnLineItems) {
    const unit = returnableIn(books, order)
      .flatMap(({ units }) => units)
      .find((units) => units.unit.id === idIn(fulfillmentLineItemId, 'FulfillmentLineItem'));
    if (unit === undefined || quantity > unit.free || returnReasonNote.length > 255)
      return refused('INVALID', ['returnInput', 'returnLineItems'], 'Quantity is not returnable.');
    lines.push({
      id: nextId(),
      unitId: unit.unit.id,
      lineId: unit.unit.lineId,
      quantity,
      processed: 0,
      reason: 'OTHER',
      reasonHandle: 'other',
      customerNote: null,
      note: returnReasonNote,
      reverseId: nextId(),
      dispositions: [],
    });
  }
  const id = nextId();
  writes.putReturn({
    id,
    name: `${order.name}-R${id}`,
    orderId: order.id,
    status: 'OPEN',
    createdAt: now,
    requestApprovedAt: null,
    closedAt: null,
    decline: null,
    reverseOrderId: nextId(),
    lines,
    deliveries: [],
    exchanges: [],
  });
  return { id };
};

export type ProcessInput = {
  readonly returnId: string;
  readonly returnLineItems?: readonly {
    readonly id: string;
    readonly quantity: number;
    readonly dispositions?: readonly {
      readonly quantity: number;
      readonly dispositionType: DispositionType;
      readonly locationId?: string;
    }[];
  }[];
  readonly refundShipping?: { readonly shippingRefundAmount?: { readonly amount: string } };
  readonly financialTransfer?: {
    readonly issueRefund?: {
      readonly orderTransactions: readonly { readonly transactionAmount: { readonly amount: string } }[];
    };
  };
};

/** Processes lines, or says why not. More units than are left are rejected: no capture shows it, the fields imply it. */
const processLines = (found: ShopReturn, { returnLineItems = [] }: ProcessInput, { nextId }: Source) => {
  const lines = new Map(found.lines.map((line) => [line.id, line]));
  for (const { id, quantity, dispositions = [] } of returnLineItems) {
    const line = lines.get(idIn(id, 'ReturnLineItem'));
    if (line === undefined)
      return refused('NOT_FOUND', ['input', 'returnLineItems'], 'Return line item was not found.');
    if (quantity > line.quantity - line.processed)
      return refused('INVALID', ['input', 'returnLineItems'], 'Quantity is greater than the processable quantity.');
    if (dispositions.some(({ dispositionType, locationId }) => dispositionType === 'RESTOCKED' && !locationId))
      return refused('NOT_FOUND', ['input', 'returnLineItems'], 'Location not found.');
    const added = dispositions.map((item) => ({ id: nextId(), type: item.dispositionType, quantity: item.quantity }));
    lines.set(line.id, {
      ...line,
      processed: line.processed + quantity,
      dispositions: [...line.dispositions, ...added],
    });
  }
  return { lines: [...lines.values()] };
};

export const process = (books: Books, writes: Writes, input: ProcessInput): ReturnAnswer => {
  const found = returnIn(books, input.returnId);
  const order = books.orders.get(found?.orderId ?? '');
  if (found === undefined || order === undefined) return notFound;
  if (found.status !== 'OPEN') return badState;
  const source = writes.source();
  const processed = processLines(found, input, source);
  if (!('lines' in processed)) return processed;
  const parts = input.financialTransfer?.issueRefund?.orderTransactions ?? [];
  const amount = parts.reduce((total, { transactionAmount }) => total + thousandths(transactionAmount.amount), 0);
  if (amount > refundableIn(books, order))
    return refused('INVALID', ['input', 'financialTransfer'], 'Refund amount is greater than net payment received.');
  const units = (input.returnLineItems ?? []).map(({ id, quantity }) => ({
    lineId: found.lines.find((line) => line.id === idIn(id, 'ReturnLineItem'))?.lineId ?? '',
    quantity,
  }));
  if (amount > 0)
    writes.putRefund({
      id: source.nextId(),
      orderId: order.id,
      returnId: found.id,
      createdAt: source.now,
      amount: decimalOf(amount),
      status: writes.gateway.status,
      pending: null,
      lines: refundLines(books, order, units),
      shipping: input.refundShipping?.shippingRefundAmount?.amount ?? null,
    });
  // With its money, a return whose units are all processed is closed, as documented. Without money, it stays open.
  const isWhole = amount > 0 && processed.lines.every((line) => line.processed === line.quantity);
  const next = { ...found, lines: processed.lines };
  writes.putReturn(isWhole ? moved(next, { do: 'close' }, source) : next);
  return { id: found.id };
};

export type ShipInput = {
  readonly reverseFulfillmentOrderId: string;
  readonly reverseDeliveryLineItems: readonly {
    readonly reverseFulfillmentOrderLineItemId: string;
    readonly quantity: number;
  }[];
  readonly trackingInput?: { readonly number?: string; readonly url?: string };
};

export const ship = (books: Books, writes: Writes, input: ShipInput): ReturnAnswer => {
  const wanted = idIn(input.reverseFulfillmentOrderId, 'ReverseFulfillmentOrder');
  const found = [...books.returns.values()].find(({ reverseOrderId }) => reverseOrderId === wanted);
  if (found === undefined) return refused('NOT_FOUND', ['reverseFulfillmentOrderId'], 'does not exist');
  const lines = input.reverseDeliveryLineItems.map(({ reverseFulfillmentOrderLineItemId: gid, quantity }) => ({
    reverseId: idIn(gid, 'ReverseFulfillmentOrderLineItem'),
    quantity,
  }));
  const isTooMany = lines.some(({ reverseId, quantity }) => {
    const total = found.lines.find((line) => line.reverseId === reverseId)?.quantity ?? 0;
    const packed = found.deliveries
      .flatMap((delivery) => delivery.lines ?? [])
      .filter((line) => line.reverseId === reverseId);
    return quantity > packed.reduce((left, line) => left - line.quantity, total);
  });
  if (isTooMany) return refused(null, ['reverseDeliveryLineItems'], 'cannot deliver more items than are returned');
  const { number = '', url = null } = input.trackingInput ?? {};
  const delivery = { id: writes.source().nextId(), tracking: { carrierName: '', number, url }, labelUrl: null, lines };
  writes.putReturn({ ...found, deliveries: [...found.deliveries, delivery] });
  return { id: delivery.id };
};
