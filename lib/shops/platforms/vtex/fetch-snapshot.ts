import { ok, type Result } from '../../../runtime/result.ts';
import { sum } from '../../../runtime/sum.ts';
import { type RemoteSnapshot, type ShopFailure, permanentFailure } from '../platform.ts';
import { withUnread } from '../shared/fields/completeness.ts';
import { objectOf, objectsOf, optional } from '../shared/fields/fields.ts';
import type { Shop } from '../shared/http/api.ts';
import type { RemoteRefund, RemoteReturn } from '../shared/sync/remote-return.ts';
import { orderFacts } from './facts.ts';
import { invoiceId, type ReturnInvoice, returnInvoices } from './invoices.ts';
import { methods, moneyOf, unitsOf, wholeNumber } from './numbers.ts';
import { fetchOrder, itemAt, type Order, type ResourceRef } from './order.ts';
import { fetchRequest, type ReturnRequest, remoteReturnOf } from './return.ts';

type Line = NonNullable<RemoteRefund['lines']>[number];

/** Returns the number of the invoice by which the app refunds a request. */
const invoiceNumberOf = ({ id, fields }: ReturnRequest): string => {
  const { invoiceNumber } = objectOf(fields['refundData']);
  return typeof invoiceNumber === 'string' && invoiceNumber.trim() !== '' ? invoiceNumber : id;
};

/** Returns the verified units with their refund: the price with tax, less the restocking fee. */
const linesOf = ({ fields }: ReturnRequest, order: Order): Line[] => {
  const lines: Line[] = [];
  for (const verified of objectsOf(objectOf(fields['refundData'])['items'])) {
    const quantity = unitsOf(verified['quantity']);
    const item = itemAt(order, verified['orderItemIndex'], verified['id']);
    if (item === undefined || quantity === undefined) return [];
    const [price, fee = 0] = [wholeNumber(verified['price']), wholeNumber(verified['restockFee'])];
    const amount = price === undefined ? undefined : moneyOf(price * quantity - fee, order.currency);
    if (quantity > 0) lines.push({ orderLineId: item.lineId, quantity, ...optional('amount', amount) });
  }
  return lines;
};

/** Limits the parts of a refund to its amount. */
const limitToAmount = (
  amount: RemoteRefund['amount'],
  lines: readonly Line[],
  shipping: RemoteRefund['shipping'],
): Pick<RemoteRefund, 'lines' | 'shipping'> => {
  const forGoods = sum(lines.map(({ amount }) => amount?.amount ?? 0));
  const forShipping = shipping?.amount ?? 0;
  const isOnce = new Set(lines.map(({ orderLineId }) => orderLineId)).size === lines.length;
  const isWhole = isOnce && forGoods + forShipping <= amount.amount;
  const reportedLines = isWhole ? lines : lines.map(({ orderLineId, quantity }) => ({ orderLineId, quantity }));
  return {
    ...(isOnce && reportedLines.length > 0 && { lines: [...reportedLines] }),
    ...(shipping !== undefined && forShipping > 0 && forShipping <= amount.amount && { shipping }),
  };
};

/**
 * Returns the refund of a request.
 * For cards the app adds an invoice to the order, by which VTEX refunds. For a transfer or a gift card only the status
 * shows the refund.
 *
 * @param invoice the invoice of the order with the request's number
 */
const refundOf = (
  request: ReturnRequest,
  order: Order,
  invoice: ReturnInvoice | undefined,
): Result<RemoteRefund | undefined, ShopFailure> => {
  const data = objectOf(request.fields['refundData']);
  const isPaid = request.status === 'amountRefunded';
  if (Object.keys(data).length === 0 || (invoice === undefined && !isPaid)) return ok(invoice?.refund);
  const amount = invoice?.refund?.amount ?? moneyOf(data['invoiceValue'], order.currency);
  const occurredAt =
    invoice?.refund?.occurredAt ?? request.steps.findLast(({ status }) => status === request.status)?.at;
  if (amount === undefined || occurredAt === undefined) return permanentFailure('refund_unreadable');
  if (amount.amount === 0) return ok(undefined);
  const wanted = objectOf(request.fields['refundPaymentData'])['refundPaymentMethod'];
  const shipping = moneyOf(data['refundedShippingValue'], order.currency);
  return ok({
    platform: order.platform,
    orderId: order.orderId,
    externalId: invoiceId(invoiceNumberOf(request)),
    amount,
    method: methods[typeof wanted === 'string' ? wanted : ''] ?? invoice?.refund?.method ?? 'original_payment',
    occurredAt,
    ...limitToAmount(amount, linesOf(request, order), shipping),
  });
};

type ReturnReading = { readonly remote: RemoteReturn; readonly refunds: readonly RemoteRefund[] };

const readReturn = (
  request: ReturnRequest,
  order: Order,
  invoices: readonly ReturnInvoice[],
): Result<ReturnReading, ShopFailure> => {
  const invoice = invoices.find(({ number }) => number === invoiceNumberOf(request));
  const remote = remoteReturnOf(request, order, invoice);
  if (!remote.ok) return remote;
  const refund = refundOf(request, order, invoice);
  return refund.ok ? ok({ remote: remote.value, refunds: refund.value === undefined ? [] : [refund.value] }) : refund;
};

/** The readings, before they become a snapshot. */
type RawSnapshot = {
  readonly order: Order;
  readonly returns: readonly ReturnReading[];
  readonly refunds: readonly RemoteRefund[];
  readonly unread?: ShopFailure | undefined;
};

const fetchRequestSnapshot = async (shop: Shop, requestId: string): Promise<Result<RawSnapshot, ShopFailure>> => {
  const request = await fetchRequest(shop, requestId);
  if (!request.ok) return request;
  const order = await fetchOrder(shop, request.value.orderId);
  if (!order.ok) return order;
  const invoices = returnInvoices(order.value);
  if (!invoices.ok) return invoices;
  const reading = readReturn(request.value, order.value, invoices.value.read);
  const { unread } = invoices.value;
  return reading.ok ? ok({ order: order.value, returns: [reading.value], refunds: [], unread }) : reading;
};

/** Whether an invoice number may be a request id. The app uses its request ids, which are UUIDs. */
const mayBeRequest = (number: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(number);

/** Reads the request that an invoice refunds; undefined for a foreign number, or without the app. */
const fetchRequestOfInvoice = async (
  shop: Shop,
  order: Order,
  { number }: ReturnInvoice,
): Promise<Result<ReturnRequest | undefined, ShopFailure>> => {
  if (!mayBeRequest(number)) return ok(undefined);
  const request = await fetchRequest(shop, number);
  if (request.ok) return ok(request.value.orderId === order.orderId ? request.value : undefined);
  return request.failure.reason === 'shop_status_404' ? ok(undefined) : request;
};

/** Reads the refunds of an order, with the requests of some of them. */
const fetchOrderSnapshot = async (shop: Shop, orderId: string): Promise<Result<RawSnapshot, ShopFailure>> => {
  const order = await fetchOrder(shop, orderId);
  if (!order.ok) return order;
  const invoices = returnInvoices(order.value);
  if (!invoices.ok) return invoices;
  const returns: ReturnReading[] = [];
  const refunds: RemoteRefund[] = [];
  let { unread } = invoices.value;
  for (const invoice of invoices.value.read) {
    const request = await fetchRequestOfInvoice(shop, order.value, invoice);
    if (!request.ok) return request;
    if (request.value === undefined) {
      if (invoice.refund !== undefined) refunds.push(invoice.refund);
      continue;
    }
    const reading = readReturn(request.value, order.value, invoices.value.read);
    if (reading.ok) returns.push(reading.value);
    else if (reading.failure.kind === 'retryable') return reading;
    else unread ??= reading.failure;
  }
  return ok({ order: order.value, returns, refunds, unread });
};

/**
 * Fetches the current state of a delivery's subject.
 * It is the order, with its refunds or the requested return. Undefined for an order without refunds.
 */
export const fetchSnapshot = async (
  shop: Shop,
  subject: ResourceRef,
): Promise<Result<RemoteSnapshot | undefined, ShopFailure>> => {
  const found =
    subject.kind === 'order'
      ? await fetchOrderSnapshot(shop, subject.orderId)
      : await fetchRequestSnapshot(shop, subject.requestId);
  if (!found.ok) return found;
  const { order, returns, refunds, unread } = found.value;
  if (returns.length === 0 && refunds.length === 0 && unread === undefined) return ok(undefined);
  const facts = orderFacts(order);
  if (!facts.ok) return facts;
  const noted = withUnread(facts.value, unread);
  return ok({ kind: 'snapshot', order: noted, returns, refunds, ...(unread !== undefined && { unread }) });
};

/** Fetches the current state of a request. */
export const refetchReturn = async (shop: Shop, requestId: string): Promise<Result<RemoteReturn, ShopFailure>> => {
  const found = await fetchRequestSnapshot(shop, requestId);
  if (!found.ok) return found;
  const [reading] = found.value.returns;
  return reading === undefined ? permanentFailure('return_unreadable') : ok(reading.remote);
};
