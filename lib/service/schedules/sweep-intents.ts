import { errorName, log } from '../../runtime/log.ts';
import { count } from '../../runtime/metrics.ts';
import { readDueItems } from '../../store/engine/due.ts';
import { orderOfPartition } from '../../store/engine/keys.ts';
import { countOpenIntents } from '../../store/write-back/intent-counts.ts';
import { enqueueOrders } from '../write-back/queue.ts';
import { openRun, type Remaining, ScheduleFailed } from './run.ts';

const pageSize = 100;

/**
 * Enqueues workers for orders whose intents are due: those that wait for a shop, and those whose message was lost. A
 * worker moves the due time, so the next run finds only what is due again. It also counts the intents that people decide.
 *
 * @throws {ScheduleFailed} when the store or the queue fails
 */
export const sweepIntents = async (_event: unknown, context: Remaining): Promise<{ readonly orders: number }> => {
  using opened = openRun('sweep-intents', context);
  const { session, now } = opened;
  let orders = 0;
  try {
    for await (const items of readDueItems(session, 'intents', now, pageSize)) {
      const due = [...new Set(items.map(({ pk }) => pk))].map(orderOfPartition);
      await enqueueOrders(due, session.signal);
      orders += due.length;
    }
    const parked = await countOpenIntents(session, 'parked');
    count({ IntentsParked: parked.count });
  } catch (error) {
    throw new ScheduleFailed(errorName(error), { cause: error });
  }
  if (orders > 0) log('info', 'orders enqueued for write-back', { orders });
  return { orders };
};
