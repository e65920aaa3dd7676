import { ok, type Result } from '../../../../runtime/result.ts';
import type { JsonObject } from '../../../../runtime/json.ts';
import type { Money } from '../../../../contract/scalars.ts';
import { type DecimalMoney, decimalText, minorUnits, total } from '../../../../domain/money/decimal.ts';
import type { Wanted, WantedRefund, WantedReturn } from '../../effect.ts';
import { permanentFailure, type ShopFailure } from '../../platform.ts';
import type { Shop } from '../../shared/http/api.ts';
import { blocked, mayStillArrive } from '../../shared/effects/plan.ts';
import { isOurNote, noteOf, type RepeatedPlan, settleMs, unitsByLine } from '../../shared/effects/repeated-plan.ts';
import { callApi } from '../api.ts';
import { money } from '../queries.ts';
import type { Mutation } from './mutate.ts';
import { acceptedUnits, planProcessing, type Processing, processedUnits } from './process.ts';
import type { RefundState, ReturnState } from './state.ts';

/*
 * The money of a return, in the request that processes its goods. A return of Shopify names its refunds, and a refund of
 * the same amount that no other refund of ours is must be this one.
 */

/** What Shopify itself would pay, and from which payments. */
export type Suggestion = {
  readonly kind: 'refund' | 'invoice' | 'nothing';
  readonly amount: Money | undefined;
  readonly transactions: readonly {
    readonly amount: DecimalMoney;
    readonly parentGid: string | undefined;
    readonly gateway: string | undefined;
    /** What is left of the payment. */
    readonly maximum?: DecimalMoney | undefined;
  }[];
};

export type SuggestedNode = {
  readonly gateway: string | null;
  readonly amountSet: { readonly presentmentMoney: DecimalMoney };
  readonly maximumRefundableSet?: { readonly presentmentMoney: DecimalMoney } | null;
  readonly parentTransaction: { readonly id: string } | null;
};

export const suggestedFields = `gateway amountSet { ${money} } maximumRefundableSet { ${money} } parentTransaction { id }`;

export const transactionsOf = (nodes: readonly SuggestedNode[]): Suggestion['transactions'] =>
  nodes.map(({ gateway, amountSet, maximumRefundableSet, parentTransaction }) => ({
    amount: amountSet.presentmentMoney,
    maximum: maximumRefundableSet?.presentmentMoney,
    parentGid: parentTransaction?.id,
    gateway: gateway ?? undefined,
  }));

const outcomeQuery = `query Outcome(
  $id: ID!, $lines: [SuggestedOutcomeReturnLineItemInput!]!, $shipping: RefundShippingInput
) {
  return(id: $id) {
    suggestedFinancialOutcome(returnLineItems: $lines, exchangeLineItems: [], refundShipping: $shipping) {
      financialTransfer {
        __typename
        ... on RefundReturnOutcome { amount { ${money} } suggestedTransactions { ${suggestedFields} } }
      }
    }
  }
}`;

type OutcomeData = {
  readonly return: {
    readonly suggestedFinancialOutcome: {
      readonly financialTransfer: {
        readonly __typename: string;
        readonly amount?: { readonly presentmentMoney: DecimalMoney };
        readonly suggestedTransactions?: readonly SuggestedNode[];
      } | null;
    } | null;
  } | null;
};

const shippingOf = ({ shipping, amount: { currency } }: WantedRefund): JsonObject =>
  shipping > 0
    ? {
        refundShipping: {
          shippingRefundAmount: { amount: decimalText({ amount: shipping, currency }) ?? '', currencyCode: currency },
        },
      }
    : {};

/** Asks Shopify what it would pay for lines of a return. */
export const fetchOutcome = async (
  shop: Shop,
  { returnGid, lines }: Processing,
  refund: WantedRefund,
): Promise<Result<Suggestion, ShopFailure>> => {
  const answer = await callApi<OutcomeData>(shop, outcomeQuery, {
    id: returnGid,
    lines: lines.map(({ id, quantity }) => ({ id, quantity })),
    shipping: shippingOf(refund)['refundShipping'] ?? null,
  });
  if (!answer.ok) return answer;
  if (answer.value.data.return === null) return permanentFailure('shop_return_not_found');
  const transfer = answer.value.data.return.suggestedFinancialOutcome?.financialTransfer ?? undefined;
  if (transfer === undefined) return ok({ kind: 'nothing', amount: undefined, transactions: [] });
  const { amount, suggestedTransactions = [] } = transfer;
  return ok({
    kind: amount === undefined ? 'invoice' : 'refund',
    amount: amount && minorUnits(amount.presentmentMoney),
    transactions: transactionsOf(suggestedTransactions),
  });
};

/**
 * Returns the plan for a refund that the shop has; undefined for one that it does not have.
 *
 * @param isEqual whether a refund without our key may be this one
 * @param isCertain whether an equal refund is no other one of ours
 */
export const planOfRefund = (
  refunds: readonly RefundState[],
  { key, others }: Pick<Wanted, 'key' | 'others'>,
  isEqual: (refund: RefundState) => boolean,
  isCertain: boolean,
): RepeatedPlan<never> | undefined => {
  const ours = refunds.find(({ note }) => note === noteOf(key));
  const equal = refunds.filter(
    (refund) => !isOurNote(refund.note) && others?.refunds.includes(refund.id) !== true && isEqual(refund),
  );
  const found = ours ?? equal[0];
  if (found === undefined) return undefined;
  if (ours === undefined && (equal.length > 1 || !isCertain))
    return blocked('refund_unclear', { refunds: equal.map(({ id }) => id) });
  const seen = { refund: found.id, status: found.status };
  if (found.status === 'failed') return blocked('payment_failed', seen);
  if (found.status !== 'paid') return { kind: 'pending', externalId: found.id, seen };
  return { kind: 'done', externalId: found.id, ...(ours !== undefined && { isOurs: true as const }), seen };
};

const isSameAmount = (amount: Money | undefined, wanted: Money): boolean =>
  amount?.amount === wanted.amount && amount.currency === wanted.currency;

/** Whether the units of a refund are inspected, and accepted. */
const isInspected = (demand: ReadonlyMap<string, number>, own: WantedReturn): boolean => {
  const accepted = acceptedUnits(own);
  return [...demand].every(([id, units]) => units <= (accepted.get(id) ?? 0));
};

const isPossible = (demand: ReadonlyMap<string, number>, { lines }: WantedReturn): boolean => {
  const expected = unitsByLine(lines);
  return [...demand].every(([id, units]) => units <= (expected.get(id) ?? 0));
};

/** Plans to process the units of a refund. Each unit of the return is refunded once. */
export const planRefundedUnits = (
  state: ReturnState,
  wanted: Wanted,
  own: WantedReturn,
  refund: WantedRefund,
  location: string | undefined,
): RepeatedPlan<Processing> => {
  const { amount } = refund;
  if (amount.currency !== state.currency)
    return blocked('currency_differs', { ours: amount.currency, shop: state.currency });
  const demand = unitsByLine(refund.lines);
  const [processed, accepted] = [processedUnits(state), acceptedUnits(own)];
  const isProcessed = [...demand].every(([id, units]) => (processed.get(id) ?? 0) >= units);
  const isAll = [...demand].every(([id]) => (processed.get(id) ?? 0) >= (accepted.get(id) ?? 0));
  const found = planOfRefund(
    state.refunds,
    wanted,
    (candidate) => isProcessed && isSameAmount(candidate.amount, amount),
    // While units are left, an equal refund may be another one.
    wanted.others !== undefined || isAll,
  );
  if (found !== undefined) return found;
  if (!isPossible(demand, own)) return blocked('units_not_in_return');
  if (!isInspected(demand, own)) return { kind: 'pending' };
  const isFree = [...demand].every(([id, units]) => (processed.get(id) ?? 0) + units <= (accepted.get(id) ?? 0));
  if (!isFree) {
    if (mayStillArrive(wanted, settleMs, Date.now())) return { kind: 'pending' };
    return blocked('units_processed', { refunds: state.refunds.map(({ id }) => id) });
  }
  if (state.hasExchange) return blocked('return_has_exchange');
  return planProcessing(state, own, demand, location);
};

/** Returns the amounts of both sides for people. */
export const amountsOf = (amount: Money, shop: Money | undefined): JsonObject => ({
  ours: amount.amount,
  shop: shop?.amount ?? 0,
  currency: amount.currency,
});

/** Adds the money to the goods, if Shopify would pay exactly the same. */
export const withMoney = (
  processing: Processing,
  suggestion: Suggestion,
  wanted: Wanted,
  refund: WantedRefund,
  refundsBefore: readonly RefundState[],
): RepeatedPlan<Mutation> => {
  const { amount } = refund;
  if (suggestion.kind === 'invoice') return blocked('shop_claims_payment', amountsOf(amount, undefined));
  if (!isSameAmount(suggestion.amount, amount)) return blocked('amount_differs', amountsOf(amount, suggestion.amount));
  const paying = suggestion.transactions.filter(({ amount: part }) => minorUnits(part)?.amount !== 0);
  const sum = total(
    paying.map(({ amount: part }) => part),
    amount.currency,
  );
  if (sum?.amount !== amount.amount || paying.some(({ parentGid }) => parentGid === undefined))
    return blocked('payment_unknown', amountsOf(amount, sum));
  const orderTransactions = paying.map(({ amount: part, parentGid }) => ({
    parentId: parentGid ?? '',
    transactionAmount: { amount: part.amount, currencyCode: part.currencyCode },
  }));
  const input = {
    returnId: processing.returnGid,
    returnLineItems: processing.lines,
    note: noteOf(wanted.key),
    notifyCustomer: false,
    ...shippingOf(refund),
    financialTransfer: { issueRefund: { orderTransactions } },
  };
  return {
    kind: 'open',
    request: { name: 'returnProcess', variables: { input }, refundsBefore: refundsBefore.map(({ gid }) => gid) },
    repeat: 'safe',
  };
};
