/*
 * Closed lists of values on the wire, without schemas: code that runs in a browser reads them too.
 */

/** The statuses of a return, in the order of its life. */
export const statuses = [
  'requested',
  'info_requested',
  'approved',
  'in_transit',
  'partially_received',
  'received',
  'inspected',
  'completed',
  'rejected',
  'cancelled',
  'expired',
] as const;

/** The parties that may have to act. */
export const parties = ['customer', 'staff', 'warehouse', 'finance', 'platform'] as const;

/** What a person should look at. */
export const flags = ['discrepancy', 'unexpected', 'recovery', 'refund_unknown'] as const;

/** The saved views of a list, in the order of the work. */
export const views = [
  'to_decide',
  'waiting_for_customer',
  'to_receive',
  'to_inspect',
  'refund_due',
  'overdue',
  'refund_unknown',
  'discrepancies',
  'unexpected_items',
] as const;

/** The orders of a list. */
export const sorts = ['createdAt', 'updatedAt', 'dueAt'] as const;
