import { getItem } from './get-item.ts';
import type { Key } from './keys.ts';
import type { Session } from './session.ts';
import { putVersion, transact, type Write } from './transact.ts';

/** How far something has come that goes on in many runs; `version` is 0 where it never began. */
export type Progress = {
  readonly version: number;
  /** Text of whoever goes on there. */
  readonly cursor?: string;
  /** When it was last written. */
  readonly at?: string;
};

/** How far something has come; strongly consistent. */
export const readProgress = async (session: Session, key: Key): Promise<Progress> =>
  (await getItem<Progress>(session, key)) ?? { version: 0 };

/** What writes how far something has come, on condition that nobody has meanwhile; and how far that then is. */
export const progressWrite = (
  key: Key,
  read: Progress,
  cursor: string,
): { readonly next: Progress; readonly write: Write } => {
  const next = { version: read.version + 1, cursor, at: new Date().toISOString() };
  return { next, write: putVersion('progress', key, next, read.version) };
};

/**
 * Writes how far something has come, unless another run has meanwhile.
 *
 * @returns what was written, or nothing where another run was faster
 */
export const writeProgress = async (
  session: Session,
  key: Key,
  read: Progress,
  cursor: string,
): Promise<Progress | undefined> => {
  const { next, write } = progressWrite(key, read, cursor);
  const { written } = await transact(session, [write]);
  return written ? next : undefined;
};
