import { alternative, type Candidate } from '../candidates.ts';
import type { EventText, Subject } from '../container.ts';
import { startContainer, type Placement } from '../measure-warm.ts';
import { startMeter, type Metered } from '../service/meter.ts';
import { itemsOfTransaction, readsOf, type RecordedCall, type RecordedItem, type RecordedRead } from './recorded.ts';

/** One command by a candidate: its reads, the items of its transaction, its consumption and its body. */
export type Recorded = {
  readonly reads: readonly RecordedRead[];
  readonly items: readonly RecordedItem[];
  readonly metered: Metered;
  readonly body: string;
};

/** Returns the key of the order in the items of a command. */
const orderKeyIn = (items: readonly RecordedItem[]): string => {
  const key = items.map(({ orderKey }) => orderKey).find((value) => value !== undefined);
  if (key === undefined || !('S' in key)) throw new Error('no written item has the key of the order');
  return key.S;
};

/** Records one command by a candidate. */
export const record = async (
  candidate: Candidate,
  event: EventText,
  subject: Subject,
  placement: Placement,
): Promise<Recorded> => {
  const calls: RecordedCall[] = [];
  const meter = await startMeter(placement.environment['AWS_ENDPOINT_URL_DYNAMODB'] ?? '', (operation, sent) =>
    calls.push({ operation, sent }),
  );
  try {
    const environment = { ...placement.environment, AWS_ENDPOINT_URL_DYNAMODB: meter.origin };
    await using container = await startContainer(candidate, { ...placement, environment }, [subject]);
    const { statusCode, body } = await container.call('invoke', { event });
    if (statusCode !== 200) throw new Error(`${candidate.name} answered ${statusCode}: ${body}`);
    const items = itemsOfTransaction(calls);
    const reads = readsOf(calls, { orderKey: orderKeyIn(items), returnId: subject['returnId'] ?? '' });
    return { reads, items, metered: meter.take(), body };
  } finally {
    await meter.close();
  }
};

/** Returns the bare candidate of a recorded command. */
export const bareOf = ({ reads, items, body }: Recorded): Candidate => ({
  ...alternative('bare-transaction', 'changeReturn', 'bare'),
  environment: { BARE_READS: JSON.stringify(reads), BARE_ITEMS: JSON.stringify(items), BARE_ANSWER: body },
});
