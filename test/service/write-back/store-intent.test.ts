import { beforeEach, describe, expect, it } from 'vitest';
import { type Intent, parked, stillParked } from '../../../lib/domain/write-back/intent.ts';
import { writeIntentEvent } from '../../../lib/service/write-back/store-intent.ts';
import { setEnvironment } from '../../support/environment.ts';

const at = '2026-11-29T10:00:00.000Z';
const intent: Intent = {
  id: 'wbi_1',
  version: 1,
  order: { platform: 'shopify', orderId: '1001' },
  action: 'refund',
  status: 'planned',
  plannedAt: at,
  updatedAt: at,
  dueAt: at,
  runs: 4,
  requests: 0,
  traceId: 'trace',
};
const cause = { actor: { clientId: 'write-back' }, causationId: 'wbi_1', correlationId: 'trace' };

beforeEach(() => setEnvironment({ TABLE_NAME: 'returns' }));

describe('writeIntentEvent', () => {
  it('writes the event of a parked intent once, and none for each later read of the shop', () => {
    const left = parked(intent, at, 'amount_differs');
    expect(writeIntentEvent(left, cause)).not.toEqual([]);
    expect(writeIntentEvent(stillParked(left, at, at), cause)).toEqual([]);
  });
});
