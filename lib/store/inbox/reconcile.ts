import { readProgress as read, writeProgress as write, type Progress } from '../engine/progress.ts';
import type { Session } from '../engine/session.ts';

/** A shop whose changes are read: a platform, and a key of `sources` in its secret. */
export type Origin = { readonly platform: string; readonly source: string };

const keyOf = ({ platform, source }: Origin) => ({
  pk: `RECONCILE#${platform}#${encodeURIComponent(source)}`,
  sk: 'CURSOR',
});

/** How far a shop's changes have been read. */
export const readProgress = async (session: Session, origin: Origin): Promise<Progress> => read(session, keyOf(origin));

/**
 * Writes how far a shop's changes have been read, unless another run has meanwhile.
 *
 * @param cursor as the platform wrote it
 * @returns what was written, or nothing where another run was faster
 */
export const writeProgress = async (
  session: Session,
  origin: Origin,
  known: Progress,
  cursor: string,
): Promise<Progress | undefined> => write(session, keyOf(origin), known, cursor);
