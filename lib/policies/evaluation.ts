import type { FeeType } from '../returns/model/refund.ts';
import type { Instant } from '../returns/model/order.ts';
import type { Resolution } from '../returns/model/return.ts';
import type { Terms } from '../returns/model/terms.ts';
import type { Value } from './condition.ts';
import type { Phase } from './policy.ts';

/** A condition holds, does not, or nobody knows; a rule that an allow list took out of the way was not looked at. */
export type RuleResult = 'matched' | 'not_matched' | 'unknown' | 'skipped';

/** What a rule did that matched, or would have done had another not gone before it; or would do, where nobody knows. */
export type Effect =
  | { readonly deny: string }
  | { readonly exempts: readonly string[] }
  /** Until when the line may be returned, and whether that is over. */
  | { readonly end: Instant; readonly expired: boolean }
  /** What the line lacks of what is wanted; empty where it has all. */
  | { readonly lacks: readonly string[] }
  | { readonly resolutions: readonly Resolution[] }
  | { readonly fee: FeeType; readonly bps?: number; readonly amount?: number; readonly cap?: number }
  | { readonly set: Settings }
  | { readonly approval: 'auto' | 'manual' | 'reject'; readonly deny?: string };

/** What rules of logistics and settlement settle. */
export type Settings = {
  readonly returnless?: true;
  readonly shipping?: Terms['shipping'];
  readonly shipByDays?: number;
  readonly inspection?: Terms['inspection'];
  readonly refundTiming?: Terms['refundTiming'];
};

/** What became of one rule, for one line or for the return as a whole. */
export type TraceEntry = {
  readonly rule: string;
  readonly phase: 'facts' | 'floor' | 'integrity' | Phase;
  /** Place of the line in the request, from 0; not there where the rule is about the whole. */
  readonly line?: number;
  readonly result: RuleResult;
  /** The facts that the rule looked at, by their names: null for what is missing. */
  readonly inputs: Readonly<Record<string, Value | readonly string[] | null>>;
  /** Of a window only where it was the one chosen. */
  readonly effect?: Effect;
  /** The rule that was chosen in its place. */
  readonly overruledBy?: string;
};

export type LineVerdict = 'eligible' | 'needs_review' | 'ineligible';

/** What a policy says of one line. */
export type LineEvaluation = {
  readonly orderLineId: string;
  readonly verdict: LineVerdict;
  /** Why it is not eligible: the first reason, and all of them. */
  readonly code?: string;
  readonly codes: readonly string[];
  /** Facts that are missing, by their names, sorted. */
  readonly missing: readonly string[];
  /** Until when it may be returned, by the window that counts. */
  readonly returnableUntil?: Instant;
  readonly resolutions: readonly Resolution[];
  /** The law that raised the verdict. */
  readonly right?: string;
};

/** What a policy says of a request. */
export type Evaluation = {
  readonly verdict: 'approved' | 'rejected' | 'needs_review';
  readonly approval: 'auto' | 'manual' | 'reject';
  readonly lines: readonly LineEvaluation[];
  readonly fees: Readonly<
    Partial<
      Record<FeeType, { readonly rule: string; readonly bps?: number; readonly amount?: number; readonly cap?: number }>
    >
  >;
  readonly settings: Settings;
  /** Every rule, sorted by phase, id and line. */
  readonly trace: readonly TraceEntry[];
};
