import type { Amounts } from './amounts.ts';
import type { Instant, Money } from './order.ts';
import type { Refund } from './refund.ts';
import type { Line, Return } from './return.ts';
import type { Status } from './states.ts';

/** The return as it was asked for: all that a fold cannot derive. */
export type Requested = Omit<
  Return,
  | 'status'
  | 'version'
  | 'head'
  | 'lines'
  | 'requestedAt'
  | 'approvedAt'
  | 'rejectedAt'
  | 'cancelledAt'
  | 'rejection'
  | 'cancellation'
  | 'refunds'
  | 'discrepancies'
  | 'createdAt'
  | 'updatedAt'
> & {
  readonly lines: readonly (Omit<Line, 'quantities'> & { readonly quantity: number })[];
};

/** What became of a line that was asked for. */
export type SettledLine = {
  readonly lineId: string;
  readonly approved: number;
  readonly rejected: number;
  readonly amounts: Amounts;
};

export type Approved = { readonly lines: readonly SettledLine[] };

export type Rejected = {
  readonly rejection: Exclude<Return['rejection'], undefined>;
  readonly lines: readonly SettledLine[];
};

/** Units of a line that were cancelled, and what is left of it worth. */
export type CancelledLine = { readonly lineId: string; readonly quantity: number; readonly amounts: Amounts };

export type Cancelled = {
  readonly cancellation: Exclude<Return['cancellation'], undefined>;
  readonly lines: readonly CancelledLine[];
};

/** Money that moved outside: for which lines of the return, and what about it goes beyond what was agreed. */
export type RefundRecorded = {
  readonly refund: Refund;
  readonly lines: readonly { readonly lineId: string; readonly quantity: number; readonly gross: Money }[];
};

/** The fields that were changed, as they are then. */
export type Updated = Partial<Pick<Return, 'tags' | 'metadata' | 'externalRefs'>>;

/** Something that happened to a return, as a decision puts it. */
export type Event =
  | { readonly type: 'return.requested'; readonly data: Requested }
  | { readonly type: 'return.approved'; readonly data: Approved }
  | { readonly type: 'return.rejected'; readonly data: Rejected }
  | { readonly type: 'return.cancelled'; readonly data: Cancelled }
  | { readonly type: 'return.updated'; readonly data: Updated }
  | { readonly type: 'refund.recorded'; readonly data: RefundRecorded };

/** An event of one type. */
export type EventOf<Type extends Event['type']> = Extract<Event, { readonly type: Type }>;

export type Actor = { readonly clientId: string; readonly onBehalfOf?: string };

/** An event in its place in the history. `hash` covers all the rest, `previousHash` ties it to the entry before. */
export type Entry = Event & {
  readonly sequence: number;
  readonly at: Instant;
  readonly actor: Actor;
  readonly from: Status | null;
  readonly to: Status;
  readonly causationId: string;
  readonly correlationId: string;
  readonly policyVersion: string | null;
  readonly previousHash: string;
  readonly hash: string;
};
