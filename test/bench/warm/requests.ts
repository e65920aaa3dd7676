import type { NamedRequest } from '../driver.ts';

const order = { platform: 'shopify', orderId: '5123456789012' };
const eur = (amount: number) => ({ amount, currency: 'EUR' });

/** More units of each line than a run uses. */
const quantity = 100_000;

/** The order of the return that the benches read. */
export const registerOrder: NamedRequest = {
  operation: 'registerOrder',
  path: order,
  body: {
    number: '#1001',
    placedAt: '2026-11-01T10:00:00Z',
    currency: 'EUR',
    country: 'DE',
    customer: { id: '7012345678901', email: 'ada@example.com', name: 'Ada Example' },
    lines: [
      { lineId: '11', sku: 'SHIRT-M', quantity, unitPrice: eur(1999), taxTotal: eur(31_916_807), taxIncluded: true },
      { lineId: '12', sku: 'HAT', quantity, unitPrice: eur(2500), discountTotal: eur(50_000_000) },
      { lineId: '13', sku: 'SOCKS', quantity, unitPrice: eur(700) },
    ],
    observedAt: '2026-11-02T00:00:00Z',
  },
};

export const createReturn: NamedRequest = {
  operation: 'createReturn',
  body: {
    order,
    lines: [
      { orderLineId: '11', quantity: 1, reason: { code: 'fit.too_small', note: 'Too tight at the shoulders.' } },
      { orderLineId: '12', quantity: 1, reason: { code: 'preference.changed_mind' } },
    ],
  },
};
