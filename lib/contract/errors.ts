/** Every code that an error of ours can carry, and the status it travels with (contract section 9). */
export const errors = {
  invalid_request: 400,
  invalid_cursor: 400,
  idempotency_key_required: 400,
  invalid_token: 401,
  invalid_signature: 401,
  insufficient_scope: 403,
  return_not_found: 404,
  order_not_found: 404,
  order_line_not_found: 404,
  return_line_not_found: 404,
  parcel_not_found: 404,
  unexpected_not_found: 404,
  exchange_not_found: 404,
  invalid_transition: 409,
  duplicate_return: 409,
  order_facts_frozen: 409,
  idempotency_key_in_progress: 409,
  version_mismatch: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  quantity_exceeds_returnable: 422,
  refund_exceeds_ceiling: 422,
  resolution_not_allowed: 422,
  reason_unknown: 422,
  statutory_floor_violation: 422,
  currency_mismatch: 422,
  idempotency_key_reused: 422,
  precondition_required: 428,
  rate_limited: 429,
  internal_error: 500,
  dependency_unavailable: 503,
  timeout: 504,
} as const;

export type ErrorCode = keyof typeof errors;

/** A fault at one place of the input: a JSON Pointer (RFC 6901), what is wrong, and what would be accepted. */
export type FieldError = { readonly path: string; readonly code: string; readonly message: string };
