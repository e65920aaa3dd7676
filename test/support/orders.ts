import { type Ledger, moveEntries, noEntries } from '../../lib/domain/returns/money/order-ledger.ts';
import type { Order, OrderFacts, OrderLine } from '../../lib/domain/returns/model/order.ts';

export const eur = (amount: number) => ({ amount, currency: 'EUR' });

export const orderLine = (line: Partial<OrderLine> = {}): OrderLine => ({
  lineId: '1',
  sku: 'SHIRT-M',
  quantity: 3,
  unitPrice: eur(1000),
  ...line,
});

export const orderFacts = (facts: Partial<OrderFacts> = {}): OrderFacts => ({
  currency: 'EUR',
  lines: [orderLine()],
  ...facts,
});

export const order = (facts: Partial<OrderFacts> = {}): Order => ({
  id: 'ord_01KAJ3V9Z8QW4T6R2M5N7P0XYB',
  platform: 'shopify',
  orderId: '1001',
  facts: orderFacts(facts),
  observed: { at: '2026-11-01T00:00:00.000Z', older: {} },
  version: 1,
  createdAt: '2026-11-01T00:00:00.000Z',
  updatedAt: '2026-11-01T00:00:00.000Z',
});

export const ledgerHolding = (units: Record<string, number>): Ledger => ({
  returns: Object.keys(units).length,
  given: { amount: 0, shipping: 0 },
  lines: Object.fromEntries(
    Object.entries(units).map(([lineId, held]) => [
      lineId,
      { held, refundedAlone: 0, granted: { units: 0, gross: 0, tax: 0 } },
    ]),
  ),
});

/** Returns the ledger after a refund of units of a line that no return holds, of this amount in minor units. */
export const refundedAlone = (ledger: Ledger, orderLineId: string, quantity: number, amount: number): Ledger =>
  moveEntries(ledger, noEntries, {
    lines: {
      [orderLineId]: { held: 0, refundedAlone: quantity, granted: { units: quantity, gross: amount, tax: 0 } },
    },
    given: { amount, shipping: 0 },
  });
