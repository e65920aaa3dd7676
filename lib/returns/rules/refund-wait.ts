import { outstanding, uninspected } from '../goods/quantities.ts';
import type { Return } from '../model/return.ts';
import { owed } from '../money/recovery.ts';
import { isPaidFor, isRefundTime, payableLaterUnits, waitsForInspection } from '../money/refund-ceiling.ts';
import { sum } from '../units-by-line.ts';
import type { Blocker, Guard } from './blocker.ts';

const units = (count: number): string => (count === 1 ? '1 unit' : `${count} units`);

/**
 * Returns the blocker of a refund whose money becomes payable after an inspection or a receipt.
 *
 * @returns undefined when no money becomes payable later
 */
export const refundWait = (state: Return): Blocker | undefined => {
  const { lines, terms } = state;
  // The shipping is refunded with the last goods, even when fees take their whole worth.
  const mayBePaid = owed(state) > 0 || terms.shipping !== 'none';
  if (!mayBePaid || !lines.some((line) => isPaidFor(line) && payableLaterUnits(line, terms) > 0)) return undefined;
  const toCome = sum(lines.map(({ quantities }) => outstanding(quantities)));
  const here = sum(lines.map(({ quantities }) => uninspected(quantities)));
  if (!waitsForInspection(state)) {
    const detail = `Nothing can be refunded now. The return has ${units(toCome)} not received. Refund it after the receipt.`;
    return { code: 'units_outstanding', detail };
  }
  const parts = [
    ...(here > 0 ? [`${units(here)} received and not inspected`] : []),
    ...(toCome > 0 ? [`${units(toCome)} not received`] : []),
  ];
  const detail = `Nothing can be refunded now. The return has ${parts.join(' and ')}. Refund it after the inspection.`;
  return { code: 'inspection_pending', detail };
};

/** Requires that the terms allow a refund now. */
export const requireRefundTime: Guard = (state) => {
  if (isRefundTime(state)) return undefined;
  const wait = refundWait(state);
  return wait?.code === 'inspection_pending'
    ? wait
    : {
        code: 'refund_timing',
        detail: `The terms allow a refund only after the return is ${state.terms.refundTiming}.`,
      };
};
