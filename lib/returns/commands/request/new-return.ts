import type { ExternalRef, Reason, Resolution, Return } from '../../model/return.ts';
import type { PolicyDecisionByLine } from './settle-request.ts';

/** A request to return units of an order. Its free text is a personal-text reference. */
export type CreateReturn = {
  readonly lines: readonly {
    readonly orderLineId: string;
    readonly quantity: number;
    readonly reason: Reason;
    readonly condition?: string;
    readonly resolution?: Resolution;
  }[];
  readonly managedBy?: Return['managedBy'];
  readonly externalRefs?: readonly ExternalRef[];
  readonly channel?: string;
  readonly initiatedBy?: Return['initiatedBy'];
  readonly basis?: Exclude<Return['basis'], undefined>;
  readonly isGift?: boolean;
  readonly tags?: readonly string[];
  readonly metadata?: Readonly<Record<string, string>>;
  /** The decision of the platform that manages the return. */
  readonly status?: 'requested' | 'approved' | 'rejected';
  /** The decision of the policy that applies to the order. */
  readonly decisionByLine?: PolicyDecisionByLine;
};
