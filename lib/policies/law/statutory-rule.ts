import type { FeeType } from '../../returns/model/refund.ts';
import type { OrderFacts } from '../../returns/model/order.ts';
import type { Window } from '../time/calendar.ts';
import type { Exemption } from './exemptions.ts';

/**
 * What the law of some countries gives a consumer at least. It is data, taken from the texts that it names by people who
 * are not lawyers: have it looked at by counsel before you rely on it.
 */
export type StatutoryRule = {
  /** How refusals and audits name it. No two rules have the same. */
  readonly law: string;
  readonly source: string;
  /** ISO 3166-1 alpha-2. */
  readonly countries: readonly string[];
  /** Kinds of sale that it is about. */
  readonly saleTypes: readonly NonNullable<OrderFacts['saleType']>[];
  /** A right that needs no reason, or one that rests on what is wrong with the goods. */
  readonly claim: 'any' | 'fault';
  /** From when the last of the order's goods was delivered; null where the law sets no number of days. */
  readonly window: Window | null;
  /** Dates such as `2027-10-04` that nobody works on, beside those of the table of holidays. */
  readonly holidays?: readonly string[];
  /** Goods that it leaves out. */
  readonly exemptions: readonly Exemption[];
  /** Fees that may be taken all the same. */
  readonly fees: readonly Exclude<FeeType, 'restocking'>[];
  /** What goes back of the shipping that was paid, with the whole of an order. */
  readonly shipping: 'none' | 'standard' | 'full';
  /** Days to pay, and from when on; null where the law sets no number of days. */
  readonly refund: { readonly days: number; readonly from: 'request' | 'receipt' } | null;
  /** Set where the deployment has made or changed it. */
  readonly overridden?: true;
};
