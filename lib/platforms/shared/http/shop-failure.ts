import { fail, type Result } from '../../../contract/result.ts';
import type { Prepared, ShopFailure } from '../../platform.ts';

/** Returns a failure that no retry can fix. The delivery is parked with its reason for people to check. */
export const permanentFailure = (reason: string): Result<never, ShopFailure> => fail({ kind: 'permanent', reason });

/** Returns the result of a delivery whose platform gave no usable response. */
export const toPrepared = ({ kind, reason }: ShopFailure): Prepared => ({
  kind: kind === 'permanent' ? 'parked' : 'retry',
  reason,
});
