import { describe, expect, it } from 'vitest';
import { openRefund } from '../../lib/console/screens/return/commands.ts';
import { refundResults } from '../../lib/console/screens/return/prefill.ts';
import { nextRefundStatuses } from '../../lib/domain/returns/money/refund-status.ts';

describe('refundResults', () => {
  it('has each result of a refund that the domain accepts', () => {
    const sorted = (all: Readonly<Record<string, readonly string[]>>) =>
      Object.fromEntries(Object.entries(all).map(([status, next]) => [status, next.toSorted()]));
    expect(sorted(refundResults)).toEqual(sorted(nextRefundStatuses));
  });
});

describe('openRefund', () => {
  const refundsOf = (...statuses: readonly string[]) =>
    ({ refunds: statuses.map((status) => ({ status })) }) as unknown as Parameters<typeof openRefund>[0];

  it('prefers a failed payment, and ignores a paid one', () => {
    expect(openRefund(refundsOf('succeeded', 'submitted', 'pending', 'failed'))?.status).toBe('failed');
    expect(openRefund(refundsOf('submitted', 'unknown'))?.status).toBe('unknown');
    expect(openRefund(refundsOf('succeeded', 'reversed', 'cancelled'))).toBeUndefined();
  });
});
