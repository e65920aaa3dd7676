import fc from 'fast-check';
import { defaultTerms } from '../../../../lib/domain/policies/terms/policy-terms.ts';
import type { Order } from '../../../../lib/domain/returns/model/order.ts';
import { inAdvance, openAccount } from '../../../support/money.ts';
import { order, orderLine } from '../../../support/orders.ts';
import { expectAddsUp, expectNoMoreThanPaid } from './account.ts';
import { act, type Act, acts, type OneOrder } from './act.ts';

/** Prices without even shares, in currencies with no, two and three decimals, with tax included or added. */
const orders: fc.Arbitrary<Order> = fc
  .record({ currency: fc.constantFrom('JPY', 'EUR', 'KWD'), taxIncluded: fc.boolean(), shipping: fc.nat(700) })
  .map(({ currency, taxIncluded, shipping }) => {
    const money = (amount: number) => ({ amount, currency });
    return order({
      currency,
      lines: [
        orderLine({
          lineId: '1',
          quantity: 7,
          unitPrice: money(333),
          discountTotal: money(11),
          taxTotal: money(97),
          taxIncluded,
        }),
        orderLine({ lineId: '2', quantity: 3, unitPrice: money(1000), taxTotal: money(160), taxIncluded }),
      ],
      shipping: { paid: money(shipping) },
    });
  });

/** Returns of one order, and the commands on them. */
export type Story = { readonly sold: Order; readonly early: boolean; readonly doings: readonly Act[] };

export const stories = (maxLength: number): fc.Arbitrary<Story> =>
  fc.record({
    sold: orders,
    early: fc.boolean(),
    doings: fc.array(acts, { minLength: maxLength / 2, maxLength, size: 'max' }),
  });

/** Runs a story without checks. */
export const liveThrough = ({ sold, early, doings }: Story): OneOrder => {
  const one: OneOrder = { account: openAccount(sold), alone: [] };
  const terms = { ...(early ? inAdvance : defaultTerms), shipping: 'proportional' as const };
  doings.forEach((doing, serial) => act(one, doing, serial, terms));
  return one;
};

/** Runs a story, and checks after each step that the account adds up and pays no more than was paid. */
export const expectSharedAccount = ({ sold, early, doings }: Story, done: Map<string, number>): void => {
  const one: OneOrder = { account: openAccount(sold), alone: [] };
  const terms = { ...(early ? inAdvance : defaultTerms), shipping: 'proportional' as const };
  doings.forEach((doing, serial) => {
    const before = one.account.ledger;
    if (!act(one, doing, serial, terms)) return;
    done.set(doing.name, (done.get(doing.name) ?? 0) + 1);
    expectAddsUp(one);
    if (doing.name !== 'recordRefund') expectNoMoreThanPaid(one, before);
  });
};
