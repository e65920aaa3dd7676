import { ok, type Result } from '../../../../runtime/result.ts';
import type { Money } from '../../../../contract/scalars.ts';
import { type DecimalMoney, total } from '../../../../domain/money/decimal.ts';
import { sum } from '../../../../runtime/sum.ts';
import { permanentFailure, type ShopFailure } from '../../platform.ts';
import type { Shop } from '../../shared/http/api.ts';
import { readExpectedShape } from '../../shared/http/read-each.ts';
import { callApi } from '../api.ts';
import { type Connection, money, page } from '../queries.ts';
import { digitsOf } from '../words.ts';

/* The state of a return and of its order at the shop, as far as write-back compares it. */

export type ReturnLineState = {
  readonly gid: string;
  readonly orderLineId: string;
  readonly fulfillmentLineGid: string;
  readonly quantity: number;
  readonly processed: number;
};

/** The goods of a return at one location. */
export type ReverseLineState = {
  readonly gid: string;
  readonly reverseOrderGid: string;
  readonly fulfillmentLineGid: string;
  readonly orderLineId: string;
  readonly quantity: number;
  /** The units by their disposition. */
  readonly disposed: Readonly<Record<string, number>>;
};

/** `paid`: all its transactions succeeded. `pending`: one may still fail. */
export type RefundState = {
  /** The digits, as the translator reports the refund. */
  readonly id: string;
  readonly gid: string;
  readonly note: string | null;
  readonly isOfReturn: boolean;
  readonly status: 'paid' | 'pending' | 'failed' | 'none';
  /** Undefined if it is inexact. */
  readonly amount: Money | undefined;
};

export type ReturnState = {
  readonly gid: string;
  readonly status: string;
  readonly currency: string;
  readonly lines: readonly ReturnLineState[];
  readonly reverseLines: readonly ReverseLineState[];
  readonly hasExchange: boolean;
  readonly refunds: readonly RefundState[];
};

type OrderLineOf = { readonly id: string; readonly lineItem: { readonly id: string } };

export const refundFields = `
  id note return { id }
  transactions(first: 5) { nodes { kind status amountSet { ${money} } } ${page} }`;

const returnLines = `nodes { id quantity processedQuantity ... on ReturnLineItem { fulfillmentLineItem { id lineItem { id } } } }`;

/** Page sizes limit the cost, like those in queries.ts. A larger return is left to people. */
const stateQuery = `query ReturnState($id: ID!) {
  return(id: $id) {
    id status
    order { id presentmentCurrencyCode }
    returnLineItems(first: 40) { ${returnLines} ${page} }
    exchangeLineItems(first: 5) { nodes { id processedQuantity unprocessedQuantity } }
    refunds(first: 10) { nodes { ${refundFields} } ${page} }
    reverseFulfillmentOrders(first: 4) {
      nodes {
        id status
        lineItems(first: 30) {
          nodes { id totalQuantity dispositions { type quantity } fulfillmentLineItem { id lineItem { id } } }
          ${page}
        }
      }
      ${page}
    }
  }
}`;

export type RefundStateNode = {
  readonly id: string;
  readonly note: string | null;
  readonly return: { readonly id: string } | null;
  readonly transactions: Connection<{
    readonly kind: string;
    readonly status: string;
    readonly amountSet: { readonly presentmentMoney: DecimalMoney };
  }>;
};

export type ReverseOrderNode = {
  readonly id: string;
  readonly status: string;
  readonly lineItems: Connection<{
    readonly id: string;
    readonly totalQuantity: number;
    readonly dispositions: readonly { readonly type: string; readonly quantity: number }[];
    readonly fulfillmentLineItem: OrderLineOf | null;
  }>;
};

type ReturnStateNode = {
  readonly id: string;
  readonly status: string;
  readonly order: { readonly id: string; readonly presentmentCurrencyCode: string };
  readonly returnLineItems: Connection<{
    readonly id: string;
    readonly quantity: number;
    readonly processedQuantity: number;
    readonly fulfillmentLineItem?: OrderLineOf;
  }>;
  readonly exchangeLineItems: {
    readonly nodes: readonly { readonly processedQuantity: number; readonly unprocessedQuantity: number }[];
  };
  readonly refunds: Connection<RefundStateNode>;
  readonly reverseFulfillmentOrders: Connection<ReverseOrderNode>;
};

const statusOf = (statuses: readonly string[]): RefundState['status'] => {
  if (statuses.length === 0) return 'none';
  if (statuses.every((status) => status === 'SUCCESS')) return 'paid';
  return statuses.every((status) => status === 'FAILURE' || status === 'ERROR') ? 'failed' : 'pending';
};

export const refundStateOf = (node: RefundStateNode): RefundState => {
  const refunding = node.transactions.nodes.filter(({ kind }) => kind === 'REFUND');
  const amounts = refunding.map(({ amountSet }) => amountSet.presentmentMoney);
  return {
    id: digitsOf(node.id),
    gid: node.id,
    note: node.note,
    isOfReturn: node.return !== null,
    status: statusOf(refunding.map(({ status }) => status)),
    amount: node.transactions.pageInfo.hasNextPage ? undefined : total(amounts, amounts[0]?.currencyCode ?? ''),
  };
};

export const reverseLinesOf = ({ id, status, lineItems }: ReverseOrderNode): readonly ReverseLineState[] =>
  status === 'CANCELED'
    ? []
    : lineItems.nodes.flatMap(({ id: gid, totalQuantity, dispositions, fulfillmentLineItem }) =>
        fulfillmentLineItem === null
          ? []
          : [
              {
                gid,
                reverseOrderGid: id,
                fulfillmentLineGid: fulfillmentLineItem.id,
                orderLineId: digitsOf(fulfillmentLineItem.lineItem.id),
                quantity: totalQuantity,
                disposed: Object.fromEntries(
                  Array.from(
                    Map.groupBy(dispositions, ({ type }) => type),
                    ([type, same]) => [type, sum(same.map(({ quantity }) => quantity))],
                  ),
                ),
              },
            ],
      );

const returnStateOf = (node: ReturnStateNode): Result<ReturnState, ShopFailure> => {
  const { returnLineItems, refunds, reverseFulfillmentOrders: reverse } = node;
  const lists = [returnLineItems, refunds, reverse, ...reverse.nodes.map(({ lineItems }) => lineItems)];
  if (lists.some(({ pageInfo }) => pageInfo.hasNextPage)) return permanentFailure('return_too_large');
  const lines: ReturnLineState[] = [];
  for (const { id: gid, quantity, processedQuantity: processed, fulfillmentLineItem } of returnLineItems.nodes) {
    if (fulfillmentLineItem === undefined) return permanentFailure('return_line_unverified');
    const orderLineId = digitsOf(fulfillmentLineItem.lineItem.id);
    if (quantity > 0) lines.push({ gid, orderLineId, fulfillmentLineGid: fulfillmentLineItem.id, quantity, processed });
  }
  return ok({
    gid: node.id,
    status: node.status,
    currency: node.order.presentmentCurrencyCode,
    lines,
    reverseLines: reverse.nodes.flatMap(reverseLinesOf),
    hasExchange: node.exchangeLineItems.nodes.some(
      ({ processedQuantity, unprocessedQuantity }) => processedQuantity + unprocessedQuantity > 0,
    ),
    refunds: refunds.nodes.map(refundStateOf),
  });
};

/**
 * Reads the state of a return of an order. A client may have given our return the id of another one at the shop: that of
 * another order is never asked for anything.
 */
export const fetchReturnState = async (
  shop: Shop,
  orderId: string,
  gid: string,
): Promise<Result<ReturnState, ShopFailure>> => {
  const answer = await callApi<{ return: ReturnStateNode | null }>(shop, stateQuery, { id: gid });
  if (!answer.ok) return answer;
  const { data, denied } = answer.value;
  if (data.return === null) return permanentFailure(denied.length > 0 ? 'shop_denied_access' : 'shop_return_not_found');
  const node = data.return;
  if (digitsOf(node.order.id) !== orderId) return permanentFailure('return_of_another_order');
  return readExpectedShape('return_unreadable', () => returnStateOf(node));
};
