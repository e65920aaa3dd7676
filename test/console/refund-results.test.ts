import { describe, expect, it } from 'vitest';
import { refundResults } from '../../lib/console/screens/return/prefill.ts';
import { nextRefundStatuses } from '../../lib/returns/money/refund-status.ts';

describe('refundResults', () => {
  it('has each result of a refund that the domain accepts', () => {
    const sorted = (all: Readonly<Record<string, readonly string[]>>) =>
      Object.fromEntries(Object.entries(all).map(([status, next]) => [status, next.toSorted()]));
    expect(sorted(refundResults)).toEqual(sorted(nextRefundStatuses));
  });
});
