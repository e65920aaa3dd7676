import { startProject as startLocalProject } from '../../../lib/tools/local/shops/commercetools/project.ts';

type Node = Record<string, unknown>;

export const money = (centAmount: number, currencyCode = 'EUR', fractionDigits = 2) => ({
  type: 'centPrecision',
  centAmount,
  currencyCode,
  fractionDigits,
});

const taxed = (net: number, gross: number) => ({ totalNet: money(net), totalGross: money(gross) });

/** An order as in the API's documentation, with two line items and a custom one. */
export const orderNode = (changes: Node = {}): Node => ({
  type: 'Order',
  id: '36a66613-90cf-4456-9ec7-17df396d8aaa',
  version: 7,
  createdAt: '2026-11-01T08:00:00.000Z',
  lastModifiedAt: '2026-11-05T09:00:00.000Z',
  orderNumber: 'O-1001',
  customerId: 'c-1',
  customerEmail: 'buyer@example.com',
  country: 'DE',
  orderState: 'Complete',
  totalPrice: money(13_300),
  taxMode: 'Platform',
  shippingMode: 'Single',
  shippingInfo: {
    shippingMethodName: 'Standard',
    price: money(500),
    taxRate: { amount: 0.19, includedInPrice: true },
    taxedPrice: taxed(420, 500),
    deliveries: [{ id: 'd-1', createdAt: '2026-11-02T10:00:00.000Z', items: [{ id: 'line-1', quantity: 2 }] }],
  },
  shippingAddress: { country: 'DE', state: 'BE', firstName: 'Ada' },
  lineItems: [
    {
      id: 'line-1',
      productId: 'p-1',
      name: { de: 'Hemd', en: 'Shirt' },
      variant: { id: 1, sku: 'SHIRT-M' },
      price: { value: money(6_000), discounted: { value: money(5_000), discount: {} } },
      quantity: 2,
      totalPrice: money(9_000),
      taxRate: { amount: 0.19, includedInPrice: true },
      taxedPrice: { ...taxed(7_563, 9_000), totalTax: money(1_437) },
    },
    {
      id: 'line-2',
      productId: 'p-2',
      name: { de: 'Hut' },
      variant: { id: 1 },
      price: { value: money(3_000) },
      quantity: 1,
      totalPrice: money(3_000),
      taxRate: { amount: 0.19, includedInPrice: true },
      taxedPrice: taxed(2_521, 3_000),
    },
  ],
  customLineItems: [
    {
      id: 'custom-1',
      name: { en: 'Engraving' },
      money: money(800),
      quantity: 1,
      totalPrice: money(800),
      taxRate: { amount: 0.19, includedInPrice: true },
      taxedPrice: taxed(672, 800),
    },
  ],
  ...changes,
});

let created = 0;
/** Returns a return item. commercetools creates a new id for each one. */
export const item = (lineItemId: string, shipmentState: string, changes: Node = {}): Node => ({
  id: `item-${(created += 1)}`,
  type: 'LineItemReturnItem',
  lineItemId,
  quantity: 1,
  shipmentState,
  paymentState: shipmentState === 'Advised' ? 'NonRefundable' : 'Initial',
  createdAt: '2026-11-05T08:00:00.000Z',
  lastModifiedAt: '2026-11-05T08:00:00.000Z',
  ...changes,
});

/** Returns a payment with one charge and further transactions. */
export const payment = (transactions: readonly Node[], changes: Node = {}): Node => ({
  id: 'pay-1',
  version: 3,
  createdAt: '2026-11-01T08:00:00.000Z',
  lastModifiedAt: '2026-11-06T10:00:00.000Z',
  amountPlanned: money(13_300),
  paymentMethodInfo: { paymentInterface: 'psp', method: 'card' },
  transactions: [{ id: 'tx-0', type: 'Charge', state: 'Success', amount: money(13_300) }, ...transactions],
  ...changes,
});

export const refund = (id: string, centAmount: number, changes: Node = {}): Node => ({
  id,
  timestamp: '2026-11-06T10:00:00.000Z',
  type: 'Refund',
  state: 'Success',
  amount: money(centAmount),
  ...changes,
});

export const paidBy = (...payments: readonly Node[]) => ({
  paymentInfo: { payments: payments.map((obj) => ({ typeId: 'payment', id: obj['id'], obj })) },
});

/** Starts the used part of the API of some projects, and its token endpoint. */
export const startProject = async (...keys: readonly string[]) => {
  const project = await startLocalProject(0, keys);
  project.state.order = orderNode();
  const { state, origin, requests, entry, close } = project;
  return {
    ...project,
    server: { requests, [Symbol.asyncDispose]: close },
    /** Returns the requests, except those for tokens. */
    requestedUrls: () =>
      requests.filter(({ path }) => path !== '/oauth/token').map(({ path }) => new URL(path, origin)),
    /** Invalidates the issued tokens. */
    revoke: () => state.tokens.clear(),
    entry,
  };
};
