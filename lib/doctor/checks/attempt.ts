import { elapsed, stamp, type Clock } from '../../net/clock.ts';
import type { Incoming } from '../../net/request.ts';
import { TransportError } from '../../net/transport-error.ts';

/** One exchange: what came of it, how long that took, and when (epoch milliseconds) it was over. */
export type Attempt = { readonly ms: number; readonly endedAt: number } & (
  | { readonly answer: Incoming }
  | { readonly answer: undefined; readonly error: TransportError }
);

/** Makes an exchange whose failure below HTTP is a finding. */
export const attempt = async (clock: Clock, exchange: () => Promise<Incoming>): Promise<Attempt> => {
  const startedAt = stamp(clock);
  const ended = () => ({ ms: Math.round(elapsed(clock, startedAt)), endedAt: clock.now() });
  try {
    const answer = await exchange();
    return { ...ended(), answer };
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    return { ...ended(), answer: undefined, error };
  }
};
