import type { Amounts } from './amounts.ts';
import type { Instant } from './order.ts';
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
  | 'rejection'
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

/** Something that happened to a return, as a decision puts it. */
export type Event =
  | { readonly type: 'return.requested'; readonly data: Requested }
  | { readonly type: 'return.approved'; readonly data: Approved }
  | { readonly type: 'return.rejected'; readonly data: Rejected };

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
