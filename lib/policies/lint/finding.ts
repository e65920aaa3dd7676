/** What somebody should look at before a policy is published; errors keep it from being published. */
export type Finding = {
  readonly code:
    | 'unreachable'
    | 'contradiction'
    | 'overlap'
    | 'redundant'
    | 'amount_without_currency'
    | 'window_below_floor'
    | 'fee_above_price'
    | 'unknown_category'
    | 'unknown_reason'
    | 'unknown_list'
    | 'no_approval'
    | 'no_golden_cases';
  readonly severity: 'error' | 'warning';
  /** JSON Pointer into the policy. */
  readonly path: string;
  readonly message: string;
  /** Ids of the rules that it is about. */
  readonly rules?: readonly string[];
};
