import { randomUUID } from 'node:crypto';
import { type Api, api } from '../support/api.ts';
import { lambda } from '../support/lambda.ts';
import { beginDraft, documentFor, publishedPolicy } from '../support/policies.ts';
import { eur } from '../support/orders.ts';

/*
 * What the screens show. Each journey makes its own order and returns by the API, as a shop would.
 */

const dayMs = 86_400_000;

/** The texts that a customer, a shop or an integrator writes into a return and its order. */
type Texts = {
  readonly title: string;
  readonly sku: string;
  readonly customer: string;
  readonly note: string;
  readonly tag: string;
};

const plain: Texts = {
  title: 'Merino crew neck, charcoal, M',
  sku: 'MER-CRW-M',
  customer: 'Beatriz Almeida',
  note: 'Tight at the shoulders',
  tag: 'vip',
};

const checked = <Answer extends { readonly status: number; readonly body: unknown }>(answer: Answer): Answer => {
  if (answer.status >= 300)
    throw new Error(`The service rejected a request of the shop: ${JSON.stringify(answer.body)}`);
  return answer;
};

type Options = {
  readonly texts?: Partial<Texts>;
  readonly quantity?: number;
  /** @default web */
  readonly platform?: string;
  /** The seller of the order, which selects the policy. */
  readonly seller?: string;
  /** The name of a promotion of the order, without a discount. */
  readonly promotion?: string;
  /** The e-mail address of the customer. */
  readonly email?: string;
  readonly service?: Api;
};

/** Registers an order of three equal units and one other unit, and requests a return of them. */
export const requestReturn = async ({
  texts: own,
  quantity = 2,
  platform = 'web',
  seller,
  promotion,
  email = 'marker-beatriz@example.com',
  service = api('standalone'),
}: Options = {}) => {
  const texts = { ...plain, ...own };
  const order = { platform, orderId: randomUUID() };
  const rma = `#${randomUUID().slice(0, 8)}`;
  const delivered = new Date(Date.now() - 25 * dayMs).toISOString();
  const line = {
    taxIncluded: true,
    unitPrice: eur(8900),
    taxTotal: eur(4993),
    taxes: [{ rate: '23', amount: eur(4993) }],
  };
  checked(
    await service.put(`/orders/${order.platform}/${order.orderId}`, {
      number: rma,
      placedAt: new Date(Date.now() - 28 * dayMs).toISOString(),
      currency: 'EUR',
      country: 'PT',
      ...(seller !== undefined && { seller }),
      ...(promotion !== undefined && {
        promotions: [
          {
            id: '1',
            name: promotion,
            lines: [{ orderLineId: '2', discount: eur(0) }],
            condition: { allLines: true },
          },
        ],
      }),
      customer: { id: randomUUID(), email, name: texts.customer },
      lines: [
        {
          ...line,
          lineId: '1',
          sku: texts.sku,
          title: texts.title,
          quantity: 3,
          deliveries: [{ quantity: 3, at: delivered }],
        },
        {
          lineId: '2',
          sku: 'HAT',
          title: 'Hat',
          quantity: 1,
          unitPrice: eur(2450),
          deliveries: [{ quantity: 1, at: delivered }],
        },
      ],
      observedAt: new Date().toISOString(),
    }),
  );
  const lines = [
    { orderLineId: '1', quantity, reason: { code: 'preference.style', note: texts.note } },
    { orderLineId: '2', quantity: 1, reason: { code: 'preference.style' } },
  ];
  const { body } = checked(
    await service.post('/returns', {
      order,
      lines,
      initiatedBy: 'customer',
      tags: [texts.tag],
      metadata: { note: texts.note },
    }),
  );
  return { order, number: rma, returnId: body.returnId, lines: body.lines, service };
};

type Requested = Awaited<ReturnType<typeof requestReturn>>;

const command = async ({ service, returnId }: Requested, path: string, body: object = {}) =>
  checked(await service.post(`/returns/${returnId}${path}`, body)).body;

const all = ({ lines }: Requested, more: object = {}) =>
  lines.map(({ lineId, quantities }) => ({ lineId, quantity: quantities.requested, ...more }));

/** Approves a return, as another person would. */
export const approve = async (created: Requested): Promise<void> => {
  await command(created, '/approve');
};

/** Requests and approves a return. */
const approvedReturn = async (options?: Options): Promise<Requested> => {
  const created = await requestReturn(options);
  await approve(created);
  return created;
};

/** A return in a parcel on its way, with its tracking number. */
export const shippedReturn = async (options?: Options) => {
  const created = await approvedReturn(options);
  const trackingNumber = `RR${randomUUID().slice(0, 8).toUpperCase()}PT`;
  await command(created, '/parcels', { carrier: 'ctt', trackingNumber, contents: all(created) });
  return { ...created, trackingNumber };
};

/** A return whose units are received and accepted, so that a refund is due. */
export const inspectedReturn = async (options?: Options) => {
  const created = await shippedReturn(options);
  await command(created, '/receipts', { lines: all(created) });
  await command(created, '/inspections', {
    lines: all(created, {
      outcome: 'accept',
      disposition: 'restock',
      grade: 'A',
      note: options?.texts?.note ?? 'As new',
    }),
  });
  return created;
};

/** Declares a withdrawal. */
export const declareWithdrawal = async (
  texts: { readonly name: string; readonly contract: string; readonly email?: string },
  service: Api = api('standalone'),
) => {
  const { body } = checked(
    await service.post('/withdrawals', {
      email: `marker-${randomUUID()}@example.com`,
      ...texts,
      language: 'pt',
      timeZone: 'Europe/Lisbon',
    }),
  );
  return (body as unknown as { readonly withdrawalId: string }).withdrawalId;
};

/** Creates a published policy for the orders of one seller, whose rule has a text. */
export const makePolicy = async (name: string, text: string, seller: string = randomUUID()) => {
  const document = documentFor(seller, 30, { rules: [{ id: 'all', phase: 'approval', text, approval: 'manual' }] });
  return (await publishedPolicy(api('standalone'), document, name)).policyId;
};

/** Begins a draft of a policy, and compares it with the decisions so far. */
export const beginDraftOf = async (policyId: string): Promise<void> => {
  const service = api('standalone');
  checked(await service.put(`/policies/${policyId}/draft`, { copyOf: 1 }, beginDraft));
  checked(await service.post(`/policies/${policyId}/draft/backtest`, {}));
};

/** Saves a draft of a policy, as another person would. */
export const saveDraftOf = async (policyId: string, text: string, precondition: object): Promise<void> => {
  const document = documentFor(policyId, 30, { rules: [{ id: 'all', phase: 'approval', text, approval: 'manual' }] });
  checked(await api('standalone').put(`/policies/${policyId}/draft`, { document }, precondition));
};

/** Counts the returns since yesterday for the figures. The stack of the tests has no stream that counts them. */
export const countReturns = async (): Promise<void> => {
  const [from] = new Date(Date.now() - dayMs).toISOString().split('T');
  await lambda('standalone')('recountReturns', { from });
};

/** Starts an export, and returns the id of its job. */
export const beginExport = async (): Promise<string> =>
  checked(await api('standalone').post('/exports', { format: 'csv' })).body.jobId;

/** Creates an endpoint for webhooks. */
export const makeEndpoint = async (service: Api = api('standalone')) => {
  const { body } = checked(
    await service.post('/webhook-endpoints', {
      url: 'https://hooks.example.com/returns',
      eventTypes: ['return.approved'],
    }),
  );
  return body.endpointId;
};
