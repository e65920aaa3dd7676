/** What somebody should look at before a policy is published; errors keep it from being published. */
export type Finding = {
  readonly code:
    | 'unreachable'
    | 'contradiction'
    | 'overlap'
    | 'window_below_floor'
    | 'fee_above_price'
    | 'unknown_category'
    | 'unknown_reason'
    | 'unknown_list'
    | 'no_approval';
  readonly severity: 'error' | 'warning';
  /** JSON Pointer into the policy. */
  readonly path: string;
  readonly message: string;
  /** Ids of the rules that it is about. */
  readonly rules?: readonly string[];
};
