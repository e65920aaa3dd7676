import type { Instant } from './order.ts';
import type { FeeType } from './refund.ts';

/**
 * The fee terms of one line, where a rule on its facts sets them. An absent one is that of the return. With
 * `restockingBps`, an absent `restockingCap` is no maximum.
 */
export type LineFeeTerms = {
  readonly restockingBps?: number;
  /** The maximum restocking fee of the line. */
  readonly restockingCap?: number;
  readonly inspectionCapBps?: number;
};

/**
 * The terms of a return, set at its request by the policy or the deployment.
 * The first entry of the history stores them, so that a return follows the rules that it began with. A re-evaluation
 * before the approval stores new terms in its own entry.
 */
export type Terms = {
  /** Whether an approval by staff is required. */
  readonly approval: 'manual' | 'auto';
  /** The earliest stage for a refund: approved, in transit, as goods arrive, or after inspection. */
  readonly refundTiming: 'approved' | 'in_transit' | 'received' | 'inspected';
  /** Whether goods need an inspection. `skipped` accepts all goods on receipt. */
  readonly inspection: 'required' | 'skipped';
  /** Whether the customer keeps approved goods and is still paid. */
  readonly returnless?: true;
  /** How the shipping paid for the order is refunded. */
  readonly shipping: 'none' | 'proportional' | 'full_if_whole_order' | 'statutory';
  /** Deductions in basis points of the goods, or in minor units of the order's currency. */
  readonly fees: {
    readonly restockingBps: number;
    /** The maximum restocking fee. */
    readonly restockingCap: number | null;
    readonly returnShipping: number;
    /** The maximum inspection deduction from a unit's worth. */
    readonly inspectionCapBps: number;
    /** Whether the discount of a promotion that no longer applies is charged. */
    readonly promotion?: true;
    /** By the id of a line of the return: two lines may hold units of one order line in different conditions. */
    readonly byLine?: Readonly<Record<string, LineFeeTerms>>;
  };
  /** What a writer may pay on top. */
  readonly extras?: {
    /** The maximum return postage of a return. */
    readonly returnPostage?: number;
    /** The maximum bonus in basis points of the money for the goods. */
    readonly bonusBps?: number;
  };
  /** The deadlines in days; null for no deadline. */
  readonly deadlines: {
    /** Days to ship the goods, from the approval. */
    readonly shipByDays: number | null;
    /** Days to answer, from a question. */
    readonly answerByDays: number | null;
    /** Days to inspect, from receipt. */
    readonly inspectByDays: number | null;
    /** Days to pay, from the event in `refundDueFrom`. */
    readonly refundDueDays: number | null;
    /** Default: the request when there is a floor, otherwise the receipt. */
    readonly refundDueFrom?: 'request' | 'receipt';
    /** The time to pay of a withdrawal by its law, in place of `refundDueDays`. */
    readonly refundClock?: RefundClock;
  };
  /** What the law grants the customer regardless of the shop; null when no law applies. */
  readonly floor: {
    /** The law, such as `EU 2011/83`; several are separated by commas. */
    readonly law: string;
    /** The protected order lines; absent means all. */
    readonly lines?: readonly string[];
    /** Set when the deployment has added or changed one of these laws. */
    readonly overridden?: true;
    /** Fees that the law allows. */
    readonly fees: readonly Exclude<FeeType, 'restocking'>[];
  } | null;
  /** The maximum total of refunds without an admin, in minor units by currency. An absent currency has no limit. */
  readonly refundApprovalLimit: Readonly<Record<string, number>>;
  /** Present when the return carries out a declared withdrawal. */
  readonly withdrawal?: WithdrawalTerms;
  /** The policy version that set the terms; null without a policy. */
  readonly policyVersion: string | null;
};

/** The withdrawal that a return carries out, and the deadlines of its law. */
export type WithdrawalTerms = {
  readonly withdrawalId: string;
  readonly declaredAt: Instant;
  /** The customer must send the goods before this time. Absent when the law sets none, or a delivery is unknown. */
  readonly sendBy?: Instant;
};

/**
 * The time to pay the refund of a withdrawal. The shop must pay at `due`, which counts from the declaration or, without
 * one, from the request. With `may_wait`, it may wait for the goods or proof of sending. With `from_goods`, it has `days`
 * from then to the end of the last one in `timeZone`, and `due` counts only when no goods are sent.
 */
export type RefundClock = {
  readonly payment: 'may_wait' | 'from_goods' | 'at_once';
  readonly due: Instant;
  readonly days: number;
  /** The IANA name of the zone in which the law counts days. */
  readonly timeZone: string;
};
