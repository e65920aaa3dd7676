import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { getItem } from '../engine/batch-get.ts';
import { table } from '../engine/client.ts';
import { recountKey } from '../engine/keys.ts';
import type { Session } from '../engine/session.ts';
import { lowestPosition } from '../returns/changed-returns.ts';

/*
 * The progress of the recount. These rows are no checkpoints (lib/store/engine/checkpoint.ts). They have no version,
 * because either position of two concurrent runs is correct.
 */

/** Reads the position up to which a partition was recounted. */
export const readRecountPosition = async (session: Session, partition: string): Promise<string> =>
  (await getItem<{ position: string }>(session, recountKey(partition)))?.position ?? lowestPosition;

/** Writes the position up to which a partition was recounted. */
export const writeRecountPosition = async (session: Session, partition: string, position: string): Promise<void> => {
  await session.send(new PutCommand({ TableName: table(), Item: { ...recountKey(partition), position } }));
};
