import type { Output } from '../../contract/contract.ts';
import { readNewest } from '../../store/statistics/counters.ts';
import { newestChange } from '../../store/returns/changed-returns.ts';
import type { Session } from '../../store/engine/session.ts';

/** How new the counters are: of what time the newest change is that they have, and the newest that there is. */
export const readFreshness = async (session: Session): Promise<Output<'getSummary'>['freshness']> => {
  const [counted, changed] = await Promise.all([readNewest(session), newestChange(session)]);
  return {
    ...(counted === undefined ? {} : { counted }),
    ...(changed === undefined ? {} : { changed }),
  };
};
