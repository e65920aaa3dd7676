import type { Entry } from '../../domain/returns/history/entry.ts';
import { fold } from '../../domain/returns/history/fold.ts';
import type { Return } from '../../domain/returns/model/return.ts';
import { readEntries, readReturn } from '../../store/returns/returns.ts';
import type { Session } from '../../store/engine/session.ts';

const pageSize = 200;

/** Replays the first entries of a history; undefined when the very first entry is not among them. */
export const replayWhile = async (
  session: Session,
  returnId: string,
  within: (entry: Entry) => boolean,
): Promise<Return | undefined> => {
  let state: Return | undefined;
  for (;;) {
    const entries = await readEntries(session, returnId, state?.version ?? 0, pageSize);
    for (const entry of entries) {
      if (!within(entry)) return state;
      state = fold(state, entry);
    }
    if (entries.length < pageSize) return state;
  }
};

/** Reads a version of a return; undefined when it does not exist. */
export const readVersion = async (session: Session, returnId: string, version: number): Promise<Return | undefined> => {
  const now = await readReturn(session, returnId);
  if (now === undefined || now.version === version) return now;
  return replayWhile(session, returnId, ({ sequence }) => sequence <= version);
};
