import type { AllowedAction } from './allowed-actions.ts';

/** A fault at one place of a command: JSON Pointer, code, and what would be accepted. */
export type Fault = { readonly path: string; readonly code: string; readonly message: string };

/** The expected ways in which the domain says no, told apart by `code` (contract section 9). */
export type Failure =
  | { readonly code: 'invalid_request'; readonly detail: string; readonly errors: readonly Fault[] }
  | { readonly code: 'order_line_not_found'; readonly detail: string; readonly errors: readonly Fault[] }
  | { readonly code: 'return_line_not_found'; readonly detail: string; readonly errors: readonly Fault[] }
  | { readonly code: 'parcel_not_found'; readonly detail: string; readonly errors: readonly Fault[] }
  | { readonly code: 'unexpected_not_found'; readonly detail: string; readonly errors: readonly Fault[] }
  | { readonly code: 'quantity_exceeds_returnable'; readonly detail: string; readonly errors: readonly Fault[] }
  | { readonly code: 'exchange_not_found'; readonly detail: string; readonly errors: readonly Fault[] }
  | { readonly code: 'reason_unknown'; readonly detail: string; readonly errors: readonly Fault[] }
  | { readonly code: 'currency_mismatch'; readonly detail: string; readonly errors: readonly Fault[] }
  | { readonly code: 'order_facts_frozen'; readonly detail: string; readonly errors: readonly Fault[] }
  | { readonly code: 'statutory_floor_violation'; readonly detail: string }
  | { readonly code: 'refund_not_found'; readonly detail: string; readonly errors: readonly Fault[] }
  | { readonly code: 'quote_stale'; readonly detail: string; readonly errors: readonly Fault[] }
  | { readonly code: 'refund_exceeds_ceiling'; readonly detail: string; readonly errors: readonly Fault[] }
  | { readonly code: 'shipping_refund_exceeds_paid'; readonly detail: string; readonly errors: readonly Fault[] }
  | { readonly code: 'resolution_not_allowed'; readonly detail: string; readonly errors: readonly Fault[] }
  | { readonly code: 'fee_not_open'; readonly detail: string; readonly errors: readonly Fault[] }
  | { readonly code: 'recovery_exceeds_due'; readonly detail: string; readonly errors: readonly Fault[] }
  | { readonly code: 'refund_above_limit'; readonly detail: string }
  | { readonly code: 'override_requires_admin'; readonly detail: string; readonly errors: readonly Fault[] }
  | { readonly code: 'insufficient_scope'; readonly detail: string }
  | { readonly code: 'invalid_transition'; readonly detail: string; readonly allowedActions: readonly AllowedAction[] };

export type Decision<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Failure };

export const decided = <Value>(value: Value): Decision<Value> => ({ ok: true, value });
export const refused = (failure: Failure): { readonly ok: false; readonly failure: Failure } => ({
  ok: false,
  failure,
});
