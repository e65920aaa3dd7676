import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { graphql, parse } from 'graphql';
import { mostPoints, queryCost } from './shop-cost.ts';
import { root, type ShopReturn, type ShopReturnLine } from './shop-graph.ts';
import { idSource, makeOrders, type ShopOrder } from './shop-orders.ts';
import { schema } from './shop-schema.ts';
import { deliveryOf, type WebhookOptions } from './shop-webhook.ts';

/** What the shop answers instead, for a number of requests. */
export type Fault = {
  readonly times: number;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

export type ShopOptions = {
  /** 0 takes any free port. */
  readonly port: number;
  readonly clock?: () => number;
  /** Sees each request for the Admin API, answered or not. */
  readonly onRequest?: (request: { readonly query: string; readonly variables: unknown }) => void;
};

export type ReturnOptions = WebhookOptions & {
  /** Which line of the order, from 0. */
  readonly line?: number;
  readonly quantity?: number;
  /** The enum's word, in capitals. */
  readonly reason?: string;
  /** A handle of the reason library, told by the API only. */
  readonly reasonHandle?: string;
  readonly customerNote?: string;
};

const domain = 'northfold.myshopify.com';
const accessToken = 'shpat_local_0123456789abcdef';
const webhookSecret = 'local-webhook-secret-0123456789abcdef';
const path = '/admin/api/2026-07/graphql.json';

const costOf = (query: string): number | undefined => {
  try {
    return queryCost(parse(query));
  } catch {
    return undefined;
  }
};

const execute = async (source: string, variables: Record<string, unknown>, rootValue: unknown): Promise<unknown> => {
  const cost = costOf(source) ?? 0;
  const extensions = {
    cost: {
      requestedQueryCost: cost,
      actualQueryCost: cost,
      throttleStatus: { maximumAvailable: 2000, currentlyAvailable: 2000 - cost, restoreRate: 100 },
    },
  };
  if (cost > mostPoints) {
    return {
      errors: [
        {
          message: `Query cost is ${cost}, which exceeds the single query max cost limit (${mostPoints}).`,
          extensions: { code: 'MAX_COST_EXCEEDED' },
        },
      ],
    };
  }
  return { ...(await graphql({ schema, source, rootValue, variableValues: variables })), extensions };
};

const answer = (
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
};

/** The return that a customer asks for in the shop: units of one line that has left it. */
const makeReturn = (order: ShopOrder, options: ReturnOptions, nextId: () => string, count: number): ShopReturn => {
  const line = order.lines[options.line ?? 0];
  const unit = order.fulfillments
    .filter(({ status }) => status === 'SUCCESS')
    .flatMap(({ units }) => units)
    .find(({ lineId }) => lineId === line?.id);
  if (line === undefined || unit === undefined)
    throw new Error(`order ${order.id} has no fulfilled line ${options.line ?? 0}`);
  const item: ShopReturnLine = {
    id: nextId(),
    unitId: unit.id,
    lineId: line.id,
    quantity: options.quantity ?? 1,
    reason: options.reason ?? 'SIZE_TOO_SMALL',
    reasonHandle: options.reasonHandle ?? null,
    customerNote: options.customerNote ?? null,
  };
  return { id: nextId(), name: `${order.name}-R${count}`, orderId: order.id, lines: [item] };
};

type Api = {
  readonly rootValue: unknown;
  readonly faults: Fault[];
  readonly onRequest: ShopOptions['onRequest'];
};

const serve = async (
  { rootValue, faults, onRequest }: Api,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const body = await buffer(request);
  if (request.method !== 'POST' || request.url !== path) return answer(response, 404, '{"errors":"Not Found"}');
  const { query, variables } = JSON.parse(body.toString()) as { query: string; variables: Record<string, unknown> };
  onRequest?.({ query, variables });
  const fault = faults.shift();
  if (fault !== undefined) {
    if (fault.times > 1) faults.unshift({ ...fault, times: fault.times - 1 });
    return answer(response, fault.status, fault.body ?? '{"errors":"Fault"}', fault.headers);
  }
  if (request.headers['x-shopify-access-token'] !== accessToken) {
    return answer(
      response,
      401,
      '{"errors":"[API] Invalid API key or access token (unrecognized login or wrong password)"}',
    );
  }
  return answer(response, 200, JSON.stringify(await execute(query, variables, rootValue)));
};

const listen = async (port: number, api: Api): Promise<Server> => {
  const server = createServer((request, response) => {
    serve(api, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return server;
};

/**
 * Starts a small shop for the local stack and for tests: Shopify's Admin GraphQL API over orders of its own, and the
 * webhook deliveries that those orders cause. Unknown fields, wrong tokens and too dear queries are refused as Shopify
 * refuses them.
 */
export const startShop = async ({ port, clock = Date.now, onRequest }: ShopOptions) => {
  const nextId = idSource(clock());
  const orders = new Map(makeOrders(clock(), nextId).map((order) => [order.id, order]));
  const returns = new Map<string, ShopReturn>();
  const faults: Fault[] = [];
  const server = await listen(port, { rootValue: root(orders, returns), faults, onRequest });
  const orderOf = (id: string): ShopOrder => {
    const order = orders.get(id);
    if (order === undefined) throw new Error(`there is no order ${id}`);
    return order;
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    shopDomain: domain,
    accessToken,
    webhookSecret,
    orderIds: [...orders.keys()],
    order: orderOf,
    /** A customer asks for a return: the shop keeps it and makes its `returns/request` delivery. */
    webhook: (orderId: string, options: ReturnOptions = {}) => {
      const found = makeReturn(orderOf(orderId), options, nextId, returns.size + 1);
      returns.set(found.id, found);
      const shop = { domain, secret: webhookSecret, now: clock() };
      return { ...deliveryOf(found, shop, options), returnGid: `gid://shopify/Return/${found.id}` };
    },
    /** The next requests are answered like this. */
    fail: (fault: Fault) => void faults.push(fault),
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

export type Shop = Awaited<ReturnType<typeof startShop>>;
