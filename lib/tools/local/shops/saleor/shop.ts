import { buildSchema, executeSync, parse, validate } from 'graphql';
import type { ShopReply, ShopRequest } from '../shop-server.ts';
import { type Grant, type GrantInput, grantRefund, type Json, type Order, requestError, withEvent } from './refunds.ts';
import { schemaOf } from './schema.ts';
import { openWebhooks } from './webhooks.ts';

/** What the payment app does with the next request. */
export type AppFault = 'failed' | 'missing';

export type SaleorOptions = {
  readonly clock: () => number;
  readonly token: string;
  /** Whether it is 3.23 or later, which has reasons of returns. */
  readonly reasons: boolean;
  /**
   * The milliseconds after which the payment app reports a refund.
   * @default 5_000
   */
  readonly appMs?: number;
};

type Listing = {
  readonly first: number;
  readonly after?: string | null;
  readonly filter: { readonly updatedAt: { readonly gte: string } };
};
type Job = { readonly at: number; readonly orderId: string; readonly grant: Grant; readonly isFailed: boolean };

const json = (status: number, body: unknown): ShopReply => ({ status, body: JSON.stringify(body) });

const idOf = (type: string, key: number): string => Buffer.from(`${type}:${key}`).toString('base64');

const listed = (orders: readonly Order[], { first, after, filter }: Listing) => {
  const all = orders
    .filter(({ updatedAt }) => Date.parse(updatedAt) >= Date.parse(filter.updatedAt.gte))
    .toSorted((a, b) => Date.parse(a.updatedAt) - Date.parse(b.updatedAt));
  const start = after === undefined || after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
  const page = all.slice(start, start + first);
  return {
    edges: page.map((node) => ({ node })),
    pageInfo: { hasNextPage: start + first < all.length, endCursor: page.at(-1)?.id ?? null },
  };
};

/** Opens the data of a Saleor shop, and the used part of its GraphQL API. */
export const openSaleor = ({ clock, token, reasons, appMs = 5_000 }: SaleorOptions) => {
  const orders = new Map<string, Order>();
  const paid: { readonly amount: number; readonly reason: string }[] = [];
  const schema = buildSchema(schemaOf({ reasons }));
  let jobs: Job[] = [];
  let appFault: AppFault | undefined;
  let lastId = 7_000;
  const nextId = (type: string): string => idOf(type, (lastId += 1));
  const now = (): string => new Date(clock()).toISOString();

  const report = (orderId: string, grant: Grant, status: string, type: string): void => {
    const order = orders.get(orderId);
    const { amount } = grant;
    const event = {
      id: nextId('TransactionEvent'),
      type,
      createdAt: now(),
      pspReference: `psp-${grant.id}`,
      message: '',
      amount,
    };
    if (order !== undefined) orders.set(orderId, withEvent(order, grant.id, status, event));
  };

  /** The payment app reports the refunds whose time has come. */
  const runApp = (): void => {
    const due = jobs.filter(({ at }) => at <= clock());
    jobs = jobs.filter(({ at }) => at > clock());
    for (const { orderId, grant, isFailed } of due) {
      if (!isFailed) paid.push({ amount: grant.amount.amount, reason: String(grant['reason']) });
      report(orderId, grant, isFailed ? 'FAILURE' : 'SUCCESS', isFailed ? 'REFUND_FAILURE' : 'REFUND_SUCCESS');
    }
  };

  const grantOf = (id: string) => {
    for (const order of orders.values())
      for (const grant of order.grantedRefunds) if (grant.id === id) return { orderId: order.id, grant };
    return undefined;
  };

  const app = openWebhooks(nextId);
  const rootValue = {
    ...app.root,
    order: ({ id }: { id: string }) => orders.get(id) ?? null,
    orders: (listing: Listing) => listed([...orders.values()], listing),
    orderGrantRefundCreate: ({ id, input }: { id: string; input: GrantInput }): Json => {
      const order = orders.get(id);
      if (order === undefined) return { errors: [{ code: 'NOT_FOUND' }] };
      const granted = grantRefund(order, input, { id: nextId('OrderGrantedRefund'), now: now() });
      if ('order' in granted) orders.set(id, granted.order);
      return granted;
    },
    transactionRequestRefundForGrantedRefund: ({ grantedRefundId: id }: { grantedRefundId: string }): Json => {
      const found = grantOf(id);
      const code = found === undefined ? 'NOT_FOUND' : requestError(found.grant);
      if (found === undefined || code !== undefined) return { errors: [{ code }] };
      if (appFault === 'missing') return { errors: [{ code: 'MISSING_TRANSACTION_ACTION_REQUEST_WEBHOOK' }] };
      report(found.orderId, found.grant, 'PENDING', 'REFUND_REQUEST');
      jobs.push({ at: clock() + appMs, ...found, isFailed: appFault === 'failed' });
      return { transaction: null, errors: [] };
    },
  };

  return {
    orders,
    /** The webhooks of the app by their ids, and its permissions. */
    app,
    /** What the payment app has paid. */
    paid: paid as readonly { readonly amount: number; readonly reason: string }[],
    /** Sets what the payment app does from now on. */
    failApp: (fault: AppFault | undefined): void => void (appFault = fault),
    runApp,
    /** A clerk refunds an amount in the dashboard, if the payment has so much left. */
    refundByHand: (orderId: string, amount: number): void => {
      const transactionId = orders.get(orderId)?.transactions[0]?.id ?? '';
      const { grantedRefund } = rootValue.orderGrantRefundCreate({ id: orderId, input: { amount, transactionId } });
      if (grantedRefund === undefined) return;
      rootValue.transactionRequestRefundForGrantedRefund({ grantedRefundId: (grantedRefund as Grant).id });
    },
    answer: ({ headers, body }: ShopRequest): ShopReply => {
      runApp();
      if (headers.authorization !== `Bearer ${token}`)
        return json(200, {
          errors: [{ message: 'denied', extensions: { exception: { code: 'PermissionDenied' } } }],
          data: { order: null },
        });
      const { query, variables: variableValues } = JSON.parse(body) as {
        query: string;
        variables: Record<string, unknown>;
      };
      const document = parse(query);
      const errors = validate(schema, document);
      if (errors.length > 0) return json(400, { errors: errors.map(({ message }) => ({ message })) });
      return json(200, executeSync({ schema, document, rootValue, variableValues }));
    },
  };
};
