import type { Evaluation } from '../evaluation.ts';
import type { Facts } from '../facts.ts';
import { lineRank } from '../line-rank.ts';
import { compareInstants } from '../time/instants.ts';
import { refundEstimate } from './refund-estimate.ts';
import { sum } from '../../returns/sum.ts';

const verdicts = ({ lines }: Evaluation): number => sum(lines.map(({ verdict }) => lineRank[verdict]));

/** By when the first of the lines has to be asked for; a line without a window has all the time there is. */
const endOf = ({ lines }: Evaluation): string =>
  lines.map(({ returnableUntil = '9999-12-31T23:59:59.999Z' }) => returnableUntil).toSorted(compareInstants)[0] ?? '';

/**
 * Whether one of two evaluations of the same request is better for the customer than the other: by the verdicts on the
 * lines, then by what is paid, then by how long there is time.
 */
export const isBetter = (one: Evaluation, other: Evaluation, facts: Facts): boolean => {
  const difference =
    verdicts(one) - verdicts(other) ||
    refundEstimate(one, facts) - refundEstimate(other, facts) ||
    compareInstants(endOf(one), endOf(other));
  return difference > 0;
};
