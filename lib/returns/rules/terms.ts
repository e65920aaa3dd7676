import type { Terms } from '../model/terms.ts';

/** From when on the time to pay counts. */
export const refundDueFrom = ({ floor, deadlines }: Pick<Terms, 'floor' | 'deadlines'>): 'request' | 'receipt' =>
  deadlines.refundDueFrom ?? (floor === null ? 'receipt' : 'request');
