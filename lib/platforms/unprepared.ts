import type { Prepared, ShopFailure } from './platform.ts';

/** What a delivery comes to whose platform gave no answer that can be used. */
export const unprepared = ({ kind, reason }: ShopFailure): Prepared => ({
  kind: kind === 'permanent' ? 'parked' : 'retry',
  reason,
});
