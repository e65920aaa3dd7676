import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../lib/runtime/json.ts';
import type { OrderFacts } from '../../../lib/shops/platforms/platform.ts';
import * as commercetools from './commercetools-project.ts';
import { orders } from './readers-cases.ts';
import * as saleor from './saleor-shop.ts';
import * as vtex from './vtex-account.ts';

const factsOf = (platform: string, change: (document: JsonObject) => JsonObject = (same) => same): OrderFacts => {
  const reader = orders[platform];
  const facts = reader?.read(change(reader.document));
  if (facts?.ok !== true) throw new Error(`${platform}: ${facts?.failure.reason}`);
  expect(facts.value).toMatchObject({ completeness: 'full', discrepancies: [] });
  return facts.value;
};

/** Returns the tax lines of a part in the short form `19: 304`. */
const shortOf = (taxes: OrderFacts['lines'][number]['taxes']): readonly string[] | undefined =>
  taxes?.map(({ rate = 'no rate', amount }) => `${rate}: ${amount.amount}`);

const taxesIn = ({ lines, shipping, charges = [] }: OrderFacts) => ({
  lines: lines.map(({ taxes }) => shortOf(taxes)),
  shipping: shortOf(shipping?.taxes),
  charges: charges.map(({ taxes }) => shortOf(taxes)),
});

describe('tax lines of an order', () => {
  it('of Shopify are those of lines and shipping, with their percentages', () => {
    expect(taxesIn(factsOf('shopify'))).toEqual({
      lines: [
        ['19: 204', '8.875: 100'],
        ['19: 204', '8.875: 100'],
      ],
      shipping: ['19: 78'],
      charges: [undefined],
    });
  });

  it('of Adobe are the applied taxes of an item, or else its percentage', () => {
    expect(taxesIn(factsOf('adobe'))).toEqual({
      lines: [['19: 958'], ['14: 324', '5: 116']],
      shipping: ['19: 80'],
      charges: [undefined],
    });
  });

  it('of commercetools are the portions of a price, or else its tax rate', () => {
    expect(taxesIn(factsOf('commercetools'))).toEqual({
      lines: [['19: 1437'], ['19: 479'], ['14: 94', '5: 34']],
      shipping: ['19: 80'],
      charges: [],
    });
  });

  it('of commercetools stay exact after a discount on the total price', () => {
    const discounted = factsOf('commercetools', (order) => ({
      ...order,
      totalPrice: commercetools.money(13_181),
      discountOnTotalPrice: {
        discountedAmount: commercetools.money(119),
        discountedNetAmount: commercetools.money(100),
        discountedGrossAmount: commercetools.money(119),
      },
    }));
    // The tax of 19 in the discount lowers all lines. The discount has no rates, so the last line loses its two.
    const taxes = discounted.lines.map(({ taxTotal }) => taxTotal?.amount);
    expect(taxesIn(discounted).lines).toEqual([[`19: ${taxes[0]}`], [`19: ${taxes[1]}`], undefined]);
    expect(taxes[0]).toBeLessThan(1437);
  });

  it('of Medusa are computed at each rate, and left out where their sum is another one', () => {
    expect(taxesIn(factsOf('medusa'))).toEqual({ lines: [['19: 953']], shipping: ['19: 95'], charges: [] });
    const withRates = (...rates: readonly number[]) =>
      factsOf('medusa', (order) => {
        const [item] = order['items'] as readonly JsonObject[];
        return { ...order, items: [{ ...item, tax_lines: rates.map((rate) => ({ rate })) }] };
      });
    // 59.70 with 19 % in all are 50.168 without: 7.024 and 2.508 are rounded to 9.53, as their sum.
    expect(taxesIn(withRates(14, 5)).lines).toEqual([['14: 702', '5: 251']]);
    // 4.766 and 4.766 are rounded to 9.54.
    expect(taxesIn(withRates(9.5, 9.5)).lines).toEqual([undefined]);
  });

  it('of Saleor have the tax rate of the line, and of the shipping', () => {
    expect(taxesIn(factsOf('saleor'))).toEqual({
      lines: [['19: 575'], ['19: 160']],
      shipping: ['19: 78'],
      charges: [],
    });
    const untaxed = factsOf('saleor', (order) => ({
      ...order,
      lines: [saleor.line(saleor.shirt, 2, 19.99, 36, 30.25, { taxRate: 0 }), saleor.line(saleor.mug, 3, 3.33, 10, 10)],
    }));
    expect(taxesIn(untaxed).lines).toEqual([undefined, ['19: 0']]);
  });

  it('of WooCommerce have the percentages of the rates of the order', () => {
    expect(taxesIn(factsOf('woocommerce'))).toEqual({
      lines: [['19: 60', '8.875: 40']],
      shipping: undefined,
      charges: [['19: 95']],
    });
  });

  it('of WooCommerce have no rate where an older shop stored none', () => {
    const older = factsOf('woocommerce', (order) => ({
      ...order,
      tax_lines: [75, 76].map((id) => ({ rate_id: id, rate_percent: 0 })),
    }));
    expect(taxesIn(older)).toMatchObject({ lines: [['no rate: 60', 'no rate: 40']], charges: [undefined] });
  });

  it('of VTEX are the amounts of a tax service, without rates', () => {
    const tag = (value: number) => ({ name: `tax@price-TAXHUB#${value}`, value, isPercentual: false, rate: null });
    const taxed = factsOf('vtex', (order) => ({
      ...order,
      items: [vtex.item({ priceTags: [tag(600), tag(601)] })],
      totals: [
        { id: 'Shipping', value: 1160 },
        { id: 'Tax', value: 1201 },
      ],
      value: 11361,
    }));
    expect(taxesIn(taxed)).toEqual({
      lines: [['no rate: 600', 'no rate: 601']],
      shipping: undefined,
      charges: [],
    });
  });

  it('of BigCommerce are unknown', () => {
    const { lines, shipping } = taxesIn(factsOf('bigcommerce'));
    expect([...lines, shipping]).toEqual([undefined, undefined]);
  });
});
