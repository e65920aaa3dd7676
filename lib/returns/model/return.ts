import type { TextReference, EncryptedActor } from './actor.ts';
import type { Attachment, Inspection, MissingUnits, Parcel, UnexpectedItem } from './goods.ts';
import type { Instant, OrderRef } from './order.ts';
import type { Amounts, Discrepancy, Exchange, FeeType, Recovery, Refund } from './refund.ts';
import type { Status } from './status.ts';
import type { Terms } from './terms.ts';

export type Quantities = {
  readonly requested: number;
  readonly approved: number;
  readonly rejected: number;
  readonly cancelled: number;
  readonly returnless: number;
  readonly received: number;
  readonly missing: number;
  readonly accepted: number;
  readonly refused: number;
  readonly granted: number;
  readonly refunded: number;
  /** In exchanges that were not cancelled. */
  readonly exchanged: number;
};

export type Reason = {
  readonly code: string;
  readonly note?: TextReference;
  /** The platform's own word for it. */
  readonly source?: { readonly system: string; readonly code: string; readonly label?: TextReference };
};

export type Resolution = 'refund' | 'exchange' | 'store_credit' | 'repair' | 'none';

export type Line = {
  readonly id: string;
  readonly orderLineId: string;
  readonly sku?: string;
  readonly quantities: Quantities;
  readonly reason: Reason;
  readonly condition?: string;
  /** Its reason demanded evidence when the return was requested. */
  readonly evidenceRequired?: true;
  readonly resolution: Resolution;
  /** Where a policy does not simply allow it. */
  readonly eligibility?: Eligibility;
  readonly inspections: readonly Inspection[];
  readonly missing: readonly MissingUnits[];
  readonly amounts: Amounts;
};

export type ExternalRef = { readonly platform: string; readonly id: string };

/** A question to the customer, or what came back for an answer. */
export type Message = {
  readonly id: string;
  readonly direction: 'asked' | 'answered';
  readonly at: Instant;
  readonly text?: TextReference;
  /** Ids of attachments that belong to it. */
  readonly evidence?: readonly string[];
};

/** What somebody who works on a return wrote down about it. */
export type Note = {
  readonly id: string;
  readonly at: Instant;
  readonly actor: EncryptedActor;
  readonly visibility: 'internal';
  readonly note: TextReference;
};

/** What a policy says of a line that it does not simply allow, and its code for why. */
export type Eligibility = { readonly verdict: 'ineligible' | 'needs_review'; readonly code: string };

/** The decision of a policy on a request, and which version of it decided. */
export type PolicyDecision = {
  readonly decisionId: string;
  readonly policyVersion: string;
  readonly verdict: 'approved' | 'rejected' | 'needs_review';
  /** The facts that are others than those of the quote that it was promised by. */
  readonly changedSinceQuote?: readonly ('order' | 'customer' | 'return' | 'lines')[];
};

/** Why a line was approved that does not qualify. */
export type Override = { readonly lineId: string; readonly reason: TextReference };

/** Units of a line that nobody had decided on, and units that were still to come. */
export type OpenUnits = { readonly lineId: string; readonly undecided: number; readonly outstanding: number };

/** A return as its history makes it: the fold of its entries. */
export type Return = {
  readonly id: string;
  readonly rmaNumber: string;
  readonly status: Status;
  /** The sequence of the last entry. */
  readonly version: number;
  /** The hash of the last entry. */
  readonly head: string;
  readonly order: OrderRef & { readonly number?: string };
  /** Whose personal data belongs to the return. */
  readonly subject: string;
  /** The public key to which its history seals whom clients act for. */
  readonly actorKey?: string;
  readonly customer: { readonly id?: string; readonly segment?: string };
  readonly managedBy: 'service' | 'platform';
  readonly externalRefs: readonly ExternalRef[];
  readonly channel?: string;
  readonly initiatedBy: 'customer' | 'agent' | 'system' | 'marketplace';
  readonly basis?: 'withdrawal' | 'defect' | 'warranty' | 'wrong_item' | 'transit_damage' | 'goodwill' | 'recall';
  readonly isGift: boolean;
  readonly lines: readonly Line[];
  readonly parcels: readonly Parcel[];
  readonly unexpected: readonly UnexpectedItem[];
  readonly refunds: readonly Refund[];
  readonly exchanges: readonly Exchange[];
  /** Of the return as a whole and of its lines. */
  readonly evidence: readonly Attachment[];
  /** Fees that were given up, as far as they had not been taken. */
  readonly waivers: readonly { readonly type: FeeType; readonly reason: string }[];
  readonly recoveries: readonly Recovery[];
  readonly discrepancies: readonly Discrepancy[];
  readonly tags: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
  /** The rules that the return goes by. */
  readonly terms: Terms;
  /** Why it was refused. */
  readonly rejection?: { readonly code: string; readonly note?: TextReference };
  /** Why units were cancelled, the last time. */
  readonly cancellation?: { readonly code?: string; readonly note?: TextReference };
  /** Questions and answers, in their order. */
  readonly messages: readonly Message[];
  readonly notes: readonly Note[];
  /** What a policy decided; and how it was approved: whether somebody went beyond what its lines allow, and why. */
  readonly decision?: Partial<PolicyDecision> & {
    readonly overridden: boolean;
    readonly overrides: readonly Override[];
  };
  /** Why it was completed although money is owed. */
  readonly waiver?: { readonly reason: TextReference };
  /** Why it was reopened, the last time. */
  readonly reopening?: { readonly reason: TextReference };
  /** Why it was corrected, the last time. */
  readonly correction?: { readonly reason: TextReference };
  /** The due dates of the refund that were told of: as they came near, and once they had passed. */
  readonly refundReminders?: { readonly dueSoon?: Instant; readonly overdue?: Instant };
  /** What was open until a rejection, a cancellation or an expiry closed the return. */
  readonly released: readonly OpenUnits[];
  readonly requestedAt: Instant;
  /** When a status was last reached. */
  readonly infoRequestedAt?: Instant;
  readonly approvedAt?: Instant;
  readonly inTransitAt?: Instant;
  readonly partiallyReceivedAt?: Instant;
  readonly receivedAt?: Instant;
  readonly inspectedAt?: Instant;
  readonly completedAt?: Instant;
  readonly rejectedAt?: Instant;
  readonly cancelledAt?: Instant;
  readonly expiredAt?: Instant;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

/** A return but for its place in the history. */
export type UnversionedReturn = Omit<Return, 'version' | 'head'>;
