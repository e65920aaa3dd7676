import type { Result } from '../failure.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { sha256Of } from '../history/canonical-json.ts';
import { requireOrderCurrency } from '../input-checks.ts';
import type { Money } from '../model/order.ts';
import type { Refund } from '../model/refund.ts';
import type { FieldError } from '../model/status.ts';
import { sum } from '../units-by-line.ts';
import { netGoodsAmount } from './amounts.ts';
import { exchangedAtShop, isExchangedAtShop } from './exchanges.ts';
import { ledgerLine } from './order-ledger.ts';
import { checkPayments, failCeiling, limitToPaid } from './paid-limit.ts';
import {
  chargesOf,
  goodsOf,
  type QuoteInput,
  type QuoteRequest,
  type QuoteStep,
  removedSteps,
  shippingOf,
} from './quote-parts.ts';
import { refundUnits } from './refund-ceiling.ts';

/** The amount of a refund, step by step; `hash` covers all its inputs. */
export type Quote = {
  readonly steps: readonly QuoteStep[];
  readonly total: Money;
  readonly hash: string;
  readonly returnLines: Refund['returnLines'];
  readonly breakdown: Refund['breakdown'];
};

/** Hashes all inputs of the amounts. The hash is stable while none of them changes. */
const hashOf = (
  { state, order, ledger }: QuoteInput,
  steps: readonly QuoteStep[],
  returnLines: Refund['returnLines'],
): string =>
  sha256Of({
    returnId: state.id,
    terms: state.terms,
    lines: state.lines.map(({ id, quantities }) => ({ id, quantities })),
    granted: state.lines.map(({ orderLineId }) => ledgerLine(ledger, orderLineId).granted),
    given: ledger.given,
    shipping: order.facts.shipping,
    charges: order.facts.charges,
    ...(order.facts.paymentsComplete === true && { payments: order.facts.payments }),
    returnLines,
    steps,
  });

/** Returns a step only when its amount is not 0. */
export const optionalStep = (
  kind: 'recovered' | 'exchange' | 'charges' | 'unpaid',
  amount: Money,
): readonly QuoteStep[] => (amount.amount === 0 ? [] : [{ rule: kind, amount, about: { kind } }]);

/** Makes a quote without units. */
const quoteWithoutUnits = (situation: QuoteInput, steps: readonly QuoteStep[], amount: number): Quote => {
  const zero: Money = { amount: 0, currency: situation.order.facts.currency };
  const total = { ...zero, amount };
  return {
    steps,
    total,
    hash: hashOf(situation, steps, []),
    returnLines: [],
    breakdown: { lines: [], deductions: [], shipping: zero, other: total },
  };
};

/** Returns the errors of fields that a request must not have. A command has other fields beside them. */
const unwantedFields = (
  wanted: QuoteRequest,
  names: readonly (keyof QuoteRequest)[],
  reason: string,
): readonly FieldError[] =>
  names
    .filter((name) => wanted[name] !== undefined)
    .map((name) => ({ path: `/${name}`, code: 'not_allowed', message: `must be absent ${reason}` }));

/** Quotes nothing for a return of which the shop exchanges units. A request for units or money fails. */
const quoteNothing = (situation: QuoteInput, wanted: QuoteRequest): Result<Quote> => {
  const errors = unwantedFields(wanted, ['lines', 'shipping', 'charges', 'amount'], 'while the shop exchanges units');
  return errors.length > 0 ? failCeiling(exchangedAtShop.detail, errors) : ok(quoteWithoutUnits(situation, [], 0));
};

/** Quotes a part of the money for the goods. The next refund counts it as paid before. */
const quotePart = (situation: QuoteInput, wanted: QuoteRequest, amount: Money): Result<Quote> => {
  const errors = unwantedFields(wanted, ['lines', 'shipping', 'charges'], 'with `amount`');
  if (errors.length > 0)
    return fail({ code: 'invalid_request', detail: '`amount` is a part of the money for the goods alone.', errors });
  const currencies = requireOrderCurrency(situation.order.facts.currency, [['/amount', amount]]);
  if (!currencies.ok) return currencies;
  const nothing = { ...amount, amount: 0 };
  // Shipping and charges leave the part to the goods.
  const whole = quoteWhole(situation, { shipping: nothing, charges: nothing });
  if (!whole.ok) return whole;
  const left = whole.value.total.amount;
  return amount.amount > left
    ? failCeiling('The amount exceeds what can be refunded for the goods now.', [
        { path: '/amount/amount', code: 'maximum', message: `must be at most ${left}` },
      ])
    : ok(quoteWithoutUnits(situation, [{ rule: 'partial', amount, about: { kind: 'partial' } }], amount.amount));
};

const quoteWhole = (situation: QuoteInput, wanted: QuoteRequest): Result<Quote> => {
  const units = refundUnits(situation.state, wanted.lines);
  if (!units.ok) return units;
  const zero: Money = { amount: 0, currency: situation.order.facts.currency };
  const goods = goodsOf(situation, units.value);
  const shipping = shippingOf(situation, wanted, units.value, goods.ledger);
  if (!shipping.ok) return shipping;
  const gross = sum(goods.lines.map((line) => line.gross.amount));
  const { fees, exchanged, before: own, again, amount: net } = netGoodsAmount(situation.state, gross);
  const charges = chargesOf(situation, wanted, units.value, goods.ledger);
  if (!charges.ok) return charges;
  const sums = { goods: net, shipping: shipping.value.amount.amount, charges: charges.value };
  const within = limitToPaid(situation, wanted, sums);
  if (!within.ok) return within;
  const { assigned } = within.value;
  const before = own + assigned;
  const deductions =
    before === 0 ? fees : [...fees, { type: 'paid_before' as const, amount: { ...zero, amount: before } }];
  const taken = deductions.map(
    ({ type, amount }): QuoteStep => ({
      rule: type,
      amount: { ...amount, amount: -amount.amount },
      about: { kind: type },
    }),
  );
  const shippingStep = { ...shipping.value, amount: { ...zero, amount: within.value.shipping } };
  const charged = { ...zero, amount: within.value.charges };
  const steps = [
    ...goods.steps,
    ...taken,
    ...optionalStep('exchange', { ...zero, amount: exchanged }),
    ...optionalStep('recovered', { ...zero, amount: again }),
    shippingStep,
    ...optionalStep('charges', charged),
  ];
  const total = sum(steps.map(({ amount }) => amount.amount));
  return ok({
    steps: [...steps, ...removedSteps(situation)],
    total: { ...zero, amount: total },
    hash: hashOf(situation, steps, goods.returnLines),
    returnLines: goods.returnLines,
    breakdown: {
      lines: goods.lines,
      deductions,
      shipping: shippingStep.amount,
      ...(charged.amount === 0 ? {} : { charges: charged }),
      other: { ...zero, amount: again },
      ...(exchanged === 0 ? {} : { exchange: { ...zero, amount: exchanged } }),
      ...(assigned === 0 ? {} : { assigned: { ...zero, amount: assigned } }),
    },
  });
};

/**
 * Computes a refund as of now (contract section 5). It is the goods as paid, less open fees, plus shipping and other
 * charges. Fees are taken from goods only. It is at most what the payments of the order have left.
 *
 * @param exceedsPayments whether the refund may exceed the payments
 */
export const quote = (situation: QuoteInput, wanted: QuoteRequest, exceedsPayments = false): Result<Quote> => {
  if (isExchangedAtShop(situation.state)) return quoteNothing(situation, wanted);
  const quoted =
    wanted.amount === undefined ? quoteWhole(situation, wanted) : quotePart(situation, wanted, wanted.amount);
  if (!quoted.ok || exceedsPayments) return quoted;
  const paid = checkPayments(situation, quoted.value.total.amount);
  return paid.ok ? quoted : paid;
};
