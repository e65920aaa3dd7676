import { type FieldNode, GraphQLError, type GraphQLResolveInfo, Kind } from 'graphql';
import { decimalOf, thousandths } from './amounts.ts';
import { type Books, idIn } from './books.ts';
import { refundableIn, refundedUnits, refundLines } from './ledger.ts';
import type { Writes } from './returns.ts';

/* `refundCreate`, the mutation with a key. */

export type RefundInput = {
  readonly orderId: string;
  readonly note?: string;
  readonly refundLineItems?: readonly { readonly lineItemId: string; readonly quantity: number }[];
  readonly shipping?: { readonly amount?: string };
  readonly transactions?: readonly { readonly amount: string; readonly parentId?: string }[];
};

/** Creates a refund; returns its id, or the text of an error: these errors have no code. */
const storeRefund = (books: Books, writes: Writes, input: RefundInput): { refundId?: string; error?: string } => {
  const order = books.orders.get(idIn(input.orderId, 'Order'));
  if (order === undefined) return { error: 'Order does not exist' };
  const units = (input.refundLineItems ?? []).map(({ lineItemId, quantity }) => ({
    lineId: idIn(lineItemId, 'LineItem'),
    quantity,
  }));
  const isTooMany = units.some(({ lineId, quantity }) => {
    const ordered = order.lines.find(({ id }) => id === lineId)?.quantity ?? 0;
    return quantity > ordered - refundedUnits(books, order.id, lineId);
  });
  if (isTooMany) return { error: 'Refund line items cannot refund more items than were purchased' };
  const amount = (input.transactions ?? []).reduce((total, part) => total + thousandths(part.amount), 0);
  if (amount > refundableIn(books, order)) return { error: 'Refund amount is greater than net payment received' };
  const { nextId, now } = writes.source();
  const refundId = nextId();
  writes.putRefund({
    id: refundId,
    orderId: order.id,
    returnId: null,
    createdAt: now,
    amount: decimalOf(amount),
    status: writes.gateway.status,
    pending: null,
    lines: refundLines(books, order, units),
    shipping: input.shipping?.amount ?? null,
    note: input.note ?? null,
  });
  return { refundId };
};

/** Returns the key of the directive at a field. */
const keyAt = ([node]: readonly FieldNode[], variables: GraphQLResolveInfo['variableValues']): string | undefined => {
  const argument = node?.directives?.find(({ name }) => name.value === 'idempotent')?.arguments?.[0]?.value;
  if (argument?.kind === Kind.STRING) return argument.value;
  return argument?.kind === Kind.VARIABLE ? String(variables[argument.name.value]) : undefined;
};

const failWith = (code: string): never => {
  throw new GraphQLError(`The request was rejected: ${code}`, { extensions: { code } });
};

/** Creates the refund of a key once, and returns the same answer again. */
export const refund = (books: Books, writes: Writes, input: RefundInput, info: GraphQLResolveInfo) => {
  const key = keyAt(info.fieldNodes, info.variableValues) ?? failWith('BAD_REQUEST');
  const before = writes.keys.get(key);
  if (before !== undefined && before.input !== JSON.stringify(input))
    return failWith('IDEMPOTENCY_KEY_PARAMETER_MISMATCH');
  if (before !== undefined) return before;
  const stored = { input: JSON.stringify(input), refundId: undefined, ...storeRefund(books, writes, input) };
  writes.keys.set(key, stored);
  return stored;
};
