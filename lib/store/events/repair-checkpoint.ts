import { type Checkpoint, readCheckpoint, writeCheckpoint } from '../engine/checkpoint.ts';
import type { Key } from '../engine/keys.ts';
import type { Session } from '../engine/session.ts';
import { lowestPosition } from '../returns/changed-returns.ts';

const keyOf = (part: number): Key => ({ pk: `REPAIR#${part}`, sk: 'CURSOR' });

/** The progress of the repair of a partition: an `updatedKey`, and the streams before it whose publication failed. */
type RepairState = { readonly position: string; readonly stuck: readonly string[] };

const initial: RepairState = { position: lowestPosition, stuck: [] };

/** Reads the progress of a partition; `part` is its index. */
export const readRepairCheckpoint = async (session: Session, part: number): Promise<Checkpoint<RepairState>> =>
  readCheckpoint(session, keyOf(part), initial);

/** Writes the progress of a partition; undefined when another run was faster. */
export const writeRepairCheckpoint = async (
  session: Session,
  part: number,
  version: number,
  state: RepairState,
): Promise<Checkpoint<RepairState> | undefined> => writeCheckpoint(session, keyOf(part), version, state);
