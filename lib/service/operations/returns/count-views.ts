import type { Input, Output } from '../../../contract/contract.ts';
import type { Call, Reply } from '../../../contract/port.ts';
import type { Result } from '../../../contract/result.ts';
import { ok } from '../../../runtime/result.ts';
import { withStore } from '../../execution/execute.ts';
import type { Instant } from '../../../domain/returns/model/order.ts';
import { isInView, viewNames, type ViewName } from '../../../domain/returns/saved-views.ts';
import type { Summary } from '../../../domain/returns/summary.ts';
import { visitWork } from '../../../store/returns/summaries.ts';

/** The returns that a request examines, the oldest first. A larger queue has counts that are lower bounds. */
const maxExamined = 5_000;

type Tally = { count: number; oldestAt?: Instant };

/** Returns a function that counts a return in its views, and the counts. */
const openTally = (now: Instant) => {
  const tallies = new Map<ViewName, Tally>(viewNames.map((name) => [name, { count: 0 }]));
  const count = (summary: Summary): void => {
    for (const [name, tally] of tallies) {
      if (!isInView(summary, name, now)) continue;
      tally.count += 1;
      if (tally.oldestAt === undefined || summary.createdAt < tally.oldestAt) tally.oldestAt = summary.createdAt;
    }
  };
  return { tallies, count };
};

/**
 * Counts the returns of all saved views in one pass over the returns with work. The pass reads the oldest returns of
 * each partition, so its cost is bounded.
 */
export const countViews = async (_: Input<'countViews'>, call: Call): Promise<Result<Reply<Output<'countViews'>>>> =>
  withStore(call, async (session) => {
    const at = new Date().toISOString();
    const { tallies, count } = openTally(at);
    const complete = await visitWork(session, maxExamined, count);
    const views = [...tallies].map(([name, tally]) => ({ name, ...tally, capped: !complete }));
    return ok({ status: 200, body: { views, at } });
  });
