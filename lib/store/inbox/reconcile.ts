import { readCursor, writeCursor, type Checkpoint } from '../engine/checkpoint.ts';
import type { Session } from '../engine/session.ts';

/** A shop whose changes are read: a platform, and a key of `sources` in its secret. */
export type Origin = { readonly platform: string; readonly source: string };

/** How far a shop's changes have been read. The cursor is as the platform wrote it. */
export type ShopCheckpoint = Checkpoint;

const keyOf = ({ platform, source }: Origin) => ({
  pk: `RECONCILE#${platform}#${encodeURIComponent(source)}`,
  sk: 'CURSOR',
});

/** Reads how far a shop's changes have been read. */
export const readShopCheckpoint = async (session: Session, origin: Origin): Promise<ShopCheckpoint> =>
  readCursor(session, keyOf(origin));

/** Writes how far a shop's changes have been read; undefined where another run was faster. */
export const writeShopCheckpoint = async (
  session: Session,
  origin: Origin,
  read: ShopCheckpoint,
  cursor: string,
): Promise<ShopCheckpoint | undefined> => writeCursor(session, keyOf(origin), read, cursor);
