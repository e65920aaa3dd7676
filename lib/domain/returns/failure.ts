import type { Result as GenericResult } from '../../runtime/result.ts';
import type { FieldError } from './model/status.ts';
import type { AllowedAction } from './rules/states.ts';

/** The codes of failures at fields of a command. */
type FieldFailureCode =
  | 'invalid_request'
  | 'order_line_not_found'
  | 'return_line_not_found'
  | 'parcel_not_found'
  | 'attachment_not_found'
  | 'unexpected_not_found'
  | 'user_not_found'
  | 'quantity_exceeds_returnable'
  | 'exchange_not_found'
  | 'reason_unknown'
  | 'evidence_required'
  | 'currency_mismatch'
  | 'order_facts_frozen'
  | 'refund_not_found'
  | 'quote_stale'
  | 'refund_exceeds_ceiling'
  | 'refund_exceeds_payments'
  | 'shipping_refund_exceeds_paid'
  | 'resolution_not_allowed'
  | 'fee_not_open'
  | 'recovery_exceeds_due'
  | 'override_requires_admin'
  | 'not_eligible';

/**
 * The state of the return does not allow the command. A quote lists no allowed actions, because it has no current time.
 */
type StateConflict = {
  readonly code: 'invalid_transition' | 'inspection_pending';
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  readonly allowedActions?: readonly AllowedAction[];
};

/** The expected failures of the domain, distinguished by `code` (contract section 9). */
export type Failure =
  | { readonly code: FieldFailureCode; readonly detail: string; readonly errors: readonly FieldError[] }
  | { readonly code: 'statutory_floor_violation'; readonly detail: string }
  | { readonly code: 'refund_above_limit'; readonly detail: string }
  | { readonly code: 'insufficient_scope'; readonly detail: string; readonly errors?: readonly FieldError[] }
  | StateConflict;

/** The result of a rule or a command of the domain. */
export type Result<Value> = GenericResult<Value, Failure>;
