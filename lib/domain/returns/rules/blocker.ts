import type { Return } from '../model/return.ts';
import type { FieldError } from '../model/status.ts';

/** What blocks a command: a code and a text. */
export type Blocker = {
  readonly code:
    | 'invalid_transition'
    | 'live_refund'
    | 'nothing_to_add'
    | 'too_many_lines'
    | 'nothing_to_send'
    | 'no_parcel'
    | 'too_many_parcels'
    | 'nothing_outstanding'
    | 'nothing_to_inspect'
    | 'too_many_inspections'
    | 'nothing_to_correct'
    | 'nothing_to_grant'
    | 'nothing_to_exchange'
    | 'too_many_exchanges'
    | 'no_open_exchange'
    | 'ordered_exchange'
    | 'too_much_evidence'
    | 'refund_timing'
    | 'exchanged_at_shop'
    | 'inspection_pending'
    | 'too_many_refunds'
    | 'nothing_to_refund'
    | 'order_removed'
    | 'units_taken'
    | 'no_open_fee'
    | 'statutory_floor_violation'
    | 'discrepancy'
    | 'no_open_refund'
    | 'no_refund_due'
    | 'no_recovery_due'
    | 'too_many_recoveries'
    | 'too_many_messages'
    | 'too_many_notes'
    | 'parcel_moved'
    | 'units_outstanding'
    | 'units_uninspected'
    | 'units_not_sent_back'
    | 'unexpected_without_disposition'
    | 'open_refund'
    | 'open_exchange'
    | 'recovery_due'
    | 'unsettled';
  readonly detail: string;
  /** The fields of the command that waive the blocker. */
  readonly errors?: readonly FieldError[];
};

/**
 * Blockers that are service rules. A platform may break them, and its fact is recorded all the same. The other blockers
 * also block a fact, for example missing units or a full list.
 */
export const serviceRules: ReadonlySet<Blocker['code']> = new Set([
  'live_refund',
  'ordered_exchange',
  'units_not_sent_back',
  'unexpected_without_disposition',
  'open_refund',
  'open_exchange',
  'recovery_due',
  'unsettled',
]);

/** Checks what a command requires of a return beyond its status, as far as the return alone decides it. */
export type Guard = (state: Return) => Blocker | undefined;
