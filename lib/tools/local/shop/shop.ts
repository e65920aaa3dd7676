import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { defaultFieldResolver, graphql, GraphQLError, type GraphQLFieldResolver, parse } from 'graphql';
import { closeServer, listen } from '../ports.ts';
import { type LateRequests, openLateRequests } from '../shops/late-requests.ts';
import { type Books, gidOf, openBooks, type RefundOptions } from './books.ts';
import { root } from './graph.ts';
import { maxPoints, queryCost } from './query-cost.ts';
import { returnRulesScopes } from './return-rules.ts';
import type { Move, ReturnOptions } from './returns.ts';
import { schema } from './schema.ts';
import { openSubscriptions, type SubscriptionBooks } from './subscriptions.ts';
import { interrupt, type WriteFault } from './write-faults.ts';
import { type Mutations, mutationsOf } from './writes.ts';
import { deliveryOf, editBody, moveMessage, refundBody, returnBody } from './webhook.ts';

/** An error response of the shop, for a number of requests. */
export type Fault = {
  readonly times: number;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

export type ShopOptions = {
  /** 0 selects any free port. */
  readonly port: number;
  readonly clock?: () => number;
  /**
   * The number of usual orders, in addition to the large one.
   * @default 24
   */
  readonly orders?: number;
  /** Receives each request for the Admin API, before its response. */
  readonly onRequest?: (request: { readonly query: string; readonly variables: unknown }) => void;
};

const domain = 'northfold.myshopify.com';
const accessToken = 'shpat_local_0123456789abcdef';
const webhookSecret = 'local-webhook-secret-0123456789abcdef';
const path = '/admin/api/2026-10/graphql.json';

const costOf = (query: string): number | undefined => {
  try {
    return queryCost(parse(query));
  } catch {
    return undefined;
  }
};

/** The fields that need a scope of their own. https://shopify.dev/docs/api/usage/access-scopes */
const fieldScopes: Readonly<Record<string, string>> = {
  'Order.customer': 'read_customers',
  'LineItem.product': 'read_products',
  'QueryRoot.order': 'read_orders',
  'QueryRoot.orders': 'read_orders',
  'Mutation.orderCancel': 'write_orders',
  'Mutation.refundCreate': 'write_orders',
  'Mutation.returnApproveRequest': 'write_returns',
  'Mutation.returnDeclineRequest': 'write_returns',
  'Mutation.returnCancel': 'write_returns',
  'Mutation.returnClose': 'write_returns',
  'Mutation.returnCreate': 'write_returns',
  'Mutation.returnProcess': 'write_returns',
  'Mutation.reverseDeliveryCreateWithShipping': 'write_returns',
  'QueryRoot.return': 'read_returns',
  'QueryRoot.reverseFulfillmentOrder': 'read_returns',
  ...returnRulesScopes,
};

/** Returns a resolver that denies fields without a scope, in Shopify's words. */
const resolverOf =
  ({ scopes }: Pick<Books, 'scopes'>): GraphQLFieldResolver<unknown, unknown> =>
  (source, parameters, context, info) => {
    const scope = fieldScopes[`${info.parentType.name}.${info.fieldName}`];
    if (scope === undefined || scopes.has(scope)) return defaultFieldResolver(source, parameters, context, info);
    const message = `Access denied for ${info.fieldName} field. Required access: \`${scope}\` access scope.`;
    const documentation = 'https://shopify.dev/api/usage/access-scopes';
    throw new GraphQLError(message, { extensions: { code: 'ACCESS_DENIED', documentation } });
  };

type Data = { readonly books: Books; readonly mutations: Mutations; readonly subscriptions: SubscriptionBooks };

const execute = async (
  source: string,
  variables: Record<string, unknown>,
  { books, mutations, subscriptions }: Data,
): Promise<unknown> => {
  const cost = costOf(source) ?? 0;
  const extensions = {
    cost: {
      requestedQueryCost: cost,
      actualQueryCost: cost,
      throttleStatus: { maximumAvailable: 2000, currentlyAvailable: 2000 - cost, restoreRate: 100 },
    },
  };
  if (cost > maxPoints) {
    return {
      errors: [
        {
          message: `Query cost is ${cost}, which exceeds the single query max cost limit (${maxPoints}).`,
          extensions: { code: 'MAX_COST_EXCEEDED' },
        },
      ],
    };
  }
  const fieldResolver = resolverOf(books);
  const rootValue = root(books, mutations, subscriptions);
  return {
    ...(await graphql({ schema, source, rootValue, variableValues: variables, fieldResolver })),
    extensions,
  };
};

const answer = (
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
};

type Api = Data & {
  readonly faults: Fault[];
  readonly writeFaults: WriteFault[];
  readonly late: LateRequests;
  readonly clock: () => number;
  readonly onRequest: ShopOptions['onRequest'];
};

const serve = async (
  { faults, writeFaults, late, clock, onRequest, ...data }: Api,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const body = await buffer(request);
  if (request.method !== 'POST' || request.url !== path) return answer(response, 404, '{"errors":"Not Found"}');
  const { query, variables } = JSON.parse(body.toString()) as { query: string; variables: Record<string, unknown> };
  onRequest?.({ query, variables });
  await late.carryOut(clock());
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
  const run = async () => execute(query, variables, data);
  const writeFault = query.startsWith('mutation') ? writeFaults.shift() : undefined;
  if (writeFault === undefined) return answer(response, 200, JSON.stringify(await run()));
  const answered = await interrupt(writeFault, run, late, clock());
  if (answered === undefined) response.destroy();
  else answer(response, ...answered);
};

const startServer = async (port: number, api: Api): Promise<{ readonly server: Server; readonly url: string }> => {
  const server = createServer((request, response) => {
    serve(api, request, response).catch(() => response.destroy());
  });
  return { server, url: await listen(server, port) };
};

/**
 * Starts a small shop for the local stack and for tests. It has Shopify's Admin GraphQL API over its own orders, and
 * the webhook deliveries of its changes. It rejects unknown fields, wrong tokens and too expensive queries like
 * Shopify.
 */
export const startShop = async ({ port, clock = Date.now, orders, onRequest }: ShopOptions) => {
  const { books, writes, scopes, cancellations, profiles, orderOf, sell, add, move, refund, settle, edit, answerEdit } =
    openBooks(clock, orders);
  const faults: Fault[] = [];
  const writeFaults: WriteFault[] = [];
  const late = openLateRequests();
  const mutations = mutationsOf(books, writes);
  const subscriptions = openSubscriptions();
  const data = { books, mutations, subscriptions };
  const { server, url } = await startServer(port, { ...data, faults, writeFaults, late, clock, onRequest });
  const makeDelivery = (topic: string, body: object) =>
    deliveryOf(topic, body, { domain, secret: webhookSecret, now: clock() });
  return {
    url,
    shopDomain: domain,
    accessToken,
    webhookSecret,
    orderIds: [...books.orders.keys()],
    order: orderOf,
    hasOrder: (orderId: string): boolean => books.orders.has(orderId),
    /** Adds a number of orders, sent or not, and returns their ids. */
    sell,
    /**
     * Creates a customer's return and returns its `returns/request` delivery. With `thin`, the delivery has no lines,
     * like the documented sample.
     */
    webhook: (orderId: string, { thin = false, ...options }: ReturnOptions & { readonly thin?: boolean } = {}) => {
      const found = add(orderId, options, 'customer');
      return { ...makeDelivery('returns/request', returnBody(found, thin)), returnGid: gidOf(found) };
    },
    /** Creates a return by staff, which is open at once and has no delivery. */
    makeReturn: (orderId: string, options: ReturnOptions = {}) => gidOf(add(orderId, options, 'staff')),
    /** Changes a return, and returns the delivery. */
    move: (returnGid: string, what: Move) => {
      const { topic, body } = moveMessage(move(returnGid, what), what);
      return makeDelivery(topic, body);
    },
    /** Refunds money, with or without a return, and returns the delivery. */
    refund: (orderId: string, returnGid: string | null, options: RefundOptions) =>
      makeDelivery('refunds/create', refundBody(refund(orderId, returnGid, options), orderOf(orderId))),
    /** A consumer asks to remove units of lines, by index. Returns the id of the request and its delivery. */
    requestEdit: (orderId: string, lines: readonly (readonly [line: number, quantity: number])[]) => {
      const requested = edit(orderId, lines);
      return { id: requested.id, ...makeDelivery('requested_order_edit/created', editBody(requested)) };
    },
    /** The shop answers a request, and returns the delivery. */
    answerEdit: (id: string, status: 'RESOLVED' | 'DECLINED') =>
      makeDelivery(`requested_order_edit/${status.toLowerCase()}`, editBody(answerEdit(id, status))),
    /** Lets the pending transactions of an order's refunds succeed. Shopify sends no delivery of a refund for it. */
    settle,
    /** The scopes of the app, and the return policy profiles, which a test may change. */
    scopes,
    profiles,
    /** The subscriptions of the app, and the supported versions of the API. */
    subscriptions,
    /** The cancelled orders, and the requests for it. */
    cancellations,
    /** Makes the next requests fail with this response. */
    fail: (fault: Fault) => void faults.push(fault),
    /** Lets something happen to the next mutation. */
    failWrite: (fault: WriteFault) => void writeFaults.push(fault),
    /** Lets nothing more happen to mutations. */
    forgetFaults: () => void writeFaults.splice(0),
    /** Runs the mutations whose answer was lost before, also those whose time has not come. */
    runLate: async () => late.carryOut(Number.POSITIVE_INFINITY),
    /** The status of the transactions of new refunds. */
    gateway: writes.gateway,
    /** The returns and refunds of an order. */
    ledger: (orderId: string) => ({
      returns: [...books.returns.values()].filter((found) => found.orderId === orderId),
      refunds: [...books.refunds.values()].filter((refund) => refund.orderId === orderId),
    }),
    close: async () => closeServer(server),
  };
};

export type Shop = Awaited<ReturnType<typeof startShop>>;
