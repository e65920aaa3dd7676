import { describe, expect, it } from 'vitest';
import { exchangePrice } from '../../../lib/shops/platforms/shopify/exchange-price.ts';

const eur = (amount: string) => ({ presentmentMoney: { amount, currencyCode: 'EUR' } });
const line = {
  sku: 'SHIRT-M',
  title: 'Shirt',
  quantity: 2,
  originalUnitPriceSet: eur('20.00'),
  discountAllocations: [{ allocatedAmountSet: eur('1.50') }],
  taxLines: [{ priceSet: eur('6.15') }],
};
const item = {
  id: 'gid://shopify/ExchangeLineItem/9',
  processedQuantity: 0,
  unprocessedQuantity: 2,
  lineItems: [line],
};
const order = { taxesIncluded: true, presentmentCurrencyCode: 'EUR' };

describe('the price of a new item in an exchange', () => {
  it('is that of all units, less discounts', () => {
    expect(exchangePrice(item, order)).toEqual({ amount: 3850, currency: 'EUR' });
  });

  it('adds the tax where the prices of the order exclude it', () => {
    expect(exchangePrice(item, { ...order, taxesIncluded: false })).toEqual({ amount: 4465, currency: 'EUR' });
  });

  it.each([
    ['units were removed', { ...item, unprocessedQuantity: 1 }],
    ['the shop shows no line', { ...item, lineItems: [] }],
    [
      'an amount has another currency',
      {
        ...item,
        lineItems: [{ ...line, originalUnitPriceSet: { presentmentMoney: { amount: '1', currencyCode: 'USD' } } }],
      },
    ],
    ['an amount is unreadable', { ...item, lineItems: [{ ...line, taxLines: [{ priceSet: eur('much') }] }] }],
  ])('is unknown when %s', (_, changed) => {
    expect(exchangePrice(changed, order)).toBeUndefined();
  });
});
