import { randomUUID } from 'node:crypto';
import { startShopServer } from '../shop-server.ts';
import { signDelivery } from '../../../signing/sign-delivery.ts';
import { type Document, openAccount } from '../vtex/account.ts';
import { openHook } from '../vtex/hook.ts';
import { numbersFrom, type ShopDelivery, type StartServedShop } from './served-shop.ts';

const source = 'local';
const secret = 'local-vtex-webhook-token';
const [appKey, appToken] = ['vtexappkey-local', 'local-app-token'] as const;

const orderOf = (orderId: string, now: string): Document => ({
  orderId,
  sequence: orderId,
  salesChannel: '1',
  status: 'invoiced',
  value: 4490,
  creationDate: now,
  lastChange: now,
  totals: [
    { id: 'Items', name: 'Items Total', value: 3990 },
    { id: 'Discounts', name: 'Discounts Total', value: 0 },
    { id: 'Shipping', name: 'Shipping Total', value: 500 },
    { id: 'Tax', name: 'Tax Total', value: 0 },
  ],
  items: [
    {
      uniqueId: randomUUID().replaceAll('-', '').toUpperCase(),
      id: '1001',
      productId: '2001',
      quantity: 2,
      seller: '1',
      name: 'Camisa M',
      refId: 'SHIRT-M',
      price: 1995,
      listPrice: 1995,
      sellingPrice: 1995,
      tax: 0,
      priceTags: [],
      unitMultiplier: 1,
      priceDefinition: { calculatedSellingPrice: 1995, total: 3990 },
    },
  ],
  clientProfileData: { id: 'clientProfileData', firstName: 'Ada', lastName: 'Byron', isCorporate: false },
  storePreferencesData: { countryCode: 'BRA', currencyCode: 'BRL' },
  shippingData: {
    address: { addressType: 'residential', state: 'RJ', country: 'BRA' },
    logisticsInfo: [{ itemIndex: 0, price: 500, listPrice: 500, sellingPrice: 500 }],
  },
  paymentData: { transactions: [] },
  packageAttachment: {
    packages: [
      {
        items: [{ itemIndex: 0, quantity: 2, price: 1995 }],
        invoiceNumber: orderId,
        invoiceValue: 4490,
        issuanceDate: now,
        type: 'Output',
        restitutions: {},
      },
    ],
  },
});

const requestOf = (id: string, orderId: string, now: string): Document => ({
  id,
  orderId,
  refundableAmount: 1995,
  sequenceNumber: `${orderId}-1`,
  status: 'new',
  dateSubmitted: now,
  refundableAmountTotals: [{ id: 'items', value: 1995 }],
  customerProfileData: { userId: 'u', name: 'Ada Byron', email: 'ada@example.com', phoneNumber: '1' },
  pickupReturnData: { addressId: '', addressType: 'CUSTOMER_ADDRESS', country: 'BRA' },
  refundPaymentData: { refundPaymentMethod: 'sameAsPurchase' },
  items: [
    {
      orderItemIndex: 0,
      id: '1001',
      sellingPrice: 1995,
      tax: 0,
      quantity: 1,
      returnReason: { reason: 'noLongerNeeded', otherReason: null },
      condition: 'newWithBox',
    },
  ],
  refundData: null,
  refundStatusData: [{ status: 'new', submittedBy: 'Ada Byron', createdAt: now, comments: [] }],
  cultureInfoData: { currencyCode: 'BRL', locale: 'pt-BR' },
});

/** Starts a VTEX account with the return app. Its order hook is for returned goods, so an order is not reported. */
export const startVtex: StartServedShop = async (port, deliver) => {
  const account = openAccount({ appKey, appToken });
  const hook = openHook({ appKey, appToken });
  const nextId = numbersFrom(Date.now());

  const delivery = (id: string): ShopDelivery => {
    const { status } = account.requests.get(id) as { readonly status: string };
    const content = { topic: 'return-request', id, status, changedAt: new Date().toISOString() };
    const body = Buffer.from(JSON.stringify({ ...content, Origin: { Account: source } }));
    const signing = { secret, source, topic: content.topic, id, at: Date.now() };
    return { by: 'http', path: `vtex/${source}`, headers: signDelivery('vtex', body, signing), body };
  };
  const sell = (): string => {
    const orderId = `${nextId()}-01`;
    account.orders.set(orderId, orderOf(orderId, new Date().toISOString()));
    return orderId;
  };
  /** The list of the app has the requests as they are now. */
  const list = (): void => void (account.lists.requests = [...account.requests.values()] as Document[]);

  const server = await startShopServer({
    port,
    answer: (request) => {
      const reply = hook.answer(request) ?? account.answer(request);
      const [, id] = /^\/_v\/return-request\/([^/?]+)$/.exec(request.path) ?? [];
      if (request.method === 'PUT' && id !== undefined && reply.status === 200) {
        list();
        deliver(delivery(id));
      }
      return reply;
    },
  });
  return {
    url: server.url,
    source,
    entries: {
      webhooks: { webhookSecrets: [secret] },
      api: { appKey, appToken, apiUrl: server.url, returnsUrl: server.url },
    },
    sell,
    hasOrder: (orderId) => account.orders.has(orderId),
    acts: {
      order: () => ({}),
      return: (orderId) => {
        const returnId = randomUUID();
        account.requests.set(returnId, requestOf(returnId, orderId, new Date().toISOString()));
        list();
        return { returnId, delivery: delivery(returnId) };
      },
    },
    close: server.close,
  };
};
