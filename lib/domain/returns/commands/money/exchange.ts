import type { Result } from '../../failure.ts';
import { fail, ok } from '../../../../runtime/result.ts';
import { maxAmount, type Money, type OrderRef } from '../../model/order.ts';
import type { Exchange } from '../../model/refund.ts';
import type { Line } from '../../model/return.ts';
import { orderAmountLeft, orderLineOf, worthOf } from '../../money/amounts.ts';
import { exchangeable } from '../../money/exchanges.ts';
import { exchangePayout } from '../../money/refund-ceiling.ts';
import { unassignedGoodsLimit } from '../../money/unassigned.ts';
import { requireOrderCurrency } from '../../input-checks.ts';
import { recordDiscrepancies, type RuleFailure } from '../../rules/discrepancies.ts';
import type { Situation } from '../../situation.ts';
import { sum } from '../../units-by-line.ts';
import { checkTransition, failInvalidTransition, findLine } from '../check-transition.ts';
import { toOutcome, type Outcome } from '../outcome.ts';
import { checkLimit } from './refund-return.ts';

/** The reported result of an exchange, and the id of the new item's order in the shop. */
type ExchangeResult = {
  readonly exchangeId: string;
  readonly status: 'ordered' | 'fulfilled' | 'cancelled';
  readonly externalRef?: string;
  /** The same order, as the API names it. */
  readonly newOrder?: OrderRef;
};

const isSameOrder = (a: OrderRef, b: OrderRef): boolean => a.platform === b.platform && a.orderId === b.orderId;

const nextStatuses: Readonly<Record<Exchange['status'], readonly Exchange['status'][]>> = {
  requested: ['ordered', 'cancelled'],
  ordered: ['fulfilled', 'cancelled'],
  fulfilled: [],
  cancelled: [],
};

/**
 * Decides on the reported result of an exchange. A cancelled exchange releases its units and their worth.
 *
 * @returns the outcome; undefined when the exchange already has this status
 */
export const exchangeResult = (situation: Situation, result: ExchangeResult): Result<Outcome | undefined> => {
  const { state } = situation;
  const { exchangeId, status, externalRef, newOrder } = result;
  const known = state.exchanges.find(({ id }) => id === exchangeId);
  if (known === undefined) {
    const errors = [{ path: '/exchangeId', code: 'unknown', message: 'must be an exchange of the return' }];
    return fail({ code: 'exchange_not_found', detail: 'The return has no exchange with this id.', errors });
  }
  // This comes before the check of the return: a report may be repeated in any later state.
  if (known.status === status) return ok(undefined);
  const admission = checkTransition(situation, 'exchangeResult');
  if (!admission.ok) return admission;
  if (!nextStatuses[known.status].includes(status)) {
    const detail = `An exchange cannot change from ${known.status} to ${status}.`;
    return failInvalidTransition(situation, detail);
  }
  if (newOrder !== undefined && isSameOrder(newOrder, state.order)) {
    const errors = [
      { path: '/newOrder/orderId', code: 'unique', message: 'must be another order than that of the return' },
    ];
    return fail({ code: 'invalid_request', detail: 'The new item has an order of its own.', errors });
  }
  const data = { exchangeId, ...(externalRef !== undefined && { externalRef }), ...(newOrder && { newOrder }) };
  return toOutcome(situation, [{ type: `exchange.${status}`, data }]);
};

/** The units of a line to exchange, and the credit for them. Without `credit`, all of their worth is credited. */
export type ExchangeUnits = Pick<Exchange, 'lineId' | 'quantity' | 'newItem'> & { readonly credit?: Money };

const resolutionFailures = ({ resolution }: Line): readonly RuleFailure[] => {
  if (resolution !== 'none') return [];
  const errors = [{ path: '/lineId', code: 'resolution', message: 'must be a line with a resolution other than none' }];
  return [
    {
      code: 'resolution_not_allowed',
      detail: 'The resolution of this line is none, so it cannot be exchanged.',
      errors,
    },
  ];
};

/** Returns what the new item costs beyond the credit; undefined when its price is unknown. */
const balanceOf = ({ price, quantity }: Exchange['newItem'], credit: number): Result<Money | undefined> => {
  if (price === undefined) return ok(undefined);
  const cost = BigInt(price.amount) * BigInt(quantity);
  if (cost <= maxAmount) return ok({ ...price, amount: Number(cost) - credit });
  const errors = [
    { path: '/newItem/price/amount', code: 'maximum', message: `must total at most ${maxAmount} for all units` },
  ];
  return fail({ code: 'invalid_request', detail: 'The price of the new item is above the limit.', errors });
};

const optionalBalance = (balance: Money | undefined) => (balance === undefined ? {} : { balance });

const ceilingFailure = (path: string, message: string): RuleFailure => ({
  code: 'refund_exceeds_ceiling',
  detail: 'The exchange exceeds what the customer can claim.',
  errors: [{ path, code: 'maximum', message }],
});

/**
 * Lists where the units exceed what money recorded without lines leaves.
 * It also lists a credit above the worth or the payment.
 */
const ceilingFailures = (
  { state, order, ledger }: Situation,
  gross: bigint,
  credit: number,
): readonly RuleFailure[] => {
  const unpaid = orderAmountLeft(order, ledger);
  const maximum = sum(state.lines.map(({ amounts }) => amounts.maxRefundable.amount));
  const left = unassignedGoodsLimit(state, maximum);
  return [
    ...(left !== undefined && gross > BigInt(left)
      ? [ceilingFailure('/quantity', `must be worth at most ${left} minor units`)]
      : []),
    ...(BigInt(credit) > unpaid ? [ceilingFailure('/credit/amount', `must be at most ${unpaid}`)] : []),
    ...(BigInt(credit) > gross ? [ceilingFailure('/credit/amount', `must be at most ${gross}`)] : []),
  ];
};

/**
 * Decides on an exchange. Its units take their worth from the ceiling as a refund does, by the same cumulative formula.
 * So money and goods together never exceed what was paid. The caller places the order and settles the balance.
 *
 * @param id the id of the new exchange
 */
export const exchange = (situation: Situation, id: string, command: ExchangeUnits): Result<Outcome> => {
  const admission = checkTransition(situation, 'exchange');
  if (!admission.ok) return admission;
  const { lineId, quantity, newItem } = command;
  const found = findLine(situation.state, lineId);
  if (!found.ok) return found;
  const line = found.value;
  const allowed = recordDiscrepancies(situation, resolutionFailures(line));
  if (!allowed.ok) return allowed;
  const { currency } = situation.order.facts;
  const currencies = requireOrderCurrency(currency, [
    ['/credit', command.credit],
    ['/newItem/price', newItem.price],
  ]);
  if (!currencies.ok) return currencies;
  // A platform fact cannot override this: a platform cannot have exchanged units that do not exist.
  if (quantity > exchangeable(line)) return fail(ceilingFailure('/quantity', `must be at most ${exchangeable(line)}`));
  const { gross, tax } = worthOf(orderLineOf(situation.order, line), situation.ledger, quantity);
  const credit = command.credit?.amount ?? Number(gross);
  const covered = recordDiscrepancies(situation, ceilingFailures(situation, gross, credit));
  if (!covered.ok) return covered;
  const balance = balanceOf(newItem, credit);
  if (!balance.ok) return balance;
  const limited = checkLimit(
    situation,
    exchangePayout({ credit: { amount: credit, currency }, ...optionalBalance(balance.value) }),
  );
  if (!limited.ok) return limited;
  const money = (amount: bigint | number): Money => ({ amount: Number(amount), currency });
  const requested: Exchange = {
    id,
    lineId,
    quantity,
    newItem,
    gross: money(gross),
    tax: money(tax),
    credit: money(credit),
    ...optionalBalance(balance.value),
    status: 'requested',
  };
  return toOutcome(situation, [
    { type: 'exchange.requested', data: { exchange: requested } },
    ...allowed.value,
    ...covered.value,
  ]);
};
