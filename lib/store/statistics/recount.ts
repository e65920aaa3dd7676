import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { getItem } from '../engine/batch-get.ts';
import { table } from '../engine/client.ts';
import { recountKey } from '../engine/keys.ts';
import type { Session } from '../engine/session.ts';
import { lowestPosition } from '../returns/changed-returns.ts';

/*
 * Up to where the counters were checked. These rows are no checkpoints (lib/store/engine/checkpoint.ts): they have no version,
 * because of two runs at once either position may stand.
 */

/** Up to where a partition was checked. */
export const readRecountPosition = async (session: Session, partition: string): Promise<string> =>
  (await getItem<{ position: string }>(session, recountKey(partition)))?.position ?? lowestPosition;

/** Notes up to where a partition was checked. */
export const writeRecountPosition = async (session: Session, partition: string, position: string): Promise<void> => {
  await session.send(new PutCommand({ TableName: table(), Item: { ...recountKey(partition), position } }));
};
