import { ok, type Result } from '../../../runtime/result.ts';
import type { Money } from '../../../contract/scalars.ts';
import { sum } from '../../../runtime/sum.ts';
import { type ShopFailure, permanentFailure } from '../platform.ts';
import { total } from '../../../domain/money/decimal.ts';
import { instant } from '../shared/fields/fields.ts';
import type { Shop } from '../shared/http/api.ts';
import { readExpectedShape } from '../shared/http/read-each.ts';
import type { RemoteRefund } from '../shared/sync/remote-return.ts';
import { callApi, readPages } from './api.ts';
import type { MoneySet } from './queries.ts';
import { type RefundLineNode, refundLinesQuery, type RefundNode, refundQuery } from './return-queries.ts';
import { digitsOf } from './words.ts';

type Line = NonNullable<RemoteRefund['lines']>[number];

/** A refund of the shop, or why it is unreadable; `refund` is undefined if it moved no money, or not all of it yet. */
export type RefundReading = {
  readonly refund: Result<RemoteRefund | undefined, ShopFailure>;
  /** The units that it gives back without money, and what they are worth. Only a refund without a return does. */
  readonly removal?: { readonly lines: readonly Line[]; readonly worth: number | undefined };
  readonly orderGid: string;
  readonly returnGid?: string;
  readonly createdAt: string;
};

const presentment = ({ presentmentMoney }: MoneySet) => presentmentMoney;

/** Returns a price with tax. Prices of some orders exclude tax, refunds include it. */
const withTax = (price: readonly MoneySet[], tax: readonly MoneySet[], taxesIncluded: boolean, currency: string) =>
  total([...price, ...(taxesIncluded ? [] : tax)].map(presentment), currency);

/** Returns the lines of the order, each once, with their part of the refund if it is exact. */
const linesOf = (nodes: readonly RefundLineNode[], taxesIncluded: boolean, currency: string): Line[] => {
  const groups = Map.groupBy(
    nodes.filter(({ quantity }) => quantity > 0),
    ({ lineItem }) => digitsOf(lineItem.id),
  );
  return Array.from(groups, ([orderLineId, group]) => {
    const taxes = group.map(({ totalTaxSet }) => totalTaxSet);
    const amount = withTax(
      group.map(({ subtotalSet }) => subtotalSet),
      taxes,
      taxesIncluded,
      currency,
    );
    const tax = total(taxes.map(presentment), currency);
    const isConsistent = amount !== undefined && tax !== undefined && tax.amount <= amount.amount;
    return {
      orderLineId,
      quantity: sum(group.map(({ quantity }) => quantity)),
      ...(isConsistent && { amount, tax }),
    };
  });
};

/**
 * Limits the parts of a refund to its amount.
 * A refund may be less than its parts, because of a fee or an exchange. Then the lines have no amounts and share it.
 */
const limitToAmount = (amount: Money, lines: readonly Line[], shipping: Money | undefined): Partial<RemoteRefund> => {
  const parts = sum(lines.map(({ amount: paid }) => paid?.amount ?? 0));
  const forShipping = shipping?.amount ?? 0;
  const isWhole = parts + forShipping <= amount.amount;
  const reportedLines = isWhole ? lines : lines.map(({ orderLineId, quantity }) => ({ orderLineId, quantity }));
  return {
    ...(reportedLines.length > 0 && { lines: [...reportedLines] }),
    ...(shipping !== undefined && forShipping > 0 && forShipping <= amount.amount && { shipping }),
  };
};

const methods: Readonly<Record<string, RemoteRefund['method']>> = {
  gift_card: 'gift_card',
  shopify_store_credit: 'store_credit',
  manual: 'manual',
};

/**
 * Returns the refunded amount by the transactions that succeeded. A refund may exist before or without any.
 * While a transaction is pending, the amount may still grow, and a recorded amount is final. So the refund waits.
 * Shopify updates the order when the transaction ends, and `fetchChanges` finds the refund or its return then.
 */
export const refundOf = (
  gid: string,
  node: RefundNode,
  lines: readonly RefundLineNode[],
): Result<RemoteRefund | undefined, ShopFailure> =>
  readExpectedShape('refund_unreadable', () => readRefund(gid, node, lines));

const readRefund: typeof refundOf = (gid, node, lines) => {
  if (node.transactions.pageInfo.hasNextPage) return permanentFailure('refund_unreadable');
  const refunding = node.transactions.nodes.filter(({ kind }) => kind === 'REFUND');
  const paid = refunding.filter(({ status }) => status === 'SUCCESS');
  const [first] = paid;
  if (first === undefined || refunding.some(({ status }) => status === 'PENDING')) return ok(undefined);
  const currency = first.amountSet.presentmentMoney.currencyCode;
  const amount = total(
    paid.map(({ amountSet }) => presentment(amountSet)),
    currency,
  );
  const occurredAt = instant(node.createdAt) ?? instant(first.processedAt);
  if (amount === undefined || occurredAt === undefined || node.refundShippingLines.pageInfo.hasNextPage)
    return permanentFailure('refund_unreadable');
  if (amount.amount === 0) return ok(undefined);
  const { taxesIncluded } = node.order;
  const shippingLines = node.refundShippingLines.nodes;
  const shipping = withTax(
    shippingLines.map(({ subtotalAmountSet }) => subtotalAmountSet),
    shippingLines.map(({ taxAmountSet }) => taxAmountSet),
    taxesIncluded,
    currency,
  );
  const modes = new Set(paid.map(({ gateway }) => methods[gateway ?? ''] ?? 'original_payment'));
  const [method] = modes;
  return ok({
    platform: 'shopify',
    orderId: digitsOf(node.order.id),
    externalId: digitsOf(gid),
    amount,
    method: modes.size === 1 && method !== undefined ? method : 'original_payment',
    occurredAt,
    ...limitToAmount(amount, linesOf(lines, taxesIncluded, currency), shipping),
  });
};

/** Returns the units that a refund gives back: it has lines, and no transaction that refunds or tried to. */
const removalOf = (node: RefundNode, nodes: readonly RefundLineNode[]): Pick<RefundReading, 'removal'> => {
  const currency = nodes[0]?.subtotalSet.presentmentMoney.currencyCode ?? '';
  const lines = linesOf(nodes, node.order.taxesIncluded, currency);
  const { transactions } = node;
  const isMoney = transactions.pageInfo.hasNextPage || transactions.nodes.some(({ kind }) => kind === 'REFUND');
  if (isMoney || node.return !== null || lines.length === 0) return {};
  const amounts = lines.map(({ amount }) => amount?.amount);
  const worth = amounts.every((amount) => amount !== undefined) ? sum(amounts) : undefined;
  return { removal: { lines: lines.map(({ orderLineId, quantity }) => ({ orderLineId, quantity })), worth } };
};

/**
 * Reads a refund in the currency that the customer was charged in.
 * https://shopify.dev/docs/api/admin-graphql/2026-10/queries/refund
 */
export const fetchRefund = async (shop: Shop, gid: string): Promise<Result<RefundReading, ShopFailure>> => {
  const answer = await callApi<{ refund: RefundNode | null }>(shop, refundQuery, { id: gid });
  if (!answer.ok) return answer;
  const { refund: node } = answer.value.data;
  if (node === null)
    return permanentFailure(answer.value.denied.length > 0 ? 'shop_denied_access' : 'shop_refund_not_found');
  const lines = await readPages<RefundLineNode>(node.refundLineItems, async (after) => {
    const next = await callApi<{ refund: Pick<RefundNode, 'refundLineItems'> | null }>(shop, refundLinesQuery, {
      id: gid,
      after,
    });
    return next.ok ? ok(next.value.data.refund?.refundLineItems) : next;
  });
  if (!lines.ok) return lines;
  const { nodes, whole } = lines.value;
  return readExpectedShape('refund_unreadable', () =>
    ok({
      refund: whole ? refundOf(gid, node, nodes) : permanentFailure('refund_unreadable'),
      ...(whole && removalOf(node, nodes)),
      orderGid: node.order.id,
      createdAt: instant(node.createdAt) ?? '',
      ...(node.return !== null && { returnGid: node.return.id }),
    }),
  );
};
