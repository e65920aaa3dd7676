import type { Intent } from '../../lib/domain/write-back/intent.ts';

/** Returns the first version of an intent: a refund, planned at 10:00. */
export const plannedIntent = (changes: Partial<Intent> = {}): Intent => ({
  id: 'wbi_1',
  version: 1,
  order: { platform: 'shopify', orderId: '1001' },
  action: 'refund',
  status: 'planned',
  plannedAt: '2026-11-29T10:00:00.000Z',
  updatedAt: '2026-11-29T10:00:00.000Z',
  dueAt: '2026-11-29T10:00:00.000Z',
  runs: 0,
  requests: 0,
  traceId: 'trace',
  ...changes,
});
