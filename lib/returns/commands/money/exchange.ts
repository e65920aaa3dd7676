import { decided, type Decision, refused } from '../../failure.ts';
import { largestAmount, type Money } from '../../model/order.ts';
import type { Exchange } from '../../model/refund.ts';
import type { Line } from '../../model/return.ts';
import { leftOfOrder, orderLineOf, worthOf } from '../../money/amounts.ts';
import { exchangeable } from '../../money/exchanges.ts';
import { paidBeside } from '../../money/refund-ceiling.ts';
import { leftBesideUnassigned } from '../../money/unassigned.ts';
import { inOneCurrency } from '../../one-currency.ts';
import { conceded, type Objection } from '../../rules/fact.ts';
import type { Situation } from '../../situation.ts';
import { sum } from '../../units-by-line.ts';
import { admitted, conflicting, lineOf } from '../admitted.ts';
import { conclude, type Outcome } from '../conclude.ts';
import { checkLimit } from './refund-return.ts';

/** What became of an exchange, and the order of the new item as the shop knows it. */
type ExchangeResult = {
  readonly exchangeId: string;
  readonly status: 'ordered' | 'fulfilled' | 'cancelled';
  readonly externalRef?: string;
};

const next: Readonly<Record<Exchange['status'], readonly Exchange['status'][]>> = {
  requested: ['ordered', 'cancelled'],
  ordered: ['fulfilled', 'cancelled'],
  fulfilled: [],
  cancelled: [],
};

/**
 * Decides on what is told of an exchange. One that is cancelled gives back the units and the worth that it took.
 *
 * @returns the outcome; none when the exchange is known to have come to that already
 */
export const exchangeResult = (situation: Situation, result: ExchangeResult): Decision<Outcome | undefined> => {
  const { state } = situation;
  const { exchangeId, status, externalRef } = result;
  const known = state.exchanges.find(({ id }) => id === exchangeId);
  if (known === undefined) {
    const errors = [{ path: '/exchangeId', code: 'unknown', message: 'must be an exchange of the return' }];
    return refused({ code: 'exchange_not_found', detail: 'The return has no such exchange.', errors });
  }
  // Before the return is asked: what was told once may be told again, whatever became of it since.
  if (known.status === status) return decided(undefined);
  const admission = admitted(situation, 'exchangeResult');
  if (!admission.ok) return admission;
  if (!next[known.status].includes(status)) {
    const detail = `An exchange that is ${known.status} does not become ${status}.`;
    return conflicting(situation, detail);
  }
  const data = { exchangeId, ...(externalRef === undefined ? {} : { externalRef }) };
  return conclude(situation, [{ type: `exchange.${status}`, data }]);
};

/** Units of a line, and what the customer has for them; without `credit` all that they are worth goes towards it. */
export type ExchangeUnits = Pick<Exchange, 'lineId' | 'quantity' | 'newItem'> & { readonly credit?: Money };

const resolutionObjections = ({ resolution }: Line): readonly Objection[] => {
  if (resolution !== 'none') return [];
  const errors = [{ path: '/lineId', code: 'resolution', message: 'must be a line that something is given for' }];
  return [{ code: 'resolution_not_allowed', detail: 'Nothing is given for this line.', errors }];
};

/** What the new item costs beyond the credit, as far as its price is known. */
const balanceOf = ({ price, quantity }: Exchange['newItem'], credit: number): Decision<Money | undefined> => {
  if (price === undefined) return decided(undefined);
  const cost = BigInt(price.amount) * BigInt(quantity);
  if (cost <= largestAmount) return decided({ ...price, amount: Number(cost) - credit });
  const errors = [{ path: '/newItem/price/amount', code: 'maximum', message: `must come to at most ${largestAmount}` }];
  return refused({ code: 'invalid_request', detail: 'The new item costs too much.', errors });
};

const balanced = (balance: Money | undefined) => (balance === undefined ? {} : { balance });

const beyondCeiling = (path: string, message: string): Objection => ({
  code: 'refund_exceeds_ceiling',
  detail: 'More than the customer has a claim for.',
  errors: [{ path, code: 'maximum', message }],
});

/** Against units worth more than money recorded without lines leaves, and a credit beyond their worth or what was paid. */
const ceilingObjections = (
  { state, order, ledger }: Situation,
  gross: bigint,
  credit: number,
): readonly Objection[] => {
  const unpaid = leftOfOrder(order, ledger);
  const maximum = sum(state.lines.map(({ amounts }) => amounts.maxRefundable.amount));
  const left = leftBesideUnassigned(state, maximum);
  return [
    ...(left !== undefined && gross > BigInt(left)
      ? [beyondCeiling('/quantity', `must be worth at most ${left}`)]
      : []),
    ...(BigInt(credit) > unpaid ? [beyondCeiling('/credit/amount', `must be at most ${unpaid}`)] : []),
    ...(BigInt(credit) > gross ? [beyondCeiling('/credit/amount', `must be at most ${gross}`)] : []),
  ];
};

/**
 * Decides on an exchange. Its units take their worth from the ceiling as a refund would, by the same cumulative formula,
 * so that money and goods together never come to more than was paid. The caller places the order and settles the balance.
 *
 * @param id of the new exchange
 */
export const exchange = (situation: Situation, id: string, command: ExchangeUnits): Decision<Outcome> => {
  const admission = admitted(situation, 'exchange');
  if (!admission.ok) return admission;
  const { lineId, quantity, newItem } = command;
  const found = lineOf(situation.state, lineId);
  if (!found.ok) return found;
  const line = found.value;
  const allowed = conceded(situation, resolutionObjections(line));
  if (!allowed.ok) return allowed;
  const { currency } = situation.order.facts;
  const currencies = inOneCurrency(currency, [
    ['/credit', command.credit],
    ['/newItem/price', newItem.price],
  ]);
  if (!currencies.ok) return currencies;
  // No objection that a fact could go against: a platform cannot have exchanged units that are not there.
  if (quantity > exchangeable(line))
    return refused(beyondCeiling('/quantity', `must be at most ${exchangeable(line)}`));
  const { gross, tax } = worthOf(orderLineOf(situation.order, line), situation.ledger, quantity);
  const credit = command.credit?.amount ?? Number(gross);
  const covered = conceded(situation, ceilingObjections(situation, gross, credit));
  if (!covered.ok) return covered;
  const balance = balanceOf(newItem, credit);
  if (!balance.ok) return balance;
  const limited = checkLimit(
    situation,
    paidBeside({ credit: { amount: credit, currency }, ...balanced(balance.value) }),
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
    ...balanced(balance.value),
    status: 'requested',
  };
  return conclude(situation, [
    { type: 'exchange.requested', data: { exchange: requested } },
    ...allowed.value,
    ...covered.value,
  ]);
};
