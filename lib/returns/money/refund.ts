import type { Refund } from '../model/refund.ts';
import type { UnversionedReturn } from '../model/return.ts';

/** How a refund goes beyond what was agreed. */
export type Excess = readonly [code: string, detail: string];

/** The most refunds that a return has. */
export const maxRefunds = 100;

/** Refunds that count: all but those that never moved money or gave it back. */
export const liveRefunds = ({ refunds }: Pick<UnversionedReturn, 'refunds'>): readonly Refund[] =>
  refunds.filter(({ status }) => status !== 'cancelled' && status !== 'reversed');
