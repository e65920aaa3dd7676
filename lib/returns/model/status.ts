/** A fault at one place of a command: JSON Pointer, code, and what would be accepted. */
export type FieldError = { readonly path: string; readonly code: string; readonly message: string };

/** Every status, in the order of a return's life. */
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
