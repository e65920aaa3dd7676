import type { Refund } from '../model/refund.ts';
import type { UnversionedReturn } from '../model/return.ts';

/** The code and detail of an amount beyond what was agreed. */
export type Excess = readonly [code: string, detail: string];

/** The maximum number of refunds of a return. */
export const maxRefunds = 100;

/** The live refunds: all but those that never moved money or were reversed. */
export const liveRefunds = ({ refunds }: Pick<UnversionedReturn, 'refunds'>): readonly Refund[] =>
  refunds.filter(({ status }) => status !== 'cancelled' && status !== 'reversed');
