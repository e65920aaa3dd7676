import { getItem } from './batch-get.ts';
import type { Key } from './keys.ts';
import type { Session } from './session.ts';
import { putVersion, transact, type Write } from './transact.ts';

/** The state of most checkpoints: a text that the work defines, and the time of the write. */
type CursorState = { readonly cursor?: string; readonly at?: string };

/** The progress of work that takes many runs. `version` is 0 before the first write. */
export type Checkpoint<State extends object = CursorState> = State & { readonly version: number };

/**
 * Reads a checkpoint; strongly consistent.
 *
 * @param initial the state before the first write
 */
export const readCheckpoint = async <State extends object>(
  session: Session,
  key: Key,
  initial: State,
): Promise<Checkpoint<State>> => (await getItem<Checkpoint<State>>(session, key)) ?? { ...initial, version: 0 };

const prepareCheckpoint = <State extends object>(key: Key, version: number, state: State) => {
  const next: Checkpoint<State> = { ...state, version: version + 1 };
  return { next, write: putVersion('checkpoint', key, next, version) };
};

/**
 * Writes a checkpoint, unless another run has written one since the version `read`.
 *
 * @returns the written checkpoint, or undefined when another run was faster
 */
export const writeCheckpoint = async <State extends object>(
  session: Session,
  key: Key,
  read: number,
  state: State,
): Promise<Checkpoint<State> | undefined> => {
  const { next, write } = prepareCheckpoint(key, read, state);
  const { written } = await transact(session, [write]);
  return written ? next : undefined;
};

const cursorState = (cursor: string): CursorState => ({ cursor, at: new Date().toISOString() });

/** Reads the checkpoint of work whose state is a cursor. */
export const readCursor = async (session: Session, key: Key): Promise<Checkpoint> =>
  readCheckpoint<CursorState>(session, key, {});

/**
 * Prepares the write of a cursor and the new checkpoint. The write fails when another run has written one since `read`.
 */
export const prepareCursor = (
  key: Key,
  { version }: Checkpoint,
  cursor: string,
): { readonly next: Checkpoint; readonly write: Write } => prepareCheckpoint(key, version, cursorState(cursor));

/** Writes a cursor; undefined when another run has written one since `read`. */
export const writeCursor = async (
  session: Session,
  key: Key,
  { version }: Checkpoint,
  cursor: string,
): Promise<Checkpoint | undefined> => writeCheckpoint(session, key, version, cursorState(cursor));
