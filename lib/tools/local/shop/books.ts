import { idSource, makeOrders, type ShopOrder } from './orders.ts';
import { newProfiles, type ShopProfile } from './return-rules.ts';
import {
  makeReturn,
  type Move,
  moved,
  type ReturnOptions,
  type ShopEdit,
  type ShopRefund,
  type ShopReturn,
  type Writes,
} from './returns.ts';

/** A request to cancel an order, as the shop got it. */
export type CancelRequest = {
  readonly orderId: string;
  readonly reason: string;
  readonly restock: boolean;
  readonly refundMethod?: { readonly originalPaymentMethodsRefund?: boolean };
};

/** The cancelled orders, and the jobs that cancel them. */
export type Cancellations = {
  /** The time of the cancellation, once its job has run. */
  readonly at: (orderId: string) => string | null;
  readonly start: (request: CancelRequest) => void;
};

/** The data of the shop. */
export type Books = {
  readonly orders: ReadonlyMap<string, ShopOrder>;
  readonly returns: ReadonlyMap<string, ShopReturn>;
  readonly refunds: ReadonlyMap<string, ShopRefund>;
  readonly edits: ReadonlyMap<string, ShopEdit>;
  /** The scopes of the app. */
  readonly scopes: ReadonlySet<string>;
  readonly cancellations: Cancellations;
  readonly profiles: readonly ShopProfile[];
  /** Returns the last change of an order, including its returns and refunds. */
  readonly updatedAt: (order: ShopOrder) => string;
};

/** Returns the number in a global id of a kind; empty for any other text. */
export const idIn = (gid: string, kind: string) => new RegExp(`^gid://shopify/${kind}/(\\d+)$`).exec(gid)?.[1] ?? '';

/** @throws {Error} where the shop has no such order */
export const orderIn = ({ orders }: Books, id: string): ShopOrder => {
  const order = orders.get(id);
  if (order === undefined) throw new Error(`there is no order ${id}`);
  return order;
};

/** @throws {Error} where the shop has no such return */
export const returnIn = ({ returns }: Books, id: string): ShopReturn => {
  const found = returns.get(id);
  if (found === undefined) throw new Error(`there is no return ${id}`);
  return found;
};

/** @throws {Error} where the shop has no such refund */
export const refundIn = ({ refunds }: Books, id: string): ShopRefund => {
  const found = refunds.get(id);
  if (found === undefined) throw new Error(`there is no refund ${id}`);
  return found;
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

const cancelError = (code: string, message: string) => ({
  job: null,
  orderCancelUserErrors: [{ code, field: ['orderId'], message }],
});

/** Starts a job that cancels an order. Like Shopify, it rejects a cancelled order, and one with sent units. */
export const cancelOrder = (books: Books, request: CancelRequest): object => {
  const orderId = idIn(request.orderId, 'Order');
  const order = books.orders.get(orderId);
  if (order === undefined) return cancelError('NOT_FOUND', 'Order does not exist');
  if (books.cancellations.at(orderId) !== null) return cancelError('INVALID', 'Order has already been cancelled');
  if (order.fulfillments.some(({ status }) => status === 'SUCCESS'))
    return cancelError('INVALID', 'Order has fulfillments');
  books.cancellations.start({ ...request, orderId });
  return { job: { id: `gid://shopify/Job/${orderId}`, done: false }, orderCancelUserErrors: [] };
};

export const gidOf = ({ id }: ShopReturn): string => `gid://shopify/Return/${id}`;

/** Opens the data of the shop, and its changes. */
export const openBooks = (clock: () => number, count?: number) => {
  const nextId = idSource(clock());
  const orders = new Map(makeOrders(clock(), nextId, count).map((order) => [order.id, order]));
  const returns = new Map<string, ShopReturn>();
  const refunds = new Map<string, ShopRefund>();
  const edits = new Map<string, ShopEdit>();
  const changes = new Map<string, string>();
  const scopes = new Set([
    'read_orders',
    'read_all_orders',
    'read_returns',
    'read_customers',
    'read_products',
    'read_legal_policies',
    'read_markets',
  ]);
  const cancellations = openCancellations(clock);
  const profiles = newProfiles();
  const books: Books = {
    orders,
    cancellations,
    returns,
    refunds,
    edits,
    scopes,
    profiles,
    updatedAt: ({ id, processedAt }) => changes.get(id) ?? processedAt,
  };
  const source = () => ({ nextId, now: new Date(clock()).toISOString() });
  const orderOf = (id: string): ShopOrder => orderIn(books, id);
  const returnOf = (gid: string): ShopReturn => returnIn(books, gid.split('/').at(-1) ?? '');
  const writes: Writes = {
    source,
    putReturn: (found) => {
      returns.set(found.id, found);
      changes.set(found.orderId, source().now);
    },
    putRefund: (refund) => {
      refunds.set(refund.id, refund);
      changes.set(refund.orderId, refund.createdAt);
    },
    keys: new Map(),
    gateway: { status: 'SUCCESS' },
  };
  return {
    books,
    writes,
    scopes,
    cancellations,
    profiles,
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
