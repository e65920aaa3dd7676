import { randomUUID } from 'node:crypto';
import {
  input,
  order as orderFields,
  output,
  request,
  requestId,
  startAccountApis,
  step,
  token,
} from '../../shops/platforms/vtex-account.ts';
import { ofEachWay, orderPlatform, type Shop, type SentEvent } from './shop.ts';

const platform = 'vtex';
const orderId = 'v52277740atmc-01';
const brl = (amount: number) => ({ amount, currency: 'BRL' });

const paid = {
  status: 'amountRefunded',
  refundStatusData: ['new', 'processing', 'packageVerified', 'amountRefunded'].map((status, index) =>
    step(status, `2026-10-1${index}T10:00:00.000Z`),
  ),
  refundData: {
    invoiceNumber: requestId,
    invoiceValue: 4200,
    refundedItemsValue: 4000,
    refundedShippingValue: 200,
    items: [{ orderItemIndex: 0, id: '1234568', quantity: 1, restockFee: 500, price: 4500 }],
  },
};

/** Opens a VTEX account with the return app: a return request, and an invoice of goods returned without one. */
export const openVtex = async (): Promise<Shop> => {
  const account = await startAccountApis();
  return {
    platform,
    sources: ofEachWay(platform, account.entry),
    proofs: ['x-webhook-token'],
    life: (mode) => {
      const makeEvent = (content: object): SentEvent => ({
        by: 'http',
        path: `${platform}/${mode}`,
        headers: { 'content-type': 'application/json', 'x-webhook-token': token },
        body: Buffer.from(JSON.stringify({ ...content, Origin: { Account: mode, Key: 'vtexappkey-acme-ABCDEF' } })),
      });
      const makeRequestEvent = (status: string) =>
        makeEvent({ topic: 'return-request', id: requestId, status, changedAt: new Date().toISOString() });
      const order = { platform: orderPlatform(platform, mode), orderId };
      return [
        {
          happens: () => {
            account.put(orderFields(), request());
            return makeRequestEvent('new');
          },
          order: {
            ...order,
            facts: { currency: 'BRL', completeness: 'full', lines: [{ title: 'Bay Max L', fulfilledQuantity: 2 }] },
          },
          return: {
            status: 'requested',
            lines: [{ quantities: { requested: 2 }, reason: { code: 'preference.changed_mind' } }],
          },
        },
        {
          happens: () => {
            account.put(request(paid));
            return makeRequestEvent('amountRefunded');
          },
          order,
          return: {
            status: 'completed',
            lines: [{ quantities: { received: 2, accepted: 1 } }],
            refunds: [{ amount: brl(4200), external: { externalId: requestId } }],
          },
        },
        {
          happens: () => {
            const other = `${orderId}-${mode}`;
            account.put(orderFields({ orderId: other, packageAttachment: { packages: [output(), input()] } }));
            return makeEvent({
              Domain: 'Fulfillment',
              OrderId: other,
              State: 'invoiced',
              LastChange: '2026-10-20T12:00:00.2550122Z',
              CurrentChange: randomUUID(),
            });
          },
          order: { ...order, orderId: `${orderId}-${mode}` },
          refund: {
            externalId: '2001',
            facts: {
              amount: brl(4000),
              method: 'original_payment',
              occurredAt: '2026-10-20T12:00:00.000Z',
              lines: [{ orderLineId: '87F0945396994B349158C7D9C9941442', quantity: 1 }],
            },
          },
        },
      ];
    },
    close: account.close,
  };
};
