import { fail, type Result } from '../../../contract/result.ts';
import type { Prepared, ShopFailure } from '../../platform.ts';

/** What no repetition mends: it is parked with its reason, for people to see. */
export const permanentFailure = (reason: string): Result<never, ShopFailure> => fail({ kind: 'permanent', reason });

/** What a delivery comes to whose platform gave no answer that can be used. */
export const toPrepared = ({ kind, reason }: ShopFailure): Prepared => ({
  kind: kind === 'permanent' ? 'parked' : 'retry',
  reason,
});
