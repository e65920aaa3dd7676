import { beforeEach, describe, expect, it } from 'vitest';
import { parked, stillParked } from '../../../lib/domain/write-back/intent.ts';
import { writeIntentEvent } from '../../../lib/service/write-back/store-intent.ts';
import { setEnvironment } from '../../support/environment.ts';
import { plannedIntent } from '../../support/planned-intent.ts';

const at = '2026-11-29T10:00:00.000Z';
const intent = plannedIntent({ runs: 4 });
const cause = { actor: { clientId: 'write-back' }, causationId: 'wbi_1', correlationId: 'trace' };

beforeEach(() => setEnvironment({ TABLE_NAME: 'returns' }));

describe('writeIntentEvent', () => {
  it('writes the event of a parked intent once, and none for each later read of the shop', () => {
    const left = parked(intent, at, 'amount_differs');
    expect(writeIntentEvent(left, cause)).not.toEqual([]);
    expect(writeIntentEvent(stillParked(left, at, at), cause)).toEqual([]);
  });
});
