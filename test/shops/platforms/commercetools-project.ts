import { startServer, type Answer, type Received } from '../../support/http-server.ts';

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

const client = { clientId: 'client', clientSecret: 'a-secret-of-the-client' };
const json = (status: number, value: unknown): Answer => ({ status, body: JSON.stringify(value) });

/** Starts the used part of the API of some projects, and its token endpoint. */
export const startProject = async (...keys: readonly string[]) => {
  const state = {
    order: orderNode() as Node | undefined,
    /** The results of queries, by resource. */
    found: { orders: undefined, payments: undefined } as Record<string, readonly Node[] | undefined>,
    /** Answers that replace the next ones, in order. */
    failures: [] as Answer[],
    /** Former secrets of the client, which the token endpoint rejects. */
    ended: new Set<string>(),
    tokens: new Set<string>(),
    issued: 0,
  };
  const token = ({ headers, body }: Received): Answer => {
    const [id, secret = ''] = Buffer.from(headers.authorization?.replace('Basic ', '') ?? '', 'base64')
      .toString()
      .split(':');
    if (id !== client.clientId || state.ended.has(secret)) return json(401, { error: 'invalid_client' });
    const form = new URLSearchParams(body);
    if (form.get('grant_type') !== 'client_credentials') return json(400, { error: 'unsupported_grant_type' });
    state.issued += 1;
    state.tokens.add(`token-${state.issued}`);
    return json(200, {
      access_token: `token-${state.issued}`,
      token_type: 'Bearer',
      expires_in: 172_800,
      scope: form.get('scope'),
    });
  };
  const read = ({ path, headers }: Received): Answer => {
    const failure = state.failures.shift();
    if (failure !== undefined) return failure;
    if (!state.tokens.has((headers.authorization ?? '').replace('Bearer ', '')))
      return json(401, { statusCode: 401, errors: [{ code: 'invalid_token' }] });
    const { pathname, searchParams } = new URL(path, 'http://localhost');
    const [, project = '', resource = '', id] = pathname.split('/');
    if (!keys.includes(project)) return json(403, { statusCode: 403 });
    if (id !== undefined)
      return id === state.order?.['id'] ? json(200, state.order) : json(404, { statusCode: 404, errors: [] });
    const wanted = /payments\(id="([^"]*)"\)/.exec(searchParams.get('where') ?? '')?.[1];
    if (wanted !== undefined) {
      const hit = JSON.stringify(state.order ?? {}).includes(`"id":"${wanted}"`);
      return json(200, { limit: 1, offset: 0, count: 1, results: hit ? [state.order] : [] });
    }
    return json(200, { limit: 100, offset: 0, count: 0, results: state.found[resource] ?? [] });
  };
  const server = await startServer((request) => (request.path === '/oauth/token' ? token(request) : read(request)));
  return {
    state,
    server,
    entry: (changes: Node = {}) => ({ apiUrl: server.origin, authUrl: server.origin, ...client, ...changes }),
    /** Returns the requests, except those for tokens. */
    requestedUrls: () =>
      server.requests.filter(({ path }) => path !== '/oauth/token').map(({ path }) => new URL(path, server.origin)),
    /** Invalidates the issued tokens. */
    revoke: () => state.tokens.clear(),
    close: () => server[Symbol.asyncDispose](),
  };
};
