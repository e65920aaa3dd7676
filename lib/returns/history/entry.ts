import type { LineUnits, Attachment, Inspection, MissingUnits, Parcel, Unexpected } from '../model/goods.ts';
import type { SealedActor } from '../model/actor.ts';
import type { Amounts, Exchange, Recovery, Discrepancy, FeeType, Refund } from '../model/refund.ts';
import type { Observation } from '../model/fact.ts';
import type { sealedOfParcel } from '../goods/goods.ts';
import type { Instant } from '../model/order.ts';
import type { Judgement, Line, Message, Note, Override, Quantities, Return } from '../model/return.ts';
import type { Sealed } from '../model/personal.ts';
import type { Status } from '../model/status.ts';
import type { Terms } from '../model/terms.ts';

/** The return as it was asked for: all that a fold cannot derive. */
export type Requested = Pick<
  Return,
  | 'id'
  | 'rmaNumber'
  | 'order'
  | 'subject'
  | 'actorKey'
  | 'customer'
  | 'managedBy'
  | 'externalRefs'
  | 'channel'
  | 'initiatedBy'
  | 'basis'
  | 'isGift'
  | 'tags'
  | 'metadata'
  | 'terms'
> & {
  readonly lines: readonly (Pick<
    Line,
    | 'id'
    | 'orderLineId'
    | 'sku'
    | 'reason'
    | 'condition'
    | 'evidenceRequired'
    | 'resolution'
    | 'eligibility'
    | 'amounts'
  > & {
    readonly quantity: number;
  })[];
  readonly judgement?: Judgement;
};

/** What became of a line that was asked for; units that stay with the customer are among those approved. */
export type SettledLine = {
  readonly lineId: string;
  readonly approved: number;
  readonly rejected: number;
  readonly returnless?: number;
};

export type Approved = { readonly lines: readonly SettledLine[]; readonly overrides?: readonly Override[] };

export type Rejected = {
  readonly rejection: Exclude<Return['rejection'], undefined>;
  readonly lines: readonly SettledLine[];
};

export type Cancelled = {
  readonly cancellation: Exclude<Return['cancellation'], undefined>;
  readonly lines: readonly LineUnits[];
};

export type ParcelAdded = { readonly parcel: Parcel };

/** What has changed of a parcel: `null` where a field was emptied. A change of status says when. */
export type ParcelUpdated = {
  readonly parcelId: string;
  readonly changes: { readonly carrier?: string | null } & {
    readonly [Field in (typeof sealedOfParcel)[number]]?: Sealed | null;
  } & Partial<Pick<Parcel, 'contents'>>;
  readonly moved?: Parcel['events'][number];
};

/** Units that came: `late` were given up before, `accepted` are not looked at any more. */
export type ReceivedLine = LineUnits & { readonly late: number; readonly accepted: number };

export type MissingLine = LineUnits & Pick<MissingUnits, 'cause'>;

/** What somebody found: of units of lines, and what becomes of items that belong to none. */
export type Inspected = {
  readonly lines: readonly (Inspection & { readonly lineId: string })[];
  readonly unexpected: readonly (Required<Pick<Unexpected, 'id' | 'disposition'>> & Pick<Unexpected, 'note'>)[];
};

/** Units that are honoured although they did not come or were refused. */
export type GrantedLine = LineUnits & { readonly of: 'missing' | 'refused' };

/** What is changed in a line: by how many units, and the lists that follow, as they are then. */
export type Adjustment = {
  readonly lineId: string;
  readonly quantities: Partial<Quantities>;
  readonly inspections?: readonly Inspection[];
  readonly missing?: readonly MissingUnits[];
};

/**
 * A new decision on what nobody has approved yet, and the terms that it settles. Of the lines those are named that it does
 * not simply allow, or that want evidence under these terms.
 */
export type Renewed = {
  readonly judgement: Judgement;
  readonly terms: Terms;
  readonly lines: readonly ({ readonly lineId: string } & Pick<Line, 'eligibility' | 'evidenceRequired'>)[];
};

export type Reopened = {
  readonly reopening: Exclude<Return['reopening'], undefined>;
  /** To be decided anew, or approved as it was, from which its status follows. */
  readonly status: 'requested' | 'approved';
  readonly lines: readonly Adjustment[];
  /** The new decision, where a policy is for the order. */
  readonly renewed?: Renewed;
};

/** A decision in place of one that rested on facts which are others now, by the parts of them. */
export type DecisionRenewed = Renewed & {
  readonly changed: readonly ('order' | 'customer' | 'return' | 'lines')[];
};

export type Corrected = {
  readonly correction: Exclude<Return['correction'], undefined>;
  readonly lines: readonly Adjustment[];
  /** Where a return that was over goes on: approved, from which its status follows. */
  readonly status?: 'approved';
};

/** The fields that were changed, as they are then. */
export type Updated = Partial<Pick<Return, 'tags' | 'metadata' | 'externalRefs'>>;

/** An exchange that came to something, and the order of the new item when that was told. */
export type ExchangeMoved = { readonly exchangeId: string; readonly externalRef?: string };

/** What a line of the return is worth after an event. */
export type LineAmounts = { readonly lineId: string; readonly amounts: Amounts };

/** What became of a refund, in the words of whoever pays it. */
export type RefundResult = {
  readonly refundId: string;
  readonly occurredAt: Instant;
  readonly providerRef?: string;
  readonly code?: string;
};

/** That the customer is to have the money by then, or was to have it. */
export type RefundReminder = { readonly refundDueBy: Instant };

/** What each type of event tells. */
type Told = {
  readonly 'return.requested': Requested;
  readonly 'return.approved': Approved;
  readonly 'return.rejected': Rejected;
  readonly 'return.info_requested': { readonly message: Message };
  readonly 'return.info_provided': { readonly message: Message };
  readonly 'return.completed': { readonly waiver?: Exclude<Return['waiver'], undefined> };
  readonly 'return.cancelled': Cancelled;
  readonly 'parcel.added': ParcelAdded;
  readonly 'parcel.updated': ParcelUpdated;
  readonly 'items.received': { readonly parcelId?: string; readonly lines: readonly ReceivedLine[] };
  readonly 'items.unexpected': { readonly items: readonly Unexpected[] };
  readonly 'items.missing': { readonly lines: readonly MissingLine[] };
  readonly 'inspection.recorded': Inspected;
  readonly 'items.granted': { readonly reason: string; readonly lines: readonly GrantedLine[] };
  readonly 'return.expired': { readonly lines: readonly Adjustment[] };
  readonly 'return.reopened': Reopened;
  readonly 'decision.renewed': DecisionRenewed;
  readonly 'return.corrected': Corrected;
  readonly 'note.added': { readonly note: Note };
  readonly 'return.updated': Updated;
  readonly 'refund.recorded': { readonly refund: Refund };
  readonly 'discrepancy.found': { readonly discrepancies: readonly Discrepancy[] };
  readonly 'exchange.requested': { readonly exchange: Exchange };
  readonly 'exchange.ordered': ExchangeMoved;
  readonly 'exchange.fulfilled': ExchangeMoved;
  readonly 'exchange.cancelled': ExchangeMoved;
  readonly 'attachment.added': { readonly attachment: Attachment };
  readonly 'refund.requested': { readonly refund: Refund };
  readonly 'refund.submitted': RefundResult;
  readonly 'refund.succeeded': RefundResult;
  readonly 'refund.failed': RefundResult;
  readonly 'refund.unknown': RefundResult;
  readonly 'refund.reversed': RefundResult;
  readonly 'refund.cancelled': RefundResult;
  readonly 'refund.due_soon': RefundReminder;
  readonly 'refund.overdue': RefundReminder;
  readonly 'fee.waived': { readonly type: FeeType; readonly reason: string };
  readonly 'recovery.recorded': { readonly recovery: Recovery };
  readonly 'recovery.written_off': { readonly recovery: Recovery };
};

/**
 * Something that happened to a return, as a decision puts it. `amounts` are of the lines whose worth it changed;
 * `observed` is where a platform told of it.
 */
export type Event = {
  readonly [Type in keyof Told]: {
    readonly type: Type;
    readonly data: Told[Type] & { readonly amounts?: readonly LineAmounts[]; readonly observed?: Observation };
  };
}[keyof Told];

/** An event of one type. */
export type EventOf<Type extends Event['type']> = Extract<Event, { readonly type: Type }>;

/** HMAC-SHA-256 over the hash of an entry in hex, and the id of the key that it is made with. */
export type Mac = { readonly key: string; readonly value: string };

/**
 * An event in its place in the history. `hash` covers all but itself and `mac`, `previousHash` ties it to the entry before.
 */
export type Entry = Event & {
  readonly sequence: number;
  readonly at: Instant;
  readonly actor: SealedActor;
  readonly from: Status | null;
  readonly to: Status;
  readonly causationId: string;
  readonly correlationId: string;
  readonly policyVersion: string | null;
  readonly previousHash: string;
  readonly hash: string;
  /** Entries that are older than the keys have none. */
  readonly mac?: Mac;
};

/** An entry as it is written: whoever can only write to the table cannot make one. */
export type KeyedEntry = Entry & { readonly mac: Mac };
