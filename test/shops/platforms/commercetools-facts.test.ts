import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { orderFacts } from '../../../lib/shops/platforms/commercetools/facts.ts';
import type { OrderNode } from '../../../lib/shops/platforms/commercetools/nodes.ts';
import type { OrderFacts } from '../../../lib/shops/platforms/platform.ts';
import { chargedTotal } from '../../../lib/shops/platforms/shared/fields/completeness.ts';
import { orderErrors } from '../../../lib/domain/returns/commands/order/order-errors.ts';
import { sum } from '../../../lib/runtime/sum.ts';
import { money, orderNode } from './commercetools-project.ts';

const factsOf = (changes: object): OrderFacts => {
  const facts = orderFacts(orderNode({ ...changes }) as unknown as OrderNode, '2026-11-20T00:00:00.000Z');
  if (!facts.ok) throw new Error(facts.failure.reason);
  return facts.value;
};
const eur = (amount: number) => ({ amount, currency: 'EUR' });
const taxed = (net: number, gross: number) => ({
  totalNet: money(net),
  totalGross: money(gross),
  totalTax: money(gross - net),
});

describe('commercetools orderFacts with a discount on the total price', () => {
  const lineNode = (id: string, price: number, rate: { tax: number; included: boolean }) => ({
    id,
    quantity: 1,
    price: { value: money(price) },
    totalPrice: money(price),
    taxRate: { amount: 0.19, includedInPrice: rate.included },
    taxedPrice: rate.included ? taxed(price - rate.tax, price) : taxed(price, price + rate.tax),
  });

  test('shares it over the lines by what was paid for them', () => {
    const facts = factsOf({
      totalPrice: money(13_200),
      discountOnTotalPrice: { discountedAmount: money(100) },
    });
    expect(facts).toMatchObject({ completeness: 'full', discrepancies: [] });
    // Without tax, 7563, 2521 and 672 of 10756 were paid: the shares of the running total are 70, 94 and 100.
    expect(facts.lines.map(({ discountTotal }) => discountTotal)).toEqual([eur(1_070), eur(24), eur(6)]);
    expect(facts.lines.map(({ taxTotal }) => taxTotal)).toEqual([eur(1_437), eur(479), eur(128)]);
  });

  test('shares the tax in it, and lowers prices without tax by the rest', () => {
    const facts = factsOf({
      shippingInfo: undefined,
      lineItems: [lineNode('line-1', 10_000, { tax: 1_900, included: false })],
      customLineItems: [],
      totalPrice: money(9_000),
      taxedPrice: taxed(9_000, 10_710),
      discountOnTotalPrice: {
        discountedAmount: money(1_000),
        discountedNetAmount: money(1_000),
        discountedGrossAmount: money(1_190),
      },
    });
    expect(facts).toMatchObject({
      completeness: 'full',
      lines: [{ unitPrice: eur(10_000), discountTotal: eur(1_000), taxTotal: eur(1_710), taxIncluded: false }],
    });
  });

  test('adds up to the discount for any lines, taxes and discounts', () => {
    const lines = fc.array(fc.record({ price: fc.integer({ min: 1, max: 100_000 }), percent: fc.nat(25) }), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(lines, fc.boolean(), fc.nat(1_000), fc.nat(1_000), (prices, included, part, taxPart) => {
        const nodes = prices.map(({ price, percent }, index) =>
          lineNode(`line-${index}`, price, { tax: Math.floor((price * percent) / 125), included }),
        );
        const whole = sum(nodes.map(({ taxedPrice }) => taxedPrice.totalGross.centAmount));
        const taxes = sum(nodes.map(({ taxedPrice }) => taxedPrice.totalTax.centAmount));
        const gross = Math.floor((whole * part) / 1_000);
        const tax = Math.max(gross - (whole - taxes), Math.min(gross, Math.floor((taxes * taxPart) / 1_000)));
        const base = { shippingInfo: undefined, lineItems: nodes, customLineItems: [] };
        const facts = factsOf({
          ...base,
          taxedPrice: taxed(whole - taxes - gross + tax, whole - gross),
          discountOnTotalPrice: {
            discountedAmount: money(included ? gross : gross - tax),
            discountedNetAmount: money(gross - tax),
            discountedGrossAmount: money(gross),
          },
        });
        expect(chargedTotal(facts)).toBe(whole - gross);
        expect(sum(facts.lines.map(({ taxTotal }) => taxTotal?.amount ?? 0))).toBe(taxes - tax);
        expect([facts.discrepancies, orderErrors(facts)]).toEqual([[], []]);
        expect(facts.lines.every(({ discountTotal }) => (discountTotal?.amount ?? 0) >= 0)).toBe(true);
      }),
    );
  });

  test.each([
    ['exceeds the lines', { discountedAmount: money(12_801) }],
    ['has another currency', { discountedAmount: money(100, 'USD') }],
    [
      'has more net than gross',
      { discountedAmount: money(100), discountedGrossAmount: money(90), discountedNetAmount: money(100) },
    ],
  ])('is partial if the discount %s', (_, discountOnTotalPrice) => {
    const facts = factsOf({ totalPrice: money(13_200), discountOnTotalPrice });
    expect(facts.discrepancies?.map(({ code }) => code)).toContain('order_discount_without_line');
    expect(facts.lines[0]?.discountTotal).toEqual(eur(1_000));
  });

  test('is shared over no lines while one is unreadable', () => {
    const [first, ...others] = orderNode()['lineItems'] as object[];
    const facts = factsOf({
      lineItems: [{ ...first, price: { value: money(-1) } }, ...others],
      discountOnTotalPrice: { discountedAmount: money(100) },
    });
    expect(facts.discrepancies?.map(({ code }) => code)).toContain('order_discount_without_line');
    expect(facts.lines[0]).toMatchObject({ lineId: 'line-2', discountTotal: eur(0) });
  });
});

describe('commercetools orderFacts with several shipping methods', () => {
  const method = (price: number, net: number, country: string) => ({
    shippingKey: `key-${price}`,
    shippingInfo: {
      price: money(price),
      taxRate: { includedInPrice: true },
      taxedPrice: taxed(net, price),
      deliveries: [{ createdAt: '2026-11-03T10:00:00.000Z', items: [{ id: 'line-2', quantity: 1 }] }],
    },
    shippingAddress: { country },
  });
  const several = (...shipping: readonly object[]) => ({
    shippingMode: 'Multiple',
    shippingInfo: undefined,
    shippingAddress: undefined,
    country: undefined,
    shipping,
  });

  test('sums their prices and taxes, and reads their deliveries and addresses', () => {
    const lineItems = (orderNode()['lineItems'] as Record<string, unknown>[]).map(({ taxRate, ...line }) => ({
      ...line,
      perMethodTaxRate: [{ shippingMethodKey: 'key-300', taxRate }],
    }));
    const facts = factsOf({ ...several(method(300, 252, 'FR'), method(200, 168, 'FR')), lineItems });
    expect(facts).toMatchObject({
      completeness: 'full',
      discrepancies: [],
      shipping: { paid: eur(500), tax: eur(80), standardCost: eur(500) },
      country: 'FR',
      destination: { country: 'FR' },
      lines: [{ taxIncluded: true }, { taxIncluded: true, shippedAt: '2026-11-03T10:00:00.000Z' }, {}],
    });
  });

  test('has no destination if they have several countries', () => {
    const facts = factsOf(several(method(300, 252, 'FR'), method(200, 168, 'DE')));
    expect(facts).not.toHaveProperty('destination');
    expect(facts).not.toHaveProperty('country');
  });

  test('is partial if the price of one is unreadable, or if they are missing', () => {
    const code = 'order_shipping_unreadable';
    const unreadable = factsOf(several(method(300, 252, 'FR'), { shippingInfo: { price: money(-1) } }));
    expect(unreadable.discrepancies?.map((one) => one.code)).toContain(code);
    expect(unreadable).not.toHaveProperty('shipping');
    const missing = factsOf({ shippingMode: 'Multiple', shippingInfo: undefined });
    expect(missing.discrepancies?.map((one) => one.code)).toContain(code);
  });
});
