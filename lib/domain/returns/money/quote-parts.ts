import type { Result } from '../failure.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { requireOrderCurrency } from '../input-checks.ts';
import type { Money } from '../model/order.ts';
import type { Deduction, Refund } from '../model/refund.ts';
import type { Terms } from '../model/terms.ts';
import type { Situation } from '../situation.ts';
import type { RequestedUnits } from '../units-by-line.ts';
import { orderLineOf, worthAfter } from './amounts.ts';
import { type RemovedFee, removedFees } from './deductions.ts';
import { type Ledger, openGrants } from './order-ledger.ts';
import { failCeiling } from './paid-limit.ts';
import { payableUnits } from './refund-ceiling.ts';
import { chargesLeft, chargesShare, shippingLeft, shippingShare } from './shipping-share.ts';
import { soldLine } from './sold-lines.ts';

/* The parts of a quote: its goods, its shipping and its charges. */

/** The inputs of a quote. It does not depend on the caller or on the time. */
export type QuoteInput = Pick<Situation, 'state' | 'order' | 'ledger'>;

/** The units to refund by line. Without lines: all payable ones. Without shipping or charges, the terms decide them. */
export type QuoteRequest = {
  readonly lines?: RequestedUnits;
  readonly shipping?: Money;
  readonly charges?: Money;
  /** A part of the money for the goods, without units. */
  readonly amount?: Money;
};

/** The subject of a step, as data. Its text is written later, in the language of the reader. */
type StepSubject =
  | { readonly kind: 'goods'; readonly orderLineId: string; readonly quantity: number }
  | { readonly kind: 'shipping'; readonly share: Terms['shipping'] | 'with_last_goods' | 'as_requested' }
  | { readonly kind: 'removed'; readonly fee: RemovedFee }
  | { readonly kind: Deduction['type'] | 'recovered' | 'exchange' | 'charges' | 'partial' | 'unpaid' };

/** One step of a quote: the amount that a rule adds, or deducts when it is negative. */
export type QuoteStep = {
  readonly rule: Exclude<StepSubject['kind'], 'removed'>;
  readonly lineId?: string;
  readonly amount: Money;
  /** The fee that the law removes; the amount of the step is then 0. */
  readonly removed?: Omit<RemovedFee, 'type'>;
  readonly about: StepSubject;
};

export type QuotedGoods = {
  readonly returnLines: Refund['returnLines'];
  readonly lines: Refund['breakdown']['lines'];
  readonly steps: readonly QuoteStep[];
  readonly ledger: Ledger;
};

/** Values the goods, one line after another, because two lines of the return may share an order line. */
export const goodsOf = ({ state, order, ledger }: QuoteInput, units: ReadonlyMap<string, number>): QuotedGoods => {
  const grants = openGrants(ledger);
  const money = (amount: bigint): Money => ({ amount: Number(amount), currency: order.facts.currency });
  const valued = state.lines.flatMap((line) => {
    const quantity = units.get(line.id) ?? 0;
    if (quantity === 0) return [];
    const { orderLineId } = line;
    const worth = worthAfter(soldLine(ledger, orderLineOf(order, line)), grants.of(orderLineId), quantity);
    const [gross, tax] = [money(worth.gross), money(worth.tax)];
    grants.add(orderLineId, { units: quantity, gross: gross.amount, tax: tax.amount });
    return [{ lineId: line.id, orderLineId, quantity, gross, tax }];
  });
  return {
    returnLines: valued.map(({ lineId, quantity, gross }) => ({ lineId, quantity, gross })),
    lines: valued.map(({ orderLineId, quantity, gross, tax }) => ({ orderLineId, quantity, gross, tax })),
    steps: valued.map(({ lineId, orderLineId, quantity, gross }) => ({
      rule: 'goods',
      lineId,
      amount: gross,
      about: { kind: 'goods', orderLineId, quantity },
    })),
    ledger: grants.ledger(),
  };
};

/** Returns a step of 0 for each fee that the law removes. */
export const removedSteps = ({ state }: QuoteInput): readonly QuoteStep[] =>
  removedFees(state).map((fee) => {
    const { type, ...removed } = fee;
    return { rule: type, amount: { ...fee.amount, amount: 0 }, removed, about: { kind: 'removed', fee } };
  });

/** Returns whether these units are the last refundable ones. The shipping is refunded with them. */
const isLastRefund = ({ state }: QuoteInput, units: ReadonlyMap<string, number>): boolean =>
  [...units.values()].some((quantity) => quantity > 0) &&
  state.lines.every((line) => payableUnits(line, state.terms) === (units.get(line.id) ?? 0));

export const shippingOf = (
  situation: QuoteInput,
  { shipping }: QuoteRequest,
  units: ReadonlyMap<string, number>,
  granted: Ledger,
): Result<QuoteStep> => {
  const { order, ledger, state } = situation;
  const { currency } = order.facts;
  const step = (amount: number, share: Extract<StepSubject, { readonly kind: 'shipping' }>['share']) =>
    ok<QuoteStep>({ rule: 'shipping', amount: { amount, currency }, about: { kind: 'shipping', share } });
  if (shipping === undefined)
    return isLastRefund(situation, units)
      ? step(Number(shippingShare(state.terms.shipping, order, granted)), state.terms.shipping)
      : step(0, 'with_last_goods');
  const currencies = requireOrderCurrency(currency, [['/shipping', shipping]]);
  if (!currencies.ok) return currencies;
  const left = Number(shippingLeft(order, ledger));
  if (shipping.amount > left) {
    const errors = [{ path: '/shipping/amount', code: 'maximum', message: `must be at most ${left}` }];
    const detail = 'The shipping exceeds what can still be refunded.';
    return fail({ code: 'shipping_refund_exceeds_paid', detail, errors });
  }
  return step(shipping.amount, 'as_requested');
};

/** Returns the charges to refund with these units, or the requested ones. */
export const chargesOf = (
  situation: QuoteInput,
  { charges }: QuoteRequest,
  units: ReadonlyMap<string, number>,
  granted: Ledger,
): Result<number> => {
  const { order, ledger, state } = situation;
  if (charges === undefined) return ok(isLastRefund(situation, units) ? chargesShare(state.terms, order, granted) : 0);
  const currencies = requireOrderCurrency(order.facts.currency, [['/charges', charges]]);
  if (!currencies.ok) return currencies;
  const left = chargesLeft(order, ledger);
  return charges.amount > left
    ? failCeiling('The charges exceed what can still be refunded.', [
        { path: '/charges/amount', code: 'maximum', message: `must be at most ${left}` },
      ])
    : ok(charges.amount);
};
