import type { KeyedEntryOf } from '../../returns/history/mac.ts';
import type { EncryptedActor } from '../../returns/model/actor.ts';
import type { Language } from '../../returns/input-checks.ts';
import type { Instant, OrderRef } from '../../returns/model/order.ts';
import type { LineUnits } from '../../returns/money/line-units.ts';
import type {
  Answer,
  DeclarationSource,
  DeclaredTexts,
  Match,
  MatchRest,
  Receipt,
  ReceiptSent,
  WithdrawalReturn,
  WithdrawnReason,
} from '../model/withdrawal.ts';

/** The first entry. It has references to the texts of the consumer, which reveal nothing without their salts. */
export type Declared = {
  readonly withdrawalId: string;
  readonly actorKey: string;
  readonly declaredAt: Instant;
  readonly language: Language;
  readonly timeZone: string;
  readonly texts: DeclaredTexts;
  readonly platform?: string;
  readonly source?: DeclarationSource;
};

/** The receipt, when it was signed and with each reminder. */
export type ReceiptDue = {
  readonly withdrawalId: string;
  readonly receipt: Pick<Receipt, 'sha256' | 'keyId'>;
  /** The number of the reminder. Absent for the event with the declaration. */
  readonly reminder?: number;
};

/** The units that the shop must not ship. */
export type Cancellation = {
  readonly withdrawalId: string;
  readonly order: OrderRef;
  readonly lines: readonly LineUnits[];
  /** Whether nothing else of the order is left, so that the shop can cancel the whole order. */
  readonly wholeOrder: boolean;
  /** When the shop must have paid for them. Absent when no law sets a time, or nothing is left to pay. */
  readonly refundDueBy?: Instant;
};

/** The data of each type of event. */
type Events = {
  readonly 'withdrawal.declared': Declared;
  readonly 'withdrawal.receipt_due': ReceiptDue;
  readonly 'withdrawal.receipt_sent': { readonly withdrawalId: string } & ReceiptSent;
  readonly 'withdrawal.matched': { readonly withdrawalId: string } & Match & MatchRest;
  readonly 'withdrawal.cancellation_due': Cancellation;
  readonly 'withdrawal.refunded': { readonly withdrawalId: string; readonly paidAt: Instant };
  readonly 'withdrawal.refund_overdue': { readonly withdrawalId: string; readonly refundDueBy: Instant };
  readonly 'withdrawal.return_created': { readonly withdrawalId: string } & WithdrawalReturn;
  readonly 'withdrawal.answered': { readonly withdrawalId: string } & Answer;
  readonly 'withdrawal.withdrawn': { readonly withdrawalId: string; readonly reason: WithdrawnReason };
};

/** An event of a withdrawal, as a command decides it. */
export type WithdrawalEvent = {
  readonly [Type in keyof Events]: { readonly type: Type; readonly data: Events[Type] };
}[keyof Events];

/**
 * An event with its position in the history. `hash` covers all fields but itself and `mac`, by the same rule as the
 * history of a return. `previousHash` links it to the entry before.
 */
export type WithdrawalEntry = WithdrawalEvent & {
  readonly sequence: number;
  readonly at: Instant;
  readonly actor: EncryptedActor;
  readonly causationId: string;
  readonly correlationId: string;
  readonly previousHash: string;
  readonly hash: string;
};

/** An entry as it is written. */
export type KeyedWithdrawalEntry = KeyedEntryOf<WithdrawalEntry>;
