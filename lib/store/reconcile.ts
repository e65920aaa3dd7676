import { getItem } from './get-item.ts';
import type { Session } from './session.ts';
import { putVersion, transact } from './transact.ts';

/** A shop whose changes are read: a platform, and a key of `sources` in its secret. */
export type Origin = { readonly platform: string; readonly source: string };

/** How far a shop's changes have been read; `version` is 0 where none were yet. */
export type Progress = {
  readonly version: number;
  /** As the platform wrote it. */
  readonly cursor?: string;
  /** When it was last written. */
  readonly at?: string;
};

const keyOf = ({ platform, source }: Origin) => ({
  pk: `RECONCILE#${platform}#${encodeURIComponent(source)}`,
  sk: 'CURSOR',
});

export const readProgress = async (session: Session, origin: Origin): Promise<Progress> =>
  (await getItem<Progress>(session, keyOf(origin))) ?? { version: 0 };

/**
 * Writes how far a shop's changes have been read, unless another run has meanwhile.
 *
 * @returns what was written, or nothing where another run was faster
 */
export const writeProgress = async (
  session: Session,
  origin: Origin,
  read: Progress,
  cursor: string,
): Promise<Progress | undefined> => {
  const next = { version: read.version + 1, cursor, at: new Date().toISOString() };
  const { written } = await transact(session, [putVersion('progress', keyOf(origin), next, read.version)]);
  return written ? next : undefined;
};
