/** An error at one field of a command: JSON Pointer, code, and the accepted values. */
export type FieldError = { readonly path: string; readonly code: string; readonly message: string };

/** Every status, in lifecycle order. */
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

export type Status = (typeof statuses)[number];
