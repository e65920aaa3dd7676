/**
 * What was settled for a return when it was asked for, by a policy or by the deployment. It stands in the first entry of
 * the history, so that a return goes by the rules it began with; where it is judged anew before somebody approves it, in
 * the entry that tells of that.
 */
export type Terms = {
  /** Whether a new return waits for someone to approve it. */
  readonly approval: 'manual' | 'auto';
  /** From when on money may go back: before the goods are there, as they come, or once all is inspected. */
  readonly refundTiming: 'approved' | 'in_transit' | 'received' | 'inspected';
  /** Whether somebody looks at what comes back, or all of it is accepted as it comes. */
  readonly inspection: 'required' | 'skipped';
  /** Whether what is approved stays with the customer, and is paid for all the same. */
  readonly returnless?: true;
  /** How shipping that was paid for the order goes back. */
  readonly shipping: 'none' | 'proportional' | 'full_if_whole_order' | 'statutory';
  /** What is kept of the money, in basis points of the goods or in minor units of the order's currency. */
  readonly fees: {
    readonly restockingBps: number;
    /** The most that restocking may cost. */
    readonly restockingCap: number | null;
    readonly returnShipping: number;
    /** The most that inspections may take off a unit's worth. */
    readonly inspectionCapBps: number;
  };
  /** Days that each side has; null where nobody waits. */
  readonly deadlines: {
    /** From the approval, to send the goods. */
    readonly shipByDays: number | null;
    /** From a question, to answer it. */
    readonly answerByDays: number | null;
    /** From receipt, to inspect. */
    readonly inspectByDays: number | null;
    /** To pay, from what `refundDueFrom` says. */
    readonly refundDueDays: number | null;
    /** Not there: from the request where there is a floor, else from receipt. */
    readonly refundDueFrom?: 'request' | 'receipt';
  };
  /** What the law gives the customer whatever a shop decides; null where none applies. */
  readonly floor: {
    /** The law, such as `EU 2011/83`; several with commas between. */
    readonly law: string;
    /** The order's lines that it protects; not there: all. */
    readonly lines?: readonly string[];
    /** Set where the deployment has made or changed one of these laws. */
    readonly overridden?: true;
    /** Fees that may be taken all the same. */
    readonly fees: readonly ('inspection' | 'return_shipping')[];
  } | null;
  /** What the refunds of a return may come to without an admin, in minor units by currency: one not named has no limit. */
  readonly refundApprovalLimit: Readonly<Record<string, number>>;
  /** The version of the policy that said so; null where no policy did. */
  readonly policyVersion: string | null;
};
