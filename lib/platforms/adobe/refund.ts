import { fail, ok, type Result } from '../../contract/result.ts';
import type { Money } from '../../contract/scalars.ts';
import type { JsonObject } from '../../json.ts';
import type { SeenRefund } from '../follow/seen.ts';
import type { ShopFailure } from '../platform.ts';
import { clip } from '../text.ts';
import { amountOf, exactly, nearest, sumOf } from './amounts.ts';
import { paidFor } from './lines.ts';
import { ask, type Context } from './rest.ts';
import { extensionOf, idOf, rowsOf, timeOf, unitsOf } from './values.ts';

/** Open ones wait for the payment provider, cancelled ones came to nothing. */
const refundedState = 2;

type Line = NonNullable<SeenRefund['lines']>[number];

/** Rows of the lines of the order, each line once; what else a memo has rows for is a part of one of them. */
const linesOf = (memo: JsonObject, lineIds: ReadonlySet<string>, currency: string): Line[] => {
  const rows = rowsOf(memo['items']).filter(
    (row) => lineIds.has(idOf(row['order_item_id']) ?? '') && (unitsOf(row['qty']) ?? 0) > 0,
  );
  const groups = Map.groupBy(rows, (row) => idOf(row['order_item_id']) ?? '');
  return Array.from(groups, ([orderLineId, group]) => {
    const amount = nearest(sumOf(...group.map((row) => paidFor(row) ?? 0n)), currency);
    const tax = nearest(sumOf(...group.map((row) => row['tax_amount'])), currency);
    const isTold = group.every((row) => paidFor(row) !== undefined);
    return {
      orderLineId,
      quantity: group.reduce((sum, row) => sum + (unitsOf(row['qty']) ?? 0), 0),
      ...(isTold && amount !== undefined && tax !== undefined && tax.amount <= amount.amount && { amount, tax }),
    };
  });
};

/** A memo may give back less than its rows come to: a fee was kept. Then they share what there is. */
const partsOf = (amount: Money, lines: readonly Line[], shipping: Money | undefined): Partial<SeenRefund> => {
  const forShipping = shipping?.amount ?? 0;
  const sum = lines.reduce((total, line) => total + (line.amount?.amount ?? 0), forShipping);
  const told = sum <= amount.amount ? lines : lines.map(({ orderLineId, quantity }) => ({ orderLineId, quantity }));
  return {
    ...(told.length > 0 && { lines: [...told] }),
    ...(shipping !== undefined && forShipping > 0 && forShipping <= amount.amount && { shipping }),
  };
};

/** The ways that money went: what was paid with gift cards and store credit goes back to them beside the grand total. */
const waysOf = (memo: JsonObject) => {
  const told = extensionOf(memo);
  return [
    { method: 'original_payment', amount: sumOf(memo['grand_total']) },
    { method: 'store_credit', amount: sumOf(told['customer_balance_amount'], told['reward_currency_amount']) },
    { method: 'gift_card', amount: sumOf(told['gift_cards_amount']) },
  ] as const;
};

/**
 * The money that a credit memo has given back. Which return it was for Commerce does not tell: it is of none.
 *
 * @param lineIds the lines that the order is registered with
 * @returns nothing where no money has moved
 */
export const refundOf = (
  { platform, orderId }: { readonly platform: string; readonly orderId: string },
  memo: JsonObject,
  lineIds: ReadonlySet<string>,
): Result<SeenRefund | undefined, ShopFailure> => {
  if (unitsOf(memo['state']) !== refundedState) return ok(undefined);
  const { order_currency_code: currency } = memo;
  const [externalId, occurredAt] = [idOf(memo['entity_id']), timeOf(memo['created_at'])];
  const ways = waysOf(memo).filter(({ amount }) => amount !== 0n);
  const isTold = amountOf(memo['grand_total']) !== undefined && ways.every(({ amount }) => amount > 0n);
  const amount =
    isTold && typeof currency === 'string' ? exactly(sumOf(...ways.map((way) => way.amount)), currency) : undefined;
  if (amount === undefined || externalId === undefined || occurredAt === undefined)
    return fail({ kind: 'permanent', reason: 'refund_unreadable' });
  if (amount.amount === 0) return ok(undefined);
  const providerRef = clip(memo['transaction_id'], 200);
  const [way] = ways;
  // Without a transaction somebody has paid it in a way that Commerce knows nothing of.
  const isKnown = ways.length > 1 || way?.method !== 'original_payment' || providerRef !== undefined;
  const shipping = nearest(sumOf(memo['shipping_amount'], memo['shipping_tax_amount']), amount.currency);
  return ok({
    platform,
    orderId,
    externalId,
    amount,
    occurredAt,
    ...(isKnown && { method: ways.length === 1 && way !== undefined ? way.method : 'original_payment' }),
    ...(providerRef !== undefined && { providerRef }),
    ...partsOf(amount, linesOf(memo, lineIds, amount.currency), shipping),
  });
};

/**
 * Reads a credit memo from the shop.
 * https://developer.adobe.com/commerce/webapi/rest/
 *
 * @param id its `entity_id`
 */
export const fetchMemo = async (
  context: Context,
  id: string,
): Promise<Result<{ readonly memo: JsonObject; readonly orderId: string }, ShopFailure>> => {
  const answer = await ask(context, `creditmemo/${id}`);
  if (!answer.ok) return answer;
  const orderId = idOf(answer.value['order_id']);
  return orderId === undefined || idOf(answer.value['entity_id']) !== id
    ? fail({ kind: 'permanent', reason: 'refund_unreadable' })
    : ok({ memo: answer.value, orderId });
};
