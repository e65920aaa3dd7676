import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet, getItem } from '../engine/batch-get.ts';
import { table } from '../engine/client.ts';
import type { Dimension, Figures } from './counters.ts';
import { countedKey, recountKey } from '../engine/keys.ts';
import { pack, unpack } from '../engine/pack.ts';
import type { Session } from '../engine/session.ts';
import { putVersion, type Write } from '../engine/transact.ts';
import { lowestPosition } from '../returns/changed-returns.ts';

/** One contribution of a return: to the counters of a day, of its month, and of all time. */
export type CounterContribution = {
  readonly day: string;
  readonly dimension: Dimension;
  readonly value: string;
  readonly figures: Figures;
};

/** The counted contribution of a return. `version` is the last completely counted version. */
export type CountedReturn = { readonly version: number; readonly parts: readonly CounterContribution[] };

/** The same, and the number of its writes. */
export type StoredCountedReturn = CountedReturn & { readonly revision: number };

type Item = {
  readonly id: string;
  readonly version: number;
  readonly counted: number;
  readonly value: string | Uint8Array;
};
type Packed = [
  CounterContribution['day'],
  CounterContribution['dimension'],
  CounterContribution['value'],
  CounterContribution['figures'],
][];

const unpackContributions = (value: Item['value']): CounterContribution[] =>
  (unpack(value) as Packed).map(([day, dimension, of, figures]) => ({ day, dimension, value: of, figures }));

/** Returns the counted contributions of some returns, by their ids; strongly consistent. */
export const readCountedReturns = async (
  session: Session,
  returnIds: readonly string[],
): Promise<ReadonlyMap<string, StoredCountedReturn>> => {
  const names = ['id', 'version', 'counted', 'value'];
  const items = (await batchGet(session, returnIds.map(countedKey), names, { consistent: true })) as Item[];
  return new Map(
    items.map(({ id, version, counted, value }) => [
      id,
      { version: counted, parts: unpackContributions(value), revision: version },
    ]),
  );
};

/** Returns the counted versions of some returns, by their ids. Eventually consistent. */
export const readCountedVersions = async (
  session: Session,
  returnIds: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const items = (await batchGet(session, returnIds.map(countedKey), ['id', 'counted'])) as Item[];
  return new Map(items.map(({ id, counted }) => [id, counted]));
};

/** Writes the counted contribution of a return. It fails when another worker has written one since `revision`. */
export const writeCountedReturn = (returnId: string, { version, parts }: CountedReturn, revision: number): Write => {
  const value: Packed = parts.map((part) => [part.day, part.dimension, part.value, part.figures]);
  return putVersion(
    returnId,
    countedKey(returnId),
    { id: returnId, version: revision + 1, counted: version, value: pack(value) },
    revision,
  );
};

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
