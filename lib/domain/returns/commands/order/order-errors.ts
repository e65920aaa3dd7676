import { countryOf } from '../../../../runtime/country.ts';
import { exponent } from '../../../money/currency.ts';
import { maxAmount, type OrderFacts, type OrderLine, type TaxLine } from '../../model/order.ts';
import type { FieldError } from '../../model/status.ts';
import { goodsTotal, paidTotal } from '../../money/sold-lines.ts';
import { foreignCurrencyErrors, type AmountAtPath } from '../../input-checks.ts';
import { sumBigInts, sum } from '../../units-by-line.ts';
import { promotionErrors } from './promotion-errors.ts';
import { taxErrors } from './tax-errors.ts';

const maxLines = 500;

const taxAmounts = (taxes: readonly TaxLine[] | undefined, at: string): AmountAtPath[] =>
  (taxes ?? []).map(({ amount }, index) => [`${at}/taxes/${index}/amount`, amount]);

const lineAmounts = (line: OrderLine, at: string): AmountAtPath[] => [
  [`${at}/unitPrice`, line.unitPrice],
  [`${at}/discountTotal`, line.discountTotal],
  [`${at}/taxTotal`, line.taxTotal],
  ...taxAmounts(line.taxes, at),
];

/** Lists every amount of the order facts with its path. */
const orderAmounts = ({
  shipping,
  payments = [],
  charges = [],
  promotions = [],
  lines,
}: OrderFacts): AmountAtPath[] => [
  ...lines.flatMap((line, index) => lineAmounts(line, `/lines/${index}`)),
  ...payments.map(({ paid }, index): AmountAtPath => [`/payments/${index}/paid`, paid]),
  ...charges.flatMap(({ paid, tax, taxes }, index): AmountAtPath[] => [
    [`/charges/${index}/paid`, paid],
    [`/charges/${index}/tax`, tax],
    ...taxAmounts(taxes, `/charges/${index}`),
  ]),
  ['/shipping/paid', shipping?.paid],
  ['/shipping/tax', shipping?.tax],
  ...taxAmounts(shipping?.taxes, '/shipping'),
  ['/shipping/standardCost', shipping?.standardCost],
  ['/shipping/refunded', shipping?.refunded],
  ...promotions.flatMap(({ lines: named, condition }, index): AmountAtPath[] => [
    ...named.map(({ discount }, at): AmountAtPath => [`/promotions/${index}/lines/${at}/discount`, discount]),
    ...('value' in condition ? [[`/promotions/${index}/condition/value`, condition.value] as const] : []),
  ]),
];

/** Lists amounts in a currency other than the order's. An order has one currency. */
export const currencyErrors = (facts: OrderFacts): FieldError[] =>
  foreignCurrencyErrors(facts.currency, orderAmounts(facts));

const lineErrors = (line: OrderLine, at: string): FieldError[] => {
  const errors: FieldError[] = [];
  const goods = goodsTotal(line);
  const total = paidTotal(line);
  if (goods < 0n) {
    errors.push({
      path: `${at}/discountTotal`,
      code: 'maximum',
      message: 'must not exceed unit price x quantity',
    });
  }
  if (total > maxAmount) {
    errors.push({ path: at, code: 'maximum', message: `must total at most ${maxAmount} minor units` });
  }
  if (line.taxIncluded === true && BigInt(line.taxTotal?.amount ?? 0) > goods) {
    errors.push({
      path: `${at}/taxTotal`,
      code: 'maximum',
      message: 'must not exceed the total that includes it',
    });
  }
  if ((line.fulfilledQuantity ?? 0) > line.quantity) {
    errors.push({ path: `${at}/fulfilledQuantity`, code: 'maximum', message: `must be at most ${line.quantity}` });
  }
  if (sum((line.deliveries ?? []).map(({ quantity }) => quantity)) > line.quantity) {
    errors.push({
      path: `${at}/deliveries`,
      code: 'maximum',
      message: `must total at most ${line.quantity} units`,
    });
  }
  return errors;
};

/** Lists the charges whose type says nothing and that have no name. */
const chargeErrors = ({ charges = [] }: OrderFacts): FieldError[] =>
  charges.flatMap(({ type, name }, index) =>
    type === 'other' && name === undefined
      ? [{ path: `/charges/${index}/name`, code: 'required', message: 'must name a charge of the type other' }]
      : [],
  );

/** Lists the inconsistent facts of an order that its schema cannot detect. */
export const orderErrors = (facts: OrderFacts): FieldError[] => {
  const errors = [
    ...facts.lines.flatMap((line, index) => lineErrors(line, `/lines/${index}`)),
    ...chargeErrors(facts),
    ...taxErrors(facts),
    ...promotionErrors(facts),
  ];
  if (facts.paymentsComplete === true && facts.payments === undefined) {
    const message = 'must list all payments when `paymentsComplete` is true; an empty list states that none was made';
    errors.push({ path: '/payments', code: 'required', message });
  }
  if (exponent(facts.currency) === undefined) {
    errors.push({ path: '/currency', code: 'unknown', message: 'must be an ISO 4217 code' });
  }
  const extras = [facts.shipping, ...(facts.charges ?? [])].map((charge) => charge?.paid.amount ?? 0);
  if (sumBigInts(facts.lines.map(paidTotal)) + BigInt(sum(extras)) > maxAmount) {
    const message = `must total at most ${maxAmount} minor units, with shipping and charges`;
    errors.push({ path: '/lines', code: 'maximum', message });
  }
  for (const [path, country] of [
    ['/country', facts.country],
    ['/destination/country', facts.destination?.country],
  ] as const) {
    if (country !== undefined && countryOf(country) === undefined)
      errors.push({ path, code: 'unknown', message: 'must be an ISO 3166-1 code such as DE' });
  }
  if (facts.lines.length > maxLines) {
    errors.push({
      path: '/lines',
      code: 'max_items',
      message: `must leave the order with at most ${maxLines} lines`,
    });
  }
  const seen = new Set<string>();
  facts.lines.forEach(({ lineId }, index) => {
    if (seen.has(lineId))
      errors.push({ path: `/lines/${index}/lineId`, code: 'duplicate', message: 'must not appear twice' });
    seen.add(lineId);
  });
  return errors;
};
