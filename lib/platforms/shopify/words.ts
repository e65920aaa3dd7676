import type { InspectionFinding, RemoteReturn } from '../shared/sync/remote-return.ts';

/*
 * Shopify's global ids, `gid://shopify/Order/5012345678901234567`. Ids are read from these texts and never from the
 * JSON numbers beside them, which lose their last digits above 2^53.
 * https://shopify.dev/docs/api/usage/gids
 */
export type GidKind = 'Order' | 'LineItem' | 'Return' | 'ReverseFulfillmentOrder' | 'Refund';

const form = /^gid:\/\/shopify\/(\w+)\/(\d{1,30})$/;

/** Whether a value is a global id of that kind. */
export const isGid = (value: unknown, kind: GidKind): value is string =>
  typeof value === 'string' && form.exec(value)?.[1] === kind;

/** The global id of these digits. */
export const gidOf = (kind: GidKind, digits: string): string => `gid://shopify/${kind}/${digits}`;

/** The digits of a global id: how the contract knows an order or a line. */
export const digitsOf = (gid: string): string => form.exec(gid)?.[2] ?? '';

/*
 * Shopify's words for the life of a return, in ours; those for why something comes back are in reasons.ts. Words that
 * are not here have been added since, and are taken for the one that says least.
 */

/** https://shopify.dev/docs/api/admin-graphql/2026-07/enums/ReturnStatus */
export const statuses: Readonly<Record<string, RemoteReturn['status']>> = {
  REQUESTED: 'requested',
  OPEN: 'approved',
  DECLINED: 'rejected',
  CANCELED: 'cancelled',
  CLOSED: 'completed',
};

/** https://shopify.dev/docs/api/admin-graphql/2026-07/enums/ReturnDeclineReason */
export const rejectionCodes: Readonly<Record<string, string>> = {
  FINAL_SALE: 'final_sale',
  RETURN_PERIOD_ENDED: 'window_expired',
  OTHER: 'other',
};

/**
 * What units are that somebody in the shop has disposed of: where there is no finding, nobody has looked at them yet.
 * https://shopify.dev/docs/api/admin-graphql/2026-07/enums/ReverseFulfillmentOrderDispositionType
 */
export const dispositions: Readonly<
  Record<string, { readonly came: boolean; readonly found?: Omit<InspectionFinding, 'quantity'> }>
> = {
  RESTOCKED: { came: true, found: { outcome: 'accept', disposition: 'restock' } },
  NOT_RESTOCKED: { came: true, found: { outcome: 'accept', disposition: 'quarantine' } },
  PROCESSING_REQUIRED: { came: true },
  MISSING: { came: false },
};
