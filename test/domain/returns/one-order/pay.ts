import { compensate } from '../../../../lib/domain/returns/commands/money/compensate.ts';
import type { RecordRefund } from '../../../../lib/domain/returns/commands/money/record-refund-result.ts';
import { refundReturn, type RefundReturn } from '../../../../lib/domain/returns/commands/money/refund-return.ts';
import type { Outcome } from '../../../../lib/domain/returns/commands/outcome.ts';
import { registerOrder } from '../../../../lib/domain/returns/commands/order/register-order.ts';
import type { Result } from '../../../../lib/domain/returns/failure.ts';
import type { OrderFacts } from '../../../../lib/domain/returns/model/order.ts';
import type { Situation } from '../../../../lib/domain/returns/situation.ts';
import type { Account } from '../../../support/money.ts';

/* The acts on money that are not for whole units: compensations, parts of refunds, and payments of the order. */

/** The arbitrary numbers of an act. */
type Numbers = { readonly units: readonly number[]; readonly dice: number };

const types = ['price_reduction', 'price_reduction', 'return_postage', 'compensation', 'bonus'] as const;
const paid = { status: 'succeeded', providerRef: 'pay-1' } as const;

/** Pays a part of the price of units, or an amount on top. */
export const compensateBy = (situation: Situation, { units, dice }: Numbers, serial: number): Result<Outcome> => {
  const { state, order } = situation;
  const type = types[dice % types.length] ?? 'bonus';
  const line = state.lines[dice % state.lines.length];
  const quantity = units[1] ?? 0;
  const reduced = { ...(line && { lineId: line.id }), ...(quantity > 0 && { quantity }) };
  const command = {
    type,
    amount: { amount: 1 + 29 * dice + 101 * (units[0] ?? 0), currency: order.facts.currency },
    reason: 'goodwill',
    ...(type === 'price_reduction' && reduced),
    ...(units[2] === 1 && { result: paid }),
  };
  return compensate(situation, command, { id: `rfd_${serial}` });
};

/** Refunds units, all that is payable, or a part of the money without units. */
export const refundBy = (
  situation: Situation,
  some: Pick<RefundReturn, 'lines'>,
  { dice }: Numbers,
  serial: number,
): Result<Outcome> => {
  const { state, order } = situation;
  const { currency } = order.facts;
  const part = state.paymentsLeft === undefined || dice > 9 ? 1 + 53 * dice : state.paymentsLeft;
  const command = dice % 4 === 3 && part > 0 ? { amount: { amount: part, currency } } : some;
  return refundReturn(situation, command, { id: `rfd_${serial}` });
};

type Parts = Pick<RecordRefund, 'lines' | 'extras'>;

/** Returns the parts of a recorded refund: lines, often with their amounts, and a payment on top. */
export const recordedParts = (
  named: readonly { readonly orderLineId: string; readonly quantity: number }[],
  { dice }: Numbers,
  currency: string,
): Parts => {
  const amount = { amount: 1 + 11 * dice, currency };
  const lines = named.map((line) =>
    dice % 4 === 1 ? { ...line, amount, ...(dice > 1 && { kept: true }) } : dice % 4 === 2 ? { ...line, amount } : line,
  );
  return {
    ...(dice % 3 > 0 && lines.length > 0 && { lines }),
    ...(dice > 8 && { extras: [{ type: 'compensation', amount: { amount: 13, currency } }] }),
  };
};

const sum = (payments: OrderFacts['payments'] = []): number =>
  payments.reduce((total, payment) => total + payment.paid.amount, 0);

/**
 * Registers another payment of an order that states its payments, up to its price. Or the order states that it may have
 * more payments.
 */
export const payLater = (account: Account, { dice }: Numbers, serial: number, price: number): Account | undefined => {
  const { order, ledger } = account;
  const { payments = [], paymentsComplete, currency } = order.facts;
  const amount = Math.min(price - sum(payments), 1 + 211 * dice);
  if (paymentsComplete === undefined || (dice > 0 && amount <= 0)) return undefined;
  const later = { id: `later_${serial}`, method: 'card', paid: { amount, currency } };
  const facts: OrderFacts =
    dice === 0
      ? { ...order.facts, paymentsComplete: false }
      : { ...order.facts, payments: [...payments, later], paymentsComplete: true };
  const at = `2026-11-22T08:00:${String(serial % 60).padStart(2, '0')}.000Z`;
  const times = { observedAt: at, latest: '2099-01-01T00:00:00.000Z', now: at };
  const ref = { platform: order.platform, orderId: order.orderId };
  const registered = registerOrder({ order, ledger }, { ref, facts, id: order.id, ...times });
  return registered.ok ? { ...account, order: registered.value } : undefined;
};
