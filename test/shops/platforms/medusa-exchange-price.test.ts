import { describe, expect, it } from 'vitest';
import { parseExactJson } from '../../../lib/runtime/exact-json.ts';
import { isObject, type JsonObject } from '../../../lib/runtime/json.ts';
import { exchangePrice } from '../../../lib/shops/platforms/medusa/exchange-price.ts';
import { eur } from '../../support/orders.ts';
import { exchangeNode, orderNode } from './medusa-shop.ts';

const exactly = (document: unknown): JsonObject => {
  const read = parseExactJson(JSON.stringify(document));
  return isObject(read) ? read : {};
};

/** An item that an exchange added, as Medusa 2.21 has it in the order. */
const added = (id: string, changes: JsonObject = {}) => ({
  id,
  title: 'Lamp',
  variant_sku: 'LAMP-S',
  quantity: 2,
  unit_price: 19.99,
  is_tax_inclusive: false,
  tax_lines: [{ id: 'ordlitxl_2', rate: 19, code: 'vat' }],
  adjustments: [],
  detail: { fulfilled_quantity: 0 },
  ...changes,
});

const priceOf = (exchange: unknown, ...items: readonly object[]) => {
  const order = orderNode();
  return exchangePrice(exactly(exchange), {
    order: exactly({ ...order, items: [...(order['items'] as object[]), ...items] }),
    currency: 'EUR',
    observedAt: '2026-11-20T00:00:00.000Z',
  });
};

describe('Medusa exchangePrice', () => {
  it('sums the new items of an exchange, with tax', () => {
    const items = [added('ordli_2'), added('ordli_3', { quantity: 1, unit_price: 9.99 })];
    // 39.98 and 9.99 with 19 %.
    expect(priceOf(exchangeNode(['ordli_2', 2], ['ordli_3', 1]), ...items)).toEqual(eur(4758 + 1189));
  });

  it('subtracts discounts, and adds no tax to a price that includes it', () => {
    const item = added('ordli_2', { is_tax_inclusive: true, adjustments: [{ amount: 5, is_tax_inclusive: true }] });
    expect(priceOf(exchangeNode(['ordli_2', 2]), item)).toEqual(eur(3498));
  });

  it('is unknown until the order has all of the items', () => {
    expect(priceOf(exchangeNode(['ordli_2', 2], ['ordli_3', 1]), added('ordli_2'))).toBeUndefined();
  });

  it.each([
    ['other units', { quantity: 3 }],
    ['an unreadable price', { unit_price: null }],
    ['an unreadable tax', { tax_lines: [{ rate: 'nineteen' }] }],
  ])('is unknown for an item with %s', (_, changes) => {
    expect(priceOf(exchangeNode(['ordli_2', 2]), added('ordli_2', changes))).toBeUndefined();
  });

  it.each([[undefined], [null], [{}], [{ additional_items: [] }]])('is unknown without items: %j', (exchange) => {
    expect(priceOf(exchange, added('ordli_2'))).toBeUndefined();
  });
});
