import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { defaultFieldResolver, graphql, GraphQLError, type GraphQLFieldResolver, parse } from 'graphql';
import { listen } from '../ports.ts';
import { type Books, type CancelRequest, maxPoints, queryCost, root } from './graph.ts';
import { idSource, makeOrders, type ShopOrder } from './orders.ts';
import {
  makeReturn,
  type Move,
  moved,
  type ReturnOptions,
  type ShopEdit,
  type ShopRefund,
  type ShopReturn,
} from './returns.ts';
import { schema } from './schema.ts';
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

/** A refund of the shop for units of one line of an order. */
export type RefundOptions = {
  readonly amount: string | null;
  readonly status?: ShopRefund['status'];
  readonly pending?: string;
  readonly line?: number;
  readonly quantity?: number;
  readonly subtotal?: string;
  readonly shipping?: string;
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
  'QueryRoot.return': 'read_returns',
  'QueryRoot.reverseFulfillmentOrder': 'read_returns',
};

/** Denies fields without a scope, in Shopify's words. */
const resolverOf =
  ({ scopes }: Pick<Books, 'scopes'>): GraphQLFieldResolver<unknown, unknown> =>
  (source, parameters, context, info) => {
    const scope = fieldScopes[`${info.parentType.name}.${info.fieldName}`];
    if (scope === undefined || scopes.has(scope)) return defaultFieldResolver(source, parameters, context, info);
    const message = `Access denied for ${info.fieldName} field. Required access: \`${scope}\` access scope.`;
    const documentation = 'https://shopify.dev/api/usage/access-scopes';
    throw new GraphQLError(message, { extensions: { code: 'ACCESS_DENIED', documentation } });
  };

const execute = async (source: string, variables: Record<string, unknown>, books: Books): Promise<unknown> => {
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
  return {
    ...(await graphql({ schema, source, rootValue: root(books), variableValues: variables, fieldResolver })),
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

type Api = {
  readonly books: Books;
  readonly faults: Fault[];
  readonly onRequest: ShopOptions['onRequest'];
};

const serve = async (
  { books, faults, onRequest }: Api,
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
  return answer(response, 200, JSON.stringify(await execute(query, variables, books)));
};

const startServer = async (port: number, api: Api): Promise<{ readonly server: Server; readonly url: string }> => {
  const server = createServer((request, response) => {
    serve(api, request, response).catch(() => response.destroy());
  });
  return { server, url: await listen(server, port) };
};

/** Opens the cancellations of the shop. A job runs at once, or when the test releases it. */
const openCancellations = (clock: () => number) => {
  const done = new Map<string, string>();
  const requests: CancelRequest[] = [];
  let held: string[] | undefined;
  const run = (orderId: string) => void done.set(orderId, new Date(clock()).toISOString());
  return {
    /** The requests until now. */
    requests: requests as readonly CancelRequest[],
    at: (orderId: string) => done.get(orderId) ?? null,
    start: (request: CancelRequest) => {
      requests.push(request);
      if (held === undefined) run(request.orderId);
      else held.push(request.orderId);
    },
    /** Holds the jobs that start from now on. */
    hold: () => void (held ??= []),
    /** Runs the held jobs. */
    release: () => {
      for (const orderId of held ?? []) run(orderId);
      held = undefined;
    },
  };
};

const gidOf = ({ id }: ShopReturn): string => `gid://shopify/Return/${id}`;

/** Opens the data of the shop, and its changes. */
const openBooks = (clock: () => number, count?: number) => {
  const nextId = idSource(clock());
  const orders = new Map(makeOrders(clock(), nextId, count).map((order) => [order.id, order]));
  const returns = new Map<string, ShopReturn>();
  const refunds = new Map<string, ShopRefund>();
  const edits = new Map<string, ShopEdit>();
  const changes = new Map<string, string>();
  const scopes = new Set(['read_orders', 'read_all_orders', 'read_returns', 'read_customers', 'read_products']);
  const cancellations = openCancellations(clock);
  const books: Books = {
    orders,
    cancellations,
    returns,
    refunds,
    edits,
    scopes,
    updatedAt: ({ id, processedAt }) => changes.get(id) ?? processedAt,
  };
  const source = () => ({ nextId, now: new Date(clock()).toISOString() });
  const orderOf = (id: string): ShopOrder => {
    const order = orders.get(id);
    if (order === undefined) throw new Error(`there is no order ${id}`);
    return order;
  };
  const returnOf = (gid: string): ShopReturn => {
    const found = returns.get(gid.split('/').at(-1) ?? '');
    if (found === undefined) throw new Error(`there is no return ${gid}`);
    return found;
  };
  return {
    books,
    scopes,
    cancellations,
    orderOf,
    sell: (count: number, { isSent = true }: { readonly isSent?: boolean } = {}): string[] => {
      const sold = makeOrders(clock(), nextId, count).slice(0, count);
      for (const order of sold) orders.set(order.id, isSent ? order : { ...order, fulfillments: [] });
      return sold.map(({ id }) => id);
    },
    add: (orderId: string, options: ReturnOptions, by: 'customer' | 'staff'): ShopReturn => {
      const found = makeReturn(orderOf(orderId), options, source(), by);
      returns.set(found.id, found);
      changes.set(orderId, found.createdAt);
      return found;
    },
    move: (gid: string, move: Move): ShopReturn => {
      const at = source();
      const next = moved(returnOf(gid), move, at);
      returns.set(next.id, next);
      changes.set(next.orderId, at.now);
      return next;
    },
    refund: (orderId: string, returnGid: string | null, options: RefundOptions): ShopRefund => {
      const { amount, status = 'SUCCESS', line = 0, quantity = 1, subtotal = amount, shipping = null } = options;
      const { pending = null } = options;
      const lineId = orderOf(orderId).lines[line]?.id;
      const { now } = source();
      const refund: ShopRefund = {
        id: nextId(),
        orderId,
        returnId: returnGid === null ? null : returnOf(returnGid).id,
        createdAt: now,
        amount,
        status,
        pending,
        lines:
          lineId === undefined || subtotal === null || quantity === 0
            ? []
            : [{ lineId, quantity, subtotal, tax: '0.0' }],
        shipping,
      };
      refunds.set(refund.id, refund);
      changes.set(orderId, now);
      return refund;
    },
    edit: (orderId: string, lines: readonly (readonly [line: number, quantity: number])[]): ShopEdit => {
      const { now } = source();
      const removals = lines.map(([line, quantity]) => ({ lineId: orderOf(orderId).lines[line]?.id ?? '0', quantity }));
      const edit: ShopEdit = { id: nextId(), orderId, status: 'REQUESTED', requestedAt: now, removals };
      edits.set(edit.id, edit);
      changes.set(orderId, now);
      return edit;
    },
    answerEdit: (id: string, status: 'RESOLVED' | 'DECLINED'): ShopEdit => {
      const edit = edits.get(id);
      if (edit === undefined) throw new Error(`there is no request ${id}`);
      const answered: ShopEdit = { ...edit, status };
      edits.set(id, answered);
      changes.set(edit.orderId, source().now);
      return answered;
    },
    settle: (orderId: string): void => {
      for (const refund of refunds.values()) {
        const { id, amount, pending } = refund;
        if (refund.orderId !== orderId || pending === null) continue;
        refunds.set(id, { ...refund, amount: (Number(amount) + Number(pending)).toFixed(2), pending: null });
      }
      changes.set(orderId, source().now);
    },
  };
};

/**
 * Starts a small shop for the local stack and for tests. It has Shopify's Admin GraphQL API over its own orders, and
 * the webhook deliveries of its changes. It rejects unknown fields, wrong tokens and too expensive queries like
 * Shopify.
 */
export const startShop = async ({ port, clock = Date.now, orders, onRequest }: ShopOptions) => {
  const { books, scopes, cancellations, orderOf, sell, add, move, refund, settle, edit, answerEdit } = openBooks(
    clock,
    orders,
  );
  const faults: Fault[] = [];
  const { server, url } = await startServer(port, { books, faults, onRequest });
  const makeDelivery = (topic: string, body: object) =>
    deliveryOf(topic, body, { domain, secret: webhookSecret, now: clock() });
  return {
    url,
    shopDomain: domain,
    accessToken,
    webhookSecret,
    orderIds: [...books.orders.keys()],
    order: orderOf,
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
    /** The scopes of the app, which a test may change. */
    scopes,
    /** The cancelled orders, and the requests for it. */
    cancellations,
    /** Makes the next requests fail with this response. */
    fail: (fault: Fault) => void faults.push(fault),
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

export type Shop = Awaited<ReturnType<typeof startShop>>;
