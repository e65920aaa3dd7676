import { type Checkpoint, readCheckpoint, writeCheckpoint } from '../engine/checkpoint.ts';
import type { Key } from '../engine/keys.ts';
import type { Session } from '../engine/session.ts';
import { lowestPosition } from '../returns/changed-returns.ts';

const keyOf = (part: number): Key => ({ pk: `REPAIR#${part}`, sk: 'CURSOR' });

/**
 * Up to where the changed returns of a partition were compared with their logs: an `updatedKey`; and the places before it
 * that could not be carried.
 */
type RepairState = { readonly position: string; readonly stuck: readonly string[] };

const initial: RepairState = { position: lowestPosition, stuck: [] };

/** Reads how far a partition was compared; `part` is its index. */
export const readRepairCheckpoint = async (session: Session, part: number): Promise<Checkpoint<RepairState>> =>
  readCheckpoint(session, keyOf(part), initial);

/** Writes how far a partition was compared; undefined where another run was faster. */
export const writeRepairCheckpoint = async (
  session: Session,
  part: number,
  version: number,
  state: RepairState,
): Promise<Checkpoint<RepairState> | undefined> => writeCheckpoint(session, keyOf(part), version, state);
