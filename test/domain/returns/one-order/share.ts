import fc from 'fast-check';
import { expect } from 'vitest';
import { defaultTerms } from '../../../../lib/domain/policies/terms/policy-terms.ts';
import { recordRefundResult } from '../../../../lib/domain/returns/commands/money/record-refund-result.ts';
import type { Money, Order, Promotion } from '../../../../lib/domain/returns/model/order.ts';
import type { Terms } from '../../../../lib/domain/returns/model/terms.ts';
import { recoveryDue } from '../../../../lib/domain/returns/money/recovery.ts';
import { type Account, applyResult, inAdvance, now, openAccount, situationOf } from '../../../support/money.ts';
import { order, orderLine } from '../../../support/orders.ts';
import { expectAddsUp, expectNoMoreThanPaid, expectPriceLeft, expectWholePrice } from './account.ts';
import { act, type Act, acts, type OneOrder } from './act.ts';
import { expectObligations, expectQuoteIsOwed } from './obligations.ts';
import { paidOfOrder, priceOfOrder } from './price.ts';

/** Returns a promotion of both lines, which the first returns may end. */
const promotionOf = (kind: 'units' | 'value' | 'allLines', money: (amount: number) => Money): Promotion => ({
  id: 'promotion',
  lines: [
    { orderLineId: '1', discount: money(500) },
    { orderLineId: '2', discount: money(400) },
  ],
  condition: { units: { units: 8 }, value: { value: money(4000) }, allLines: { allLines: true as const } }[kind],
});

/** The weights of the payments of an order, and the percentage of its price that they pay. */
type Payments = { readonly weights: readonly number[]; readonly percent: number };

const payments: fc.Arbitrary<Payments> = fc.record({
  weights: fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 3 }),
  percent: fc.constantFrom(100, 100, 60, 30, 0),
});

/** Returns an order that states all its payments. */
const withPayments = (sold: Order, { weights, percent }: Payments): Order => {
  const price = Number((priceOfOrder(sold) * BigInt(percent)) / 100n);
  const whole = weights.reduce((total, weight) => total + weight, 0);
  let left = price;
  const tenders = weights.map((weight, at) => {
    const amount = at === weights.length - 1 ? left : Math.floor((price * weight) / whole);
    left -= amount;
    return { id: `pay_${at}`, method: 'card', paid: { amount, currency: sold.facts.currency } };
  });
  return { ...sold, facts: { ...sold.facts, payments: tenders, paymentsComplete: true } };
};

/** What differs between the orders of stories. An order without `payments` may have any. */
type Sold = {
  readonly currency: string;
  readonly taxIncluded: boolean;
  readonly shipping: number;
  readonly promotion: 'units' | 'value' | 'allLines' | null;
  readonly payments: Payments | undefined;
};

/** Returns an order of two lines, with prices without even shares. */
export const soldAs = ({ currency, taxIncluded, shipping, promotion, payments: stated }: Sold): Order => {
  const money = (amount: number) => ({ amount, currency });
  const sold = order({
    currency,
    lines: [
      orderLine({
        lineId: '1',
        quantity: 7,
        unitPrice: money(333),
        discountTotal: money(promotion === null ? 11 : 511),
        taxTotal: money(97),
        taxIncluded,
      }),
      orderLine({
        lineId: '2',
        quantity: 3,
        unitPrice: money(1000),
        taxTotal: money(160),
        taxIncluded,
        ...(promotion === null ? {} : { discountTotal: money(400) }),
      }),
    ],
    shipping: { paid: money(shipping) },
    ...(promotion === null ? {} : { promotions: [promotionOf(promotion, money)] }),
  });
  return stated === undefined ? sold : withPayments(sold, stated);
};

/** Orders in currencies with no, two and three decimals, with tax included or added. */
const orders: fc.Arbitrary<Order> = fc
  .record({
    currency: fc.constantFrom('JPY', 'EUR', 'KWD'),
    taxIncluded: fc.boolean(),
    shipping: fc.nat(700),
    promotion: fc.option(fc.constantFrom<'units' | 'value' | 'allLines'>('units', 'value', 'allLines')),
    payments: fc.option(payments, { nil: undefined }),
  })
  .map(soldAs);

/** Returns of one order, and the commands on them. */
export type Story = { readonly sold: Order; readonly terms: Terms; readonly doings: readonly Act[] };

/** Terms that pay on receipt, in advance, or in transit. */
export const termsOf = (payment: 'received' | 'approved' | 'in_transit'): Terms => ({
  ...(payment === 'received' ? defaultTerms : { ...inAdvance, refundTiming: payment }),
  shipping: 'proportional',
  fees: { ...defaultTerms.fees, promotion: true },
});

/** Half of the stories begin with goods that are here, and a new item for one of them. */
const openings: fc.Arbitrary<readonly Act[]> = fc
  .record({ units: fc.constantFrom([1, 1, 1], [2, 0, 1], [1, 0, 0]), dice: fc.nat(11), isHere: fc.boolean() })
  .map(({ units, dice, isHere }) => {
    const goods: readonly Act['name'][] = isHere ? ['receive', 'inspect'] : [];
    const names: readonly Act['name'][] = ['createReturn', 'approve', ...goods, 'exchange', 'exchangeResult'];
    return names.map((name) => ({ name, which: 0, units, dice: name === 'exchange' ? dice : 1 }));
  });

export const stories = (maxLength: number): fc.Arbitrary<Story> =>
  fc.record({
    sold: orders,
    terms: fc.constantFrom('received', 'received', 'approved', 'in_transit').map(termsOf),
    doings: fc
      .tuple(fc.oneof(fc.constant([]), openings), fc.array(acts, { minLength: maxLength / 2, maxLength, size: 'max' }))
      .map(([opening, others]) => [...opening, ...others].slice(0, maxLength)),
  });

/** Runs a story without checks. */
export const liveThrough = ({ sold, terms, doings }: Story): OneOrder => {
  const one: OneOrder = { account: openAccount(sold), alone: [] };
  doings.forEach((doing, serial) => act(one, doing, serial, terms));
  return one;
};

/** Acts of the shop that make no debt of the customer. */
const harmless: ReadonlySet<Act['name']> = new Set([
  'createReturn',
  'approve',
  'refund',
  'compensate',
  'payLater',
  'cancel',
]);

/** Acts that give money or goods for units, or a part of their price. */
const givesMoney: ReadonlySet<Act['name']> = new Set(['refund', 'exchange', 'compensate']);

/** Returns the debts of the customer, by return. */
const debtsOf = ({ account }: OneOrder): readonly number[] =>
  account.returns.map((_, index) => recoveryDue(situationOf(account, index).state));

const expectNoMoreDebt = (before: readonly number[], after: readonly number[], most: (index: number) => number) => {
  const rise = (index: number): number => (after[index] ?? 0) - (before[index] ?? 0);
  expect(after.filter((_, index) => rise(index) > most(index))).toEqual([]);
};

const isPaidInPart = ({ order: sold }: Account): boolean => {
  const paid = paidOfOrder(sold);
  return paid !== undefined && paid < priceOfOrder(sold);
};

/** Returns the story after the open refunds of its returns were paid. */
const paidOut = ({ account, alone }: OneOrder): OneOrder => {
  const paid: Account = { ...account, returns: [...account.returns] };
  paid.returns.forEach(({ refunds }, index) => {
    for (const { id, status } of refunds) {
      if (status !== 'pending') continue;
      const result = { refundId: id, status: 'succeeded' } as const;
      applyResult(paid, recordRefundResult(situationOf(paid, index), result, now), index);
    }
  });
  return { account: paid, alone };
};

/** Runs a story, and checks after each step that the account adds up and pays no more than was paid. */
export const expectSharedAccount = ({ sold, terms, doings }: Story, done: Map<string, number>): void => {
  const one: OneOrder = { account: openAccount(sold), alone: [] };
  // A recorded refund may pay a part of a unit. A refund of another return then pays the rest of its line, so that money
  // of this return no longer covers the difference of a dearer item. From then on, each act answers for its own return.
  let isRecorded = false;
  doings.forEach((doing, serial) => {
    const { ledger, returns } = one.account;
    const before = [...returns];
    const [debts, afterPayments] = harmless.has(doing.name) ? [debtsOf(one), debtsOf(paidOut(one))] : [[], []];
    if (!act(one, doing, serial, terms)) return;
    done.set(doing.name, (done.get(doing.name) ?? 0) + 1);
    expectAddsUp(one);
    one.account.returns.forEach((_, index) => {
      const situation = situationOf(one.account, index);
      expectObligations(situation.state);
      expectQuoteIsOwed(situation);
    });
    if (doing.name === 'recordRefund') isRecorded = true;
    else expectNoMoreThanPaid(one, ledger);
    if (!isRecorded) expectWholePrice(one);
    if (givesMoney.has(doing.name)) expectPriceLeft(one, ledger);
    if (!harmless.has(doing.name)) return;
    // Rounding moves a minor unit of a line to another return, which then covers less of the difference of its item. The
    // end of a promotion lowers what covers it, too. Of an order that is paid in part, each payment to the customer does.
    if (isPaidInPart(one.account)) return;
    const { lines, promotions = [] } = one.account.order.facts;
    const discounts = promotions.flatMap((promotion) => promotion.lines.map(({ discount }) => discount.amount));
    const ofOthers = discounts.reduce((total, discount) => total + discount, lines.length);
    // The ledger has one sum of the reductions of a line. When recorded ones are for units that a return claims, a new
    // one lowers the worth of these units, too. It never costs more than it gives.
    const given = (index: number): number =>
      isRecorded && doing.name === 'compensate' ? (one.account.returns[index]?.refunds.at(-1)?.amount.amount ?? 0) : 0;
    const most = (index: number, ofOwn = 0): number =>
      one.account.returns[index] !== before[index] ? ofOwn + given(index) : isRecorded ? Infinity : ofOthers;
    expectNoMoreDebt(debts, debtsOf(one), most);
    // Nor does the payment of the refund. The refund settles the rounding of a promotion, which the payments of other
    // returns would have moved by a minor unit of a line.
    const ofRounding = promotions.length === 0 ? 0 : lines.length;
    expectNoMoreDebt(afterPayments, debtsOf(paidOut(one)), (index) => most(index, ofRounding));
  });
};
