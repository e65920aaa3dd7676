/*
 * The types of Medusa 2, as its source has them (packages/medusa/src/api/admin). They have the members that the adapter
 * reads or sends.
 */

export type ReturnStatus = 'open' | 'requested' | 'partially_received' | 'received' | 'canceled';

export type ReturnReason = { readonly id: string; readonly value: string; readonly label: string };

/** A return in a list. */
export type ReturnHead = {
  readonly id: string;
  /** The number that staff sees. */
  readonly display_id: number;
  /** `open`: begun, and not confirmed. It has no items until it is `requested`. */
  readonly status: ReturnStatus;
  readonly order_id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly requested_at: string | null;
  readonly received_at: string | null;
};

export type ListedReturn = ReturnHead & {
  readonly items: readonly { readonly quantity: number; readonly item: { readonly variant_sku: string | null } }[];
};

export type ReturnItem = {
  readonly id: string;
  /** The id of the order's line item. A receipt names it, and not the item of the return. */
  readonly item_id: string;
  readonly quantity: number;
  readonly received_quantity: number;
  readonly note: string | null;
  readonly reason: Omit<ReturnReason, 'id'> | null;
  readonly item: { readonly variant_sku: string | null };
};

export type MedusaReturn = ReturnHead & {
  readonly canceled_at: string | null;
  readonly order: {
    readonly display_id: number;
    readonly email: string | null;
    readonly customer_id: string | null;
  };
  readonly items: readonly ReturnItem[];
};

export type ReturnAnswer = { readonly return: MedusaReturn };

export type BegunReturn = { readonly return: { readonly id: string } };

export type ReturnsPage = {
  readonly returns: readonly ListedReturn[];
  readonly count: number;
};

export type Reasons = { readonly return_reasons: readonly ReturnReason[] };

/** A change of an order. An order has at most one that is not confirmed yet. */
export type OrderChange = {
  readonly status: 'pending' | 'requested' | 'confirmed' | 'declined' | 'canceled';
  readonly change_type: string | null;
  readonly return_id: string | null;
  readonly description: string | null;
  readonly created_at: string;
  readonly actions: readonly { readonly action: string }[];
};

export type OrderChanges = { readonly order_changes: readonly OrderChange[] };

export type OrderLocations = {
  readonly order: {
    readonly fulfillments: readonly { readonly location_id: string | null; readonly canceled_at: string | null }[];
  };
};

/** An error. Its type is coarse, so only its message says what is wrong. */
export type MedusaError = { readonly type?: string; readonly message?: string };
