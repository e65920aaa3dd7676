import type { Result } from '../../failure.ts';
import { fail, ok } from '../../../../runtime/result.ts';
import { maxAmount, type Money, type OrderRef } from '../../model/order.ts';
import type { Exchange } from '../../model/refund.ts';
import type { Line } from '../../model/return.ts';
import { orderPriceLeft, orderLineOf, worthOf } from '../../money/amounts.ts';
import { goodsAmountLeft } from '../../money/deductions.ts';
import { appliedDifference, reservedDifference } from '../../money/differences.ts';
import { exchangeable } from '../../money/exchanges.ts';
import { unassigned } from '../../money/unassigned.ts';
import { requireOrderCurrency } from '../../input-checks.ts';
import { recordDiscrepancies, type RuleFailure } from '../../rules/discrepancies.ts';
import type { Situation } from '../../situation.ts';
import { sum } from '../../units-by-line.ts';
import { checkTransition, failInvalidTransition, findLine } from '../check-transition.ts';
import { toOutcome, type Outcome } from '../outcome.ts';

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

/** The units of a line to exchange, and the new item. */
export type ExchangeUnits = Pick<Exchange, 'lineId' | 'quantity' | 'newItem'>;

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

/** Returns what the new item costs beyond the worth of the units; undefined when its price is unknown. */
const balanceOf = ({ price, quantity }: Exchange['newItem'], gross: bigint): Result<Money | undefined> => {
  if (price === undefined) return ok(undefined);
  const cost = BigInt(price.amount) * BigInt(quantity);
  if (cost <= maxAmount) return ok({ ...price, amount: Number(cost - gross) });
  const errors = [
    { path: '/newItem/price/amount', code: 'maximum', message: `must total at most ${maxAmount} for all units` },
  ];
  return fail({ code: 'invalid_request', detail: 'The price of the new item is above the limit.', errors });
};

const ceilingFailure = (message: string, detail: string): RuleFailure => ({
  code: 'refund_exceeds_ceiling',
  detail,
  errors: [{ path: '/quantity', code: 'maximum', message }],
});

/** What an exchange may take of a limit, and what it takes, in minor units. */
type Ceiling = { readonly left: bigint; readonly taken: bigint };

/**
 * Returns the limits of an exchange: what refunds left of the order and, if money was recorded without lines, of the
 * goods. Counting units misses such money. The shop pays the difference of a cheaper item later. What it owes of other
 * differences pays a dearer item. While the customer owes a difference, the ledger counts the whole worth of the units.
 */
const ceilings = ({ state, order, ledger }: Situation, gross: bigint, balance: Money | undefined): Ceiling[] => {
  const more = balance?.amount ?? 0;
  const owing = reservedDifference(state) - appliedDifference(state);
  const ofOrder = {
    left: orderPriceLeft(order, ledger),
    taken: gross - BigInt(Math.max(0, owing - more) - Math.max(0, owing)),
  };
  if (unassigned(state) <= 0) return [ofOrder];
  const worth = sum(state.lines.map(({ amounts }) => amounts.maxRefundable.amount));
  const ofGoods = {
    left: BigInt(Math.max(0, goodsAmountLeft(state, worth, reservedDifference(state)))),
    taken: gross + BigInt(Math.min(more, Math.max(0, owing))),
  };
  return [ofOrder, ofGoods];
};

/** Lists where an exchange takes more than refunds have left. */
const ceilingFailures = (situation: Situation, gross: bigint, balance: Money | undefined): readonly RuleFailure[] => {
  const exceeded = ceilings(situation, gross, balance).find(({ left, taken }) => taken > left);
  if (exceeded === undefined) return [];
  const detail =
    balance === undefined
      ? 'Money was paid for the units. Give the price of the new item, so that the rest of their worth can pay it.'
      : 'Refunds have left less than the new item costs.';
  return [ceilingFailure(`must take at most ${exceeded.left} minor units of what was paid`, detail)];
};

/**
 * Decides on an exchange. Its units take their worth from the ceiling as a refund does, by the same cumulative formula.
 * So money and goods together never exceed what was paid. The caller places the order. The difference between worth and
 * price is then owed: by the shop, or by the customer.
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
  const currencies = requireOrderCurrency(currency, [['/newItem/price', newItem.price]]);
  if (!currencies.ok) return currencies;
  const most = exchangeable(line);
  // A platform fact cannot override this: a platform cannot have exchanged units that do not exist.
  if (quantity > most)
    return fail(ceilingFailure(`must be at most ${most}`, 'The exchange exceeds what the customer can claim.'));
  const { gross, tax } = worthOf(orderLineOf(situation.order, line), situation.ledger, quantity);
  const balance = balanceOf(newItem, gross);
  if (!balance.ok) return balance;
  const covered = recordDiscrepancies(situation, ceilingFailures(situation, gross, balance.value));
  if (!covered.ok) return covered;
  const money = (amount: bigint): Money => ({ amount: Number(amount), currency });
  const requested: Exchange = {
    id,
    lineId,
    quantity,
    newItem,
    gross: money(gross),
    tax: money(tax),
    ...(balance.value === undefined ? {} : { balance: balance.value }),
    status: 'requested',
  };
  return toOutcome(situation, [
    { type: 'exchange.requested', data: { exchange: requested } },
    ...allowed.value,
    ...covered.value,
  ]);
};
