import type { SeenRefund, SeenReturn } from '../shared/sync/seen.ts';

/*
 * The return app's words for the life of a request, in ours. What comes after a verified package is in the request's
 * `refundData`, not in its status.
 * https://github.com/vtex-apps/return-app/blob/main/docs/README.md
 */
export const statuses: Readonly<Record<string, SeenReturn['status']>> = {
  new: 'requested',
  processing: 'approved',
  pickedUpFromClient: 'approved',
  pendingVerification: 'approved',
  packageVerified: 'approved',
  amountRefunded: 'completed',
  denied: 'rejected',
  cancelled: 'cancelled',
};

/** Statuses that a request has only once its goods were there. */
export const arrived: ReadonlySet<unknown> = new Set(['pendingVerification', 'packageVerified', 'amountRefunded']);

/** Statuses that a request has only once somebody has looked at its goods. */
export const verified: ReadonlySet<unknown> = new Set(['packageVerified', 'amountRefunded']);

/** How the customer wants the money; `sameAsPurchase` and `card` go the way that it came. */
export const methods: Readonly<Record<string, SeenRefund['method']>> = {
  bank: 'bank_transfer',
  giftCard: 'gift_card',
};
