import type { ShopOrder } from './orders.ts';

/* The returns and refunds of the local shop, and their changes by Shopify's mutations. */

export type DispositionType = 'MISSING' | 'NOT_RESTOCKED' | 'PROCESSING_REQUIRED' | 'RESTOCKED';
type Disposition = { readonly id: string; readonly type: DispositionType; readonly quantity: number };

export type ShopReturnLine = {
  readonly id: string;
  readonly unitId: string;
  readonly lineId: string;
  readonly quantity: number;
  /** The units that `returnProcess` has processed. */
  readonly processed: number;
  readonly reason: string;
  readonly reasonHandle: string | null;
  readonly customerNote: string | null;
  /** The note of who created the return. */
  readonly note?: string;
  /** The id of its line in the reverse fulfillment order. */
  readonly reverseId: string;
  readonly dispositions: readonly Disposition[];
};

type Delivery = {
  readonly id: string;
  readonly tracking: { readonly carrierName: string; readonly number: string; readonly url: string | null };
  readonly labelUrl: string | null;
  /** Its units. Absent: those of all lines. */
  readonly lines?: readonly { readonly reverseId: string; readonly quantity: number }[];
};

/** A new item for returned ones. Without a price, the shop does not show its line. */
type NewItem = {
  readonly id: string;
  readonly quantity: number;
  readonly sku: string;
  readonly unitPrice?: string;
  readonly discounts?: readonly string[];
  readonly taxes?: readonly string[];
};

export type ShopReturn = {
  readonly id: string;
  readonly name: string;
  readonly orderId: string;
  readonly status: 'REQUESTED' | 'OPEN' | 'DECLINED' | 'CANCELED' | 'CLOSED';
  readonly createdAt: string;
  readonly requestApprovedAt: string | null;
  readonly closedAt: string | null;
  readonly decline: { readonly reason: string; readonly note: string | null } | null;
  /** The id of its reverse fulfillment order, which exists when the return was opened. */
  readonly reverseOrderId: string | null;
  readonly lines: readonly ShopReturnLine[];
  readonly deliveries: readonly Delivery[];
  /** New items for the returned ones. */
  readonly exchanges: readonly NewItem[];
};

export type ShopRefund = {
  readonly id: string;
  readonly orderId: string;
  readonly returnId: string | null;
  readonly createdAt: string;
  /** The refunded amount, in the currency of the order; null when no money has moved. */
  readonly amount: string | null;
  readonly status: 'SUCCESS' | 'PENDING' | 'FAILURE';
  /** The amount of a second transaction that is still pending. */
  readonly pending: string | null;
  readonly lines: readonly {
    readonly lineId: string;
    readonly quantity: number;
    readonly subtotal: string;
    readonly tax: string;
  }[];
  readonly shipping: string | null;
  readonly note?: string | null;
};

/** A request of a consumer to remove units from an order. */
export type ShopEdit = {
  readonly id: string;
  readonly orderId: string;
  readonly status: 'REQUESTED' | 'RESOLVED' | 'DECLINED';
  readonly requestedAt: string;
  readonly removals: readonly { readonly lineId: string; readonly quantity: number }[];
};

export type ReturnOptions = {
  /** The index of the order line, from 0. */
  readonly line?: number;
  readonly quantity?: number;
  /** A value of the enum, in capitals. */
  readonly reason?: string;
  /** A handle of the reason library; only the API has it. */
  readonly reasonHandle?: string;
  readonly customerNote?: string;
};

/** A change of a return in the shop. */
export type Move =
  | { readonly do: 'approve' | 'cancel' | 'close' | 'reopen' | 'process' }
  | { readonly do: 'decline'; readonly reason: string; readonly note?: string }
  | { readonly do: 'attach'; readonly number: string; readonly url?: string }
  | { readonly do: 'dispose'; readonly type: DispositionType; readonly quantity: number }
  | { readonly do: 'remove'; readonly quantity: number }
  | ({ readonly do: 'exchange' } & Omit<NewItem, 'id'>);

export type Source = { readonly nextId: () => string; readonly now: string };

/** Changes of the shop's data by a mutation. */
export type Writes = {
  readonly source: () => Source;
  readonly putReturn: (found: ShopReturn) => void;
  readonly putRefund: (refund: ShopRefund) => void;
  /** The refunds by the key of their request, with its parameters. */
  readonly keys: Map<
    string,
    { readonly input: string; readonly refundId: string | undefined; readonly error?: string }
  >;
  /** The status of the transactions of new refunds. A gateway may take its time, or fail. */
  readonly gateway: { status: ShopRefund['status'] };
};

/** Creates a return of units of one shipped line, by a customer or by staff. */
export const makeReturn = (
  order: ShopOrder,
  options: ReturnOptions,
  { nextId, now }: Source,
  by: 'customer' | 'staff',
): ShopReturn => {
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
    processed: 0,
    reason: options.reason ?? 'SIZE_TOO_SMALL',
    reasonHandle: options.reasonHandle ?? null,
    customerNote: options.customerNote ?? null,
    reverseId: nextId(),
    dispositions: [],
  };
  const id = nextId();
  return {
    id,
    name: `${order.name}-R${id}`,
    orderId: order.id,
    status: by === 'staff' ? 'OPEN' : 'REQUESTED',
    createdAt: now,
    requestApprovedAt: null,
    closedAt: null,
    decline: null,
    reverseOrderId: by === 'staff' ? nextId() : null,
    lines: [item],
    deliveries: [],
    exchanges: [],
  };
};

const changed = (found: ShopReturn, change: (line: ShopReturnLine) => Partial<ShopReturnLine>): ShopReturn => ({
  ...found,
  lines: found.lines.map((line, index) => (index === 0 ? { ...line, ...change(line) } : line)),
});

/** Applies a change to a return. It does not check what Shopify would reject: tests make only valid changes. */
export const moved = (found: ShopReturn, move: Move, { nextId, now }: Source): ShopReturn => {
  switch (move.do) {
    case 'approve':
      return { ...found, status: 'OPEN', requestApprovedAt: now, reverseOrderId: nextId() };
    case 'decline':
      return { ...found, status: 'DECLINED', decline: { reason: move.reason, note: move.note ?? null } };
    case 'cancel':
      return { ...found, status: 'CANCELED' };
    case 'close':
      return { ...found, status: 'CLOSED', closedAt: now };
    case 'reopen':
      return { ...found, status: 'OPEN', closedAt: null };
    case 'attach': {
      const tracking = { carrierName: 'DHL', number: move.number, url: move.url ?? null };
      return { ...found, deliveries: [...found.deliveries, { id: nextId(), tracking, labelUrl: null }] };
    }
    case 'dispose': {
      const { type, quantity } = move;
      return changed(found, ({ dispositions }) => ({
        dispositions: [...dispositions, { id: nextId(), type, quantity }],
      }));
    }
    case 'remove':
      return changed(found, ({ quantity }) => ({ quantity: quantity - move.quantity }));
    case 'exchange': {
      const { do: _, ...item } = move;
      return { ...found, exchanges: [...found.exchanges, { id: nextId(), ...item }] };
    }
    case 'process':
      // Sets no disposition: staff may do that in the same step, but need not.
      return changed(found, ({ quantity }) => ({ processed: quantity }));
  }
};
