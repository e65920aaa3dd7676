import { randomUUID } from 'node:crypto';
import { startProject } from '../commercetools/project.ts';
import type { Node } from '../commercetools/updates.ts';
import type { ShopDelivery, StartServedShop } from './served-shop.ts';

const source = 'local';
const money = (centAmount: number) => ({
  type: 'centPrecision',
  centAmount,
  currencyCode: 'EUR',
  fractionDigits: 2,
});
const taxed = (gross: number) => ({ totalNet: money(gross), totalGross: money(gross) });
const untaxed = { amount: 0, includedInPrice: true };

const orderOf = (id: string, now: string): Node => {
  const payment = {
    id: randomUUID(),
    version: 1,
    createdAt: now,
    lastModifiedAt: now,
    amountPlanned: money(4490),
    paymentMethodInfo: { paymentInterface: 'psp', method: 'card' },
    transactions: [{ id: randomUUID(), type: 'Charge', state: 'Success', amount: money(4490) }],
  };
  return {
    type: 'Order',
    id,
    version: 1,
    createdAt: now,
    lastModifiedAt: now,
    orderNumber: id.slice(0, 8),
    customerId: 'c-1',
    customerEmail: 'ada@example.com',
    country: 'DE',
    orderState: 'Complete',
    totalPrice: money(4490),
    taxMode: 'Platform',
    shippingMode: 'Single',
    shippingInfo: {
      shippingMethodName: 'Standard',
      price: money(500),
      taxRate: untaxed,
      taxedPrice: taxed(500),
      deliveries: [{ id: randomUUID(), createdAt: now, items: [{ id: `${id}-1`, quantity: 2 }] }],
    },
    shippingAddress: { country: 'DE', firstName: 'Ada' },
    lineItems: [
      {
        id: `${id}-1`,
        productId: 'p-1',
        name: { en: 'Shirt' },
        variant: { id: 1, sku: 'SHIRT-M' },
        price: { value: money(1995) },
        quantity: 2,
        totalPrice: money(3990),
        taxRate: untaxed,
        taxedPrice: taxed(3990),
      },
    ],
    customLineItems: [],
    paymentInfo: { payments: [{ typeId: 'payment', id: payment.id, obj: payment }] },
  };
};

/** Starts a commercetools project, which delivers by the queue of events. It has one order: the last one. */
export const startCommercetools: StartServedShop = async (port) => {
  const project = await startProject(port, [source]);
  const { state } = project;

  const delivery = (type: string, orderId: string): ShopDelivery => {
    const resource = { typeId: 'order', id: orderId };
    const content = { notificationType: 'Message', projectKey: source, id: randomUUID(), type, resource };
    return { by: 'queue', body: JSON.stringify(content) };
  };
  const sell = (): string => {
    const orderId = randomUUID();
    state.order = orderOf(orderId, new Date().toISOString());
    return orderId;
  };

  return {
    url: project.origin,
    source,
    entries: { webhooks: {}, api: project.entry() },
    sell,
    hasOrder: (orderId) => state.order?.['id'] === orderId,
    acts: {
      order: (orderId) => ({ delivery: delivery('OrderPaymentStateChanged', orderId) }),
      return: (orderId) => {
        const { order } = state;
        const now = new Date().toISOString();
        const item = {
          id: randomUUID(),
          type: 'LineItemReturnItem',
          lineItemId: `${orderId}-1`,
          quantity: 1,
          shipmentState: 'Advised',
          paymentState: 'NonRefundable',
          createdAt: now,
          lastModifiedAt: now,
        };
        const before = (order?.['returnInfo'] ?? []) as readonly Node[];
        const version = Number(order?.['version']) + 1;
        state.order = { ...order, version, lastModifiedAt: now, returnInfo: [...before, { items: [item] }] };
        return { returnId: item.id, delivery: delivery('ReturnInfoAdded', orderId) };
      },
    },
    close: project.close,
  };
};
