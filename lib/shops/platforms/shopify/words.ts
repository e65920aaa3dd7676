import type { InspectionFinding, RemoteReturn } from '../shared/sync/remote-return.ts';

/*
 * Shopify's global ids, `gid://shopify/Order/5012345678901234567`. Ids are read from these texts, never from the JSON
 * numbers, which lose their last digits above 2^53.
 * https://shopify.dev/docs/api/usage/gids
 */
export type GidKind = 'Order' | 'LineItem' | 'Return' | 'ReverseFulfillmentOrder' | 'Refund' | 'Location';

const form = /^gid:\/\/shopify\/(\w+)\/(\d{1,30})$/;

/** Whether a value is a global id of that kind. */
export const isGid = (value: unknown, kind: GidKind): value is string =>
  typeof value === 'string' && form.exec(value)?.[1] === kind;

/** Returns the global id of these digits. */
export const gidOf = (kind: GidKind, digits: string): string => `gid://shopify/${kind}/${digits}`;

/** Returns the digits of a global id, which are the id of an order or line in the contract. */
export const digitsOf = (gid: string): string => form.exec(gid)?.[2] ?? '';

/*
 * Shopify's words for the status of a return, by ours; those for reasons are in return.ts. Unknown newer words count as
 * the weakest one.
 */

/** https://shopify.dev/docs/api/admin-graphql/2026-10/enums/ReturnStatus */
export const statuses: Readonly<Record<string, RemoteReturn['status']>> = {
  REQUESTED: 'requested',
  OPEN: 'approved',
  DECLINED: 'rejected',
  CANCELED: 'cancelled',
  CLOSED: 'completed',
};

/** https://shopify.dev/docs/api/admin-graphql/2026-10/enums/ReturnDeclineReason */
export const rejectionCodes: Readonly<Record<string, string>> = {
  FINAL_SALE: 'final_sale',
  RETURN_PERIOD_ENDED: 'window_expired',
  OTHER: 'other',
};

/**
 * The meaning of disposed units.
 * Without a finding, they are not inspected yet.
 * https://shopify.dev/docs/api/admin-graphql/2026-10/enums/ReverseFulfillmentOrderDispositionType
 */
export const dispositions: Readonly<
  Record<string, { readonly came: boolean; readonly found?: Omit<InspectionFinding, 'quantity'> }>
> = {
  RESTOCKED: { came: true, found: { outcome: 'accept', disposition: 'restock' } },
  NOT_RESTOCKED: { came: true, found: { outcome: 'accept', disposition: 'quarantine' } },
  PROCESSING_REQUIRED: { came: true },
  MISSING: { came: false },
};
