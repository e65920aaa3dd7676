import type { TextReference } from '../../returns/model/actor.ts';
import type { Language } from '../../returns/input-checks.ts';
import type { Instant, OrderRef } from '../../returns/model/order.ts';
import type { LineUnits } from '../../returns/money/line-units.ts';

/*
 * A withdrawal: a consumer's declaration to withdraw from a contract, and what the trader did with it. It is apart from
 * returns, because a declaration is valid whether or not an order, a delivery or a return is known.
 */

/** The statuses in their usual order. */
export const withdrawalStatuses = ['declared', 'matched', 'answered', 'withdrawn'] as const;
export type WithdrawalStatus = (typeof withdrawalStatuses)[number];

/** Whether the consumer has the receipt. */
export const receiptStatuses = ['due', 'sent'] as const;
export type ReceiptStatus = (typeof receiptStatuses)[number];

/** Whether the money of held units is paid. `overdue`: its due date is over, and the service reported it. */
export const refundStatuses = ['due', 'overdue', 'paid'] as const;
export type HeldRefundStatus = (typeof refundStatuses)[number];

/** How a receipt reached the consumer. */
export const receiptChannels = ['email', 'letter', 'download'] as const;
export type ReceiptChannel = (typeof receiptChannels)[number];

/** The version of a new withdrawal: the entries of the declaration and of its receipt. */
export const declaredVersion = 2;

/** Where a platform recorded the declaration. */
export type DeclarationSource = { readonly platform: string; readonly externalId: string };

/** The texts of a declaration, as the consumer wrote them. They are stored apart, so that they can be erased. */
export type DeclaredTexts = {
  readonly name: TextReference;
  readonly email: TextReference;
  readonly contract: TextReference;
  /** Absent for the whole contract. */
  readonly lines?: TextReference;
};

/** The report of the sender. */
export type ReceiptSent = {
  readonly sentAt: Instant;
  readonly channel: ReceiptChannel;
  /** The id of the message at the sender. */
  readonly reference?: string;
};

/** The receipt without its personal content. The hash stays after an erasure. */
export type Receipt = {
  /** The SHA-256 of the compact JWS in hex. */
  readonly sha256: string;
  readonly keyId: string;
  readonly sent?: ReceiptSent;
  /** The number of reminders, and the time of the last one. */
  readonly reminded?: { readonly count: number; readonly at: Instant };
};

/** Units without a right of withdrawal, with the rule and where it stands. */
export type DeniedLine = LineUnits & {
  readonly law?: string;
  /** `period_ended`, or the code of an exemption. */
  readonly rule: string;
  readonly source: string;
  /** The first instant after the last day of an ended period. */
  readonly until?: Instant;
};

/** The order that a declaration means. */
export type Match = {
  readonly order: OrderRef;
  /** Absent for all lines. */
  readonly lines?: readonly LineUnits[];
};

/** What a match did not carry out. Each list is absent when it is empty. */
export type MatchRest = {
  readonly denied?: readonly DeniedLine[];
  /** Units that staff decides on: no known law applies, or no return could be made of them. */
  readonly undecided?: readonly LineUnits[];
};

/** The refund of held units. It waits for no goods. */
export type HeldRefund = {
  /** The first instant after the last day to pay. */
  readonly dueBy: Instant;
  /** When the service reported it as overdue. */
  readonly overdueAt?: Instant;
  /** When the shop paid the last of the units. */
  readonly paidAt?: Instant;
};

/** A return that carries out a withdrawal. */
export type WithdrawalReturn = {
  readonly returnId: string;
  readonly lines: readonly LineUnits[];
  /** Set when the units were held, and the shop shipped them anyway. */
  readonly shippedAnyway?: true;
};

/** The answer that the consumer has no right of withdrawal, with the rule and where it stands. */
export type Answer = {
  readonly answer: 'no_right';
  readonly law?: string;
  readonly rule: string;
  readonly source: string;
  readonly note?: TextReference;
};

/** Why a declaration ended without an effect. */
export type WithdrawnReason = 'mistake';

/** A withdrawal without its receipt, which is signed over the first entry of the history. */
export type UnsignedWithdrawal = {
  readonly id: string;
  readonly status: WithdrawalStatus;
  /** The sequence of the last entry. */
  readonly version: number;
  /** The hash of the last entry. */
  readonly head: string;
  /** The data subject of the personal texts. */
  readonly subject: string;
  /** The public key that encrypts the person a client acts for. */
  readonly actorKey: string;
  readonly declaredAt: Instant;
  readonly texts: DeclaredTexts;
  readonly language: Language;
  /** An IANA name. The receipt shows the time in this zone. */
  readonly timeZone: string;
  /** The shop platform that the consumer used. */
  readonly platform?: string;
  readonly source?: DeclarationSource;
  readonly match?: Match & MatchRest & { readonly at: Instant };
  /** Units that are held before their shipment. The shop cancels them. */
  readonly cancelled?: readonly LineUnits[];
  /** Absent when no law sets a time to pay, or nothing was left to pay. */
  readonly refund?: HeldRefund;
  readonly returns?: readonly WithdrawalReturn[];
  readonly answer?: Answer & { readonly at: Instant };
  readonly withdrawn?: { readonly reason: WithdrawnReason; readonly at: Instant };
  readonly receipt?: Receipt;
  readonly createdAt: Instant;
  /** The time of the last change by a caller. A reminder does not change it. */
  readonly changedAt: Instant;
  /** The time of the last entry. */
  readonly updatedAt: Instant;
};

/** A withdrawal as it is stored: the fold of the entries of its history. */
export type Withdrawal = UnsignedWithdrawal & { readonly receipt: Receipt };

/** The data subject of the texts of a withdrawal. No subject of an order or a customer has this form. */
export const subjectOfWithdrawal = (id: string): string => `withdrawal:${id}`;

/** Returns the id of a withdrawal by its data subject; undefined for another subject. */
export const withdrawalOfSubject = (subject: string): string | undefined =>
  subject.startsWith('withdrawal:') ? subject.slice('withdrawal:'.length) : undefined;

export const receiptStatusOf = ({ sent }: Receipt): ReceiptStatus => (sent === undefined ? 'due' : 'sent');

/** Returns whether the money of held units is paid; undefined when no units are held, or no law sets a time. */
export const refundStatusOf = ({
  cancelled = [],
  refund,
}: Pick<Withdrawal, 'cancelled' | 'refund'>): HeldRefundStatus | undefined => {
  if (refund === undefined || cancelled.length === 0) return undefined;
  if (refund.paidAt !== undefined) return 'paid';
  return refund.overdueAt === undefined ? 'due' : 'overdue';
};

const dayMs = 86_400_000;
/** The days that the EU and the United Kingdom give to pay after a declaration. Until a match no law is certain. */
const usualDays = 14;

/** Returns until when staff must act; undefined when nothing waits, or when a return has the deadlines. */
export const actBy = ({
  status,
  declaredAt,
  refund,
}: Pick<Withdrawal, 'status' | 'declaredAt'> & {
  readonly refund?: Pick<HeldRefund, 'dueBy'> & { readonly status: HeldRefundStatus };
}): Instant | undefined => {
  if (refund !== undefined) return refund.status === 'paid' ? undefined : refund.dueBy;
  return status === 'declared' ? new Date(Date.parse(declaredAt) + usualDays * dayMs).toISOString() : undefined;
};

/** Returns when unpaid money of held units is due; undefined when none is. */
export const openRefundDueBy = (state: Pick<Withdrawal, 'cancelled' | 'refund'>): Instant | undefined =>
  [undefined, 'paid'].includes(refundStatusOf(state)) ? undefined : state.refund?.dueBy;
