import type { ExchangeStatus, ParcelStatus, RefundStatus, World } from './model.ts';

/** The changes that a correction makes to a line. */
export type Difference = {
  readonly received: number;
  readonly missing: number;
  readonly accepted: number;
  readonly refused: number;
};

/** Commands without arguments. */
export type PlainName =
  | 'reject'
  | 'cancelAll'
  | 'requestInfo'
  | 'provideInfo'
  | 'receiveAndRefund'
  | 'closeReceipt'
  | 'dispose'
  | 'remindRefund'
  | 'waiveFee'
  | 'writeOffRecovery'
  | 'reopen'
  | 'addNote'
  | 'assignReturn'
  | 'addAttachment';

/** Quantities are in the order of the lines, and 0 omits a line. `which` is a position in a list, modulo its length. */
export type Step =
  | { readonly name: 'approve'; readonly units: readonly number[] }
  /** Adds units as a line, to a line, or of the first unexpected item without a disposition. */
  | {
      readonly name: 'amendReturn';
      readonly by: 'add' | 'raise' | 'unexpected';
      readonly line: number;
      readonly units: number;
    }
  | { readonly name: 'cancel'; readonly units: readonly number[] }
  | { readonly name: 'receive'; readonly units: readonly number[] }
  | {
      readonly name: 'refund';
      readonly units: readonly number[];
      /** The result of a payment that was made before the booking. */
      readonly result?: 'succeeded' | 'failed' | undefined;
    }
  | {
      readonly name: 'inspect';
      readonly accept: readonly number[];
      readonly refuse: readonly number[];
      /** Whether the customer gets refused units back. */
      readonly back: boolean;
    }
  | { readonly name: 'grant'; readonly of: 'missing' | 'refused'; readonly units: readonly number[] }
  | { readonly name: 'recordRefundResult'; readonly which: number; readonly status: RefundStatus }
  | { readonly name: 'addParcel'; readonly units: readonly number[]; readonly status: ParcelStatus }
  | { readonly name: 'updateParcel'; readonly which: number; readonly status: ParcelStatus }
  | { readonly name: 'receiveParcel'; readonly which: number }
  | { readonly name: 'exchange'; readonly line: number; readonly units: number; readonly price: number | undefined }
  | { readonly name: 'exchangeResult'; readonly which: number; readonly status: ExchangeStatus }
  /** Pays the postage of the return on top, or a part of the price of units of a line. */
  | { readonly name: 'compensate'; readonly line: number; readonly units: number; readonly cents: number | 'postage' }
  | { readonly name: 'recordRecovery'; readonly cents: number | 'all' }
  | { readonly name: 'complete'; readonly waive: boolean }
  | { readonly name: 'expire'; readonly late: boolean }
  | { readonly name: 'correct'; readonly line: number; readonly by: Difference }
  /** Not a command on this return. Another return of the order takes units of an order line. */
  | { readonly name: 'createReturn'; readonly orderLine: number; readonly units: number }
  | { readonly name: PlainName };

/** The step of this name. */
export type StepOf<Name extends Step['name']> = Extract<Step, { readonly name: Name }>;

export type Verdict = { readonly ok: true; readonly world: World } | { readonly ok: false; readonly code: string };
