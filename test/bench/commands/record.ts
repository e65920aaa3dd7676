import { alternative, type Candidate } from '../candidates.ts';
import type { EventText, Subject } from '../container.ts';
import { startContainer } from '../measure-warm.ts';
import type { Placement } from '../remote.ts';
import { metering } from '../service/meter.ts';
import { itemsOfTransaction, readsOf, type RecordedCall } from './recorded.ts';

/** Records one command by a candidate: its reads, the items of its transaction, its consumption and its body. */
export const record = (candidate: Candidate, event: EventText, subject: Subject, placement: Placement) => {
  const calls: RecordedCall[] = [];
  return metering(
    placement,
    async (metered, take) => {
      await using container = await startContainer(candidate, metered, [subject]);
      const { statusCode, body } = await container.call('invoke', event);
      if (statusCode !== 200) throw new Error(`${candidate.name} answered ${statusCode}: ${body}`);
      const items = itemsOfTransaction(calls);
      const key = items.map(({ orderKey }) => orderKey).find((value) => value !== undefined);
      if (key === undefined || !('S' in key)) throw new Error('no written item has the key of the order');
      const reads = readsOf(calls, { orderKey: key.S, returnId: subject['returnId'] ?? '' });
      return { reads, items, metered: take(), body };
    },
    (operation, sent) => calls.push({ operation, sent }),
  );
};

/** Returns the bare candidate of a recorded command. */
export const bareOf = ({ reads, items, body }: Awaited<ReturnType<typeof record>>): Candidate => ({
  ...alternative('bare', 'bare-transaction/change-return'),
  environment: { BARE_READS: JSON.stringify(reads), BARE_ITEMS: JSON.stringify(items), BARE_ANSWER: body },
});
