import type { FieldError } from '../../returns/model/status.ts';

/** The expected failures of commands on withdrawals. */
export type WithdrawalFailure =
  | { readonly code: 'invalid_transition'; readonly detail: string }
  | {
      readonly code: 'invalid_request' | 'order_line_not_found' | 'quantity_exceeds_returnable';
      readonly detail: string;
      readonly errors: readonly FieldError[];
    };

export type WithdrawalResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: WithdrawalFailure };

export const decided = <Value>(value: Value): WithdrawalResult<Value> => ({ ok: true, value });

export const failed = <Value>(failure: WithdrawalFailure): WithdrawalResult<Value> => ({ ok: false, failure });

/** Fails with an error of one field. The message completes the sentence "The field …". */
export const failField = <Value>(path: string, code: string, message: string): WithdrawalResult<Value> =>
  failed({ code: 'invalid_request', detail: 'A field is invalid.', errors: [{ path, code, message }] });
