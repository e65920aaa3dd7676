import { basisPoints } from '../../money/basis-points.ts';
import { sum } from '../../returns/sum.ts';
import type { Evaluation } from '../evaluation.ts';
import type { Facts } from '../facts.ts';

/**
 * What would be paid for the goods of a request if somebody sent back what may come back, in minor units: less the fees
 * that its policy takes, but for what inspections find. No law lets restocking be taken of those who have a right.
 */
export const refundEstimate = ({ lines, fees, settings }: Evaluation, facts: Facts): number => {
  const open = facts.lines.filter((_, index) => lines[index]?.verdict === 'eligible');
  const worth = sum(open.map(({ value }) => value));
  const { restocking, return_shipping: shipping } = fees;
  const hasRight = open.some(({ rights }) => rights.length > 0);
  const share = restocking === undefined || hasRight ? 0 : Number(basisPoints(BigInt(worth), restocking.bps ?? 0));
  const back = settings.returnless === undefined ? (shipping?.amount ?? 0) : 0;
  return Math.max(0, worth - Math.min(share, restocking?.cap ?? share) - back);
};
