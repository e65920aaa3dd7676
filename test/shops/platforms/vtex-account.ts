import { type Document as Fields, openAccount } from '../../../lib/tools/local/shops/vtex/account.ts';
import { startServer, type Received } from '../../support/http-server.ts';
import { startPlatformSecret } from './platform-secret.ts';

/*
 * A VTEX account at its wire: the Orders API and the return app, with documents in their documented shapes.
 * https://developers.vtex.com/docs/api-reference/orders-api#get-/api/oms/pvt/orders/-orderId-
 * https://github.com/vtex-apps/return-app/blob/main/docs/README.md
 */

export const account = 'acme';
export const token = 'a-token-that-the-operator-chose';

export const item = (fields: Fields = {}): Fields => ({
  uniqueId: '87F0945396994B349158C7D9C9941442',
  id: '1234568',
  productId: '9429485',
  quantity: 2,
  seller: '1',
  name: 'Bay Max L',
  refId: 'BIGHEROBML',
  price: 5000,
  listPrice: 6000,
  sellingPrice: 4500,
  tax: 0,
  priceTags: [],
  unitMultiplier: 1,
  additionalInfo: { brandName: 'VTEX', brandId: '2000023', categories: [{ id: 1, name: 'Toys' }] },
  priceDefinition: { sellingPrices: [{ value: 4500, quantity: 2 }], calculatedSellingPrice: 4500, total: 9000 },
  ...fields,
});

/** The invoice of a sale. */
export const output = (fields: Fields = {}): Fields => ({
  items: [{ itemIndex: 0, quantity: 2, price: 4500, description: null, unitMultiplier: 1 }],
  courier: 'Correios',
  invoiceNumber: '1001',
  invoiceValue: 10160,
  issuanceDate: '2026-10-02T12:00:00.0000000+00:00',
  trackingNumber: 'BR0001',
  type: 'Output',
  courierStatus: { status: 'ok', finished: true, deliveredDate: '2026-10-05T15:30:00.1234567+00:00', data: [] },
  restitutions: {},
  ...fields,
});

/** The invoice of returned goods. */
export const input = (fields: Fields = {}): Fields => ({
  items: [{ itemIndex: 0, quantity: 1, price: 4500, description: null, unitMultiplier: 1 }],
  courier: null,
  invoiceNumber: '2001',
  invoiceValue: 4500,
  issuanceDate: '2026-10-20T12:00:00.0000000+00:00',
  trackingNumber: null,
  type: 'Input',
  restitutions: {
    Refund: {
      value: 4000,
      giftCardData: null,
      items: [
        {
          useFreight: false,
          isCompensation: false,
          compensationValue: 0,
          id: '1234568',
          quantity: 1,
          price: 4500,
          description: 'The size was too big.',
        },
      ],
    },
  },
  ...fields,
});

export const order = (fields: Fields = {}): Fields => ({
  orderId: 'v52277740atmc-01',
  sequence: '502556',
  origin: 'Marketplace',
  salesChannel: '1',
  status: 'invoiced',
  value: 10160,
  creationDate: '2026-10-01T20:03:44.0000000+00:00',
  lastChange: '2026-10-20T12:00:01.0000000+00:00',
  isCheckedIn: false,
  totals: [
    { id: 'Items', name: 'Items Total', value: 10000 },
    { id: 'Discounts', name: 'Discounts Total', value: -1000 },
    { id: 'Shipping', name: 'Shipping Total', value: 1160 },
    { id: 'Tax', name: 'Tax Total', value: 0 },
  ],
  items: [item()],
  clientProfileData: {
    id: 'clientProfileData',
    email: 'd9e820873bd643d1afe0af1a445f455f@ct.vtex.com.br',
    firstName: 'Rodrigo',
    lastName: 'VTEX',
    isCorporate: false,
    userProfileId: 'e3f2b1e6-5f9a-4f0f-8d5a-2f5c0a4b8a11',
  },
  storePreferencesData: { countryCode: 'BRA', currencyCode: 'BRL', timeZone: 'E. South America Standard Time' },
  shippingData: {
    address: { addressType: 'residential', state: 'RJ', country: 'BRA', postalCode: '22250-040' },
    logisticsInfo: [{ itemIndex: 0, price: 1160, listPrice: 1160, sellingPrice: 1160 }],
  },
  paymentData: {
    transactions: [
      {
        isActive: true,
        transactionId: '418213DE29634837A63DD693A937A696',
        payments: [
          {
            id: 'D3DEECAB3C6C4B9EAF8EF4C1FE062FF3',
            paymentSystemName: 'Visa',
            group: 'creditCard',
            value: 10160,
          },
        ],
      },
    ],
  },
  packageAttachment: { packages: [output()] },
  ...fields,
});

export const requestId = '5f9b3c1a-7a1f-11ed-83ab-0a1b2c3d4e5f';

export const step = (status: string, createdAt: string, comments: readonly Fields[] = []): Fields => ({
  status,
  submittedBy: 'Filadelfo Braz',
  createdAt,
  comments,
});

export const request = (fields: Fields = {}): Fields => ({
  id: requestId,
  orderId: 'v52277740atmc-01',
  refundableAmount: 9000,
  sequenceNumber: '502556-1',
  status: 'new',
  dateSubmitted: '2026-10-10T10:00:00.000Z',
  refundableAmountTotals: [{ id: 'items', value: 9000 }],
  customerProfileData: { userId: 'u', name: 'Filadelfo Braz', email: 'filadelfo@example.com', phoneNumber: '1' },
  pickupReturnData: { addressId: '', addressType: 'CUSTOMER_ADDRESS', country: 'BRA' },
  refundPaymentData: { refundPaymentMethod: 'sameAsPurchase' },
  items: [
    {
      orderItemIndex: 0,
      id: '1234568',
      sellingPrice: 4500,
      tax: 0,
      quantity: 2,
      returnReason: { reason: 'noLongerNeeded', otherReason: null },
      condition: 'newWithBox',
    },
  ],
  refundData: null,
  refundStatusData: [step('new', '2026-10-10T10:00:00.000Z')],
  cultureInfoData: { currencyCode: 'BRL', locale: 'pt-BR' },
  ...fields,
});

/** Starts only the APIs, and returns the entry of its secret. */
export const startAccountApis = async () => {
  const faults: number[] = [];
  const { orders, requests, lists, answer } = openAccount({ appKey: 'vtexappkey-acme', appToken: 'app-token' });
  const respond = (received: Received) => {
    const fault = faults.shift();
    return fault !== undefined && fault !== 200 ? { status: fault, body: '{}' } : answer(received);
  };
  const server = await startServer(respond);
  const entry = {
    webhookSecrets: [token],
    appKey: 'vtexappkey-acme',
    appToken: 'app-token',
    apiUrl: server.origin,
    returnsUrl: server.origin,
  };
  return {
    put: (...documents: readonly Fields[]) => {
      for (const one of documents)
        if ('items' in one && 'packageAttachment' in one) orders.set(String(one['orderId']), one);
        else requests.set(String(one['id']), one);
    },
    /** Stores any document under this id. */
    putAs: (id: string, document: unknown) => {
      orders.set(id, document);
      requests.set(id, document);
    },
    forget: () => {
      orders.clear();
      requests.clear();
    },
    lists,
    /** The statuses of the next answers: 200 is the usual answer. */
    fail: (...statuses: readonly number[]) => void faults.push(...statuses),
    requests: server.requests,
    entry,
    close: () => server[Symbol.asyncDispose](),
  };
};

/**
 * Starts the account, with its secret in a Secrets Manager of its own.
 * Import the code under test afterwards.
 */
export const startAccount = async () => {
  const apis = await startAccountApis();
  const { entry } = apis;
  const store = await startPlatformSecret();
  const sources = {
    [account]: entry,
    other: { ...entry, webhookSecrets: ['the-token-of-the-other-account'], orderPlatform: 'vtex-other' },
    weak: { ...entry, webhookSecrets: ['', 'fifteen-bytes-x'], orderPlatform: 'vtex-weak' },
  };
  store.put(sources);
  return {
    ...apis,
    sources,
    store,
    close: async () => {
      await apis.close();
      await store.close();
    },
  };
};
