import type { ActorUser, TextReference, EncryptedActor } from './actor.ts';
import type { Attachment, Inspection, MissingUnits, Parcel, UnexpectedItem } from './goods.ts';
import type { Instant, Money, OrderRef } from './order.ts';
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
  /** Units in exchanges that are not cancelled. */
  readonly exchanged: number;
  /** Accepted units in parcels to the customer, after a repair. Absent for none. */
  readonly repaired?: number;
};

export type Reason = {
  readonly code: string;
  readonly note?: TextReference;
  /** The reason code of the platform. */
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
  /** Present when the policy does not simply allow the line. */
  readonly eligibility?: Eligibility;
  /** The policy decision on units that were added after the request. */
  readonly decisionId?: string;
  readonly inspections: readonly Inspection[];
  readonly missing: readonly MissingUnits[];
  readonly amounts: Amounts;
};

export type ExternalRef = { readonly platform: string; readonly id: string };

/** A question to the customer, or the answer to it. */
export type Message = {
  readonly id: string;
  readonly direction: 'asked' | 'answered';
  readonly at: Instant;
  readonly text?: TextReference;
  /** Ids of the attachments of the message. */
  readonly evidence?: readonly string[];
};

/** An internal note on a return. */
export type Note = {
  readonly id: string;
  readonly at: Instant;
  readonly actor: EncryptedActor;
  readonly visibility: 'internal';
  readonly note: TextReference;
};

/** The policy result for a line that it does not simply allow, and the reason code. */
export type Eligibility = { readonly verdict: 'ineligible' | 'needs_review'; readonly code: string };

/** The decision of a policy on a request, and the version that decided. */
export type PolicyDecision = {
  readonly decisionId: string;
  readonly policyVersion: string;
  readonly verdict: 'approved' | 'rejected' | 'needs_review';
  /** The parts of the facts that have changed since the quote that promised this decision. */
  readonly changedSinceQuote?: readonly ('order' | 'customer' | 'return' | 'lines')[];
};

/** Why an ineligible line was approved. */
export type Override = { readonly lineId: string; readonly reason: TextReference };

/** Undecided and outstanding units of a line. */
export type OpenUnits = { readonly lineId: string; readonly undecided: number; readonly outstanding: number };

/** An item that the shop gives for units of a return, by an exchange of its own. */
export type ShopExchange = {
  /** The id of the item, or of the whole exchange, at the platform. */
  readonly externalId: string;
  readonly quantity?: number;
  readonly sku?: string;
  readonly title?: string;
  /** The price of all units, including tax. */
  readonly price?: Money;
};

/** A return: the fold of the entries of its history. */
export type Return = {
  readonly id: string;
  readonly rmaNumber: string;
  readonly status: Status;
  /** The sequence of the last entry. */
  readonly version: number;
  /** The hash of the last entry. */
  readonly head: string;
  readonly order: OrderRef & { readonly number?: string };
  /** The data subject whose personal data belongs to the return. */
  readonly subject: string;
  /** The public key that encrypts the person a client acts for. */
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
  /** What the shop gives in exchange by itself. */
  readonly shopExchanges?: readonly ShopExchange[];
  /** Evidence of the return as a whole and of its lines. */
  readonly evidence: readonly Attachment[];
  /** Waived fees, as far as they were not applied. */
  readonly waivers: readonly { readonly type: FeeType; readonly reason: string }[];
  readonly recoveries: readonly Recovery[];
  /** What the payments of the order have left for refunds, in minor units. Absent while it may have other payments. */
  readonly paymentsLeft?: number;
  /**
   * What it takes back of promotions of its order, in minor units. Negative when other returns take too much.
   * Absent when the order has none.
   */
  readonly promotion?: number;
  readonly discrepancies: readonly Discrepancy[];
  /** The user who is responsible for the work. Null after the assignee was removed. */
  readonly assignee?: ActorUser | null;
  readonly tags: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
  /** The rules that apply to the return. */
  readonly terms: Terms;
  /** Why the return was rejected. */
  readonly rejection?: { readonly code: string; readonly note?: TextReference };
  /** Why units were cancelled, the last time. */
  readonly cancellation?: { readonly code?: string; readonly note?: TextReference };
  /** Questions and answers, in order. */
  readonly messages: readonly Message[];
  readonly notes: readonly Note[];
  /** The policy decision, and the approval: whether an override was used, and why. */
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
  /** The due dates of the refund for which reminders were sent, near and overdue. */
  readonly refundReminders?: { readonly dueSoon?: Instant; readonly overdue?: Instant };
  /** The units that were open until a rejection, a cancellation or an expiry closed the return. */
  readonly released: readonly OpenUnits[];
  readonly requestedAt: Instant;
  /** When each status was last reached. */
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

/** A return without its position in the history. */
export type UnversionedReturn = Omit<Return, 'version' | 'head'>;

/** The party that is responsible for the return of a line. */
export type LiableParty = 'customer' | 'merchant' | 'carrier' | 'none';

/** A reason in its current version. Version 0 is a built-in reason that the shop has not changed. */
export type ReasonDefinition = ReasonFacts & { readonly group: string; readonly version: number };

/** The settings of a reason. */
export type ReasonFacts = {
  /** `group.reason`, or only a group. */
  readonly code: string;
  /** Labels by language tag (BCP 47). */
  readonly labels: Readonly<Record<string, string>>;
  readonly fault: LiableParty;
  /** Whether a line with this reason requires a note. */
  readonly noteRequired: boolean;
  /** Whether a line with this reason requires an attachment before it is approved. */
  readonly evidenceRequired: boolean;
  /** The resolutions that a line with this reason may request. */
  readonly resolutions: readonly Resolution[];
  /** Whether new returns may use this reason. */
  readonly active: boolean;
};

/** Reasons by their codes. It is a Map because `__proto__` is a valid code. */
export type Reasons = ReadonlyMap<string, ReasonDefinition>;
